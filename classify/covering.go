package classify

import (
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/suffix"
)

// MaxCovers is the maximum number of covers of an identity.
const MaxCovers = 64

const (
	// maxCoveringSegments is the number of leading segments of a path whose links cover a
	// longer one.
	maxCoveringSegments = 6
	// maxCoveringParents is the number of parent domains that cover a host.
	maxCoveringParents = 8
)

// Cover is an asset whose status counts for another one: the asset itself, or one that
// contains it.
type Cover struct {
	asset.Identity
	Kind CoverKind `json:"kind"`
}

// CoverKind says how a [Cover] relates to the asset that it covers. [CoverKinds] returns
// the complete set. The zero value is not a kind.
type CoverKind string

// The kinds of covers.
const (
	// CoverExact is the asset itself.
	CoverExact CoverKind = "EXACT"
	// CoverURL is a URL that covers a link: with another scheme, without query or route,
	// or with a shorter path.
	CoverURL CoverKind = "URL"
	// CoverPage is a page of the same host, with or without its port. For a platform
	// identifier, it is the page of the platform's host.
	CoverPage CoverKind = "PAGE"
	// CoverDomain is the page of a parent domain. For an e-mail address, it is also that
	// of its own domain.
	CoverDomain CoverKind = "DOMAIN"
	// CoverAccount is a platform identifier that contains the asset, such as the owner of
	// a repository.
	CoverAccount CoverKind = "ACCOUNT"
)

// CoverKinds returns every kind, in the order of the constants.
func CoverKinds() []CoverKind {
	return []CoverKind{CoverExact, CoverURL, CoverPage, CoverDomain, CoverAccount}
}

// Covering returns the assets whose status counts for the one with the identity, the most
// specific first. The first one is the asset itself. There are at most [MaxCovers], each
// of them once, and each is an identity that [Classify] returns for its canonical form.
//
// A URL or PAGE is covered by these assets, in this order:
//
//   - The same link as PAGE, https URL and http URL.
//   - The same three without the route, without the query, and without both.
//   - The same three with each shorter path on whole segments, with and without a slash at
//     its end, down to the bare host. The port stays. Only the first six segments of a
//     path are shortened. If such a link names a platform identifier, that covers instead.
//   - The PAGE of the host without its port.
//   - The PAGE of each parent domain, at most the last eight.
//
// Parent domains end at the registrable domain by the whole Public Suffix List, so the page
// github.io does not cover name.github.io. An IP address has no parents. A host that is a
// platform identifier, such as name.medium.com, has no PAGE. The identifier covers instead.
//
// A platform identifier is covered by the identifiers that contain it, then by the PAGE of
// its host and of the parents of that. An EMAIL is covered by the PAGE of its domain and
// of the parents of that. An ADDRESS, and an identity that Classify never returns, is
// covered by itself alone.
func Covering(identity asset.Identity) []Cover {
	var c covering
	switch {
	case len(identity.Canonical) > MaxContent:
	case identity.Type == asset.TypeURL, identity.Type == asset.TypePage:
		c.coverLink(identity)
	case identity.Type == asset.TypeEmail:
		c.coverEmail(identity)
	case identity.Type != asset.TypeAddress:
		c.coverIdentifier(identity)
	}
	if len(c.covers) == 0 {
		c.covers = []Cover{{identity, CoverExact}}
	}
	return c.covers
}

// covering collects covers.
type covering struct {
	covers []Cover
	// onPlatform reports whether links with the host of a URL or PAGE can be platform
	// identifiers.
	onPlatform bool
}

// add adds a cover unless it is there already. Another form of the longest content may be
// too long.
func (c *covering) add(kind CoverKind, of asset.Identity) {
	for i := range c.covers {
		if c.covers[i].Identity == of {
			return
		}
	}
	if len(of.Canonical) <= MaxContent {
		c.covers = append(c.covers, Cover{of, kind})
	}
}

// addHost adds the PAGE of a host, or the platform identifier that the host is.
func (c *covering) addHost(kind CoverKind, h host) {
	if identifier, canonical, ok := identify(link{host: h, path: "/"}); ok {
		c.add(CoverAccount, asset.Identity{Type: identifier, Canonical: canonical})
	} else if checkPageHost(h) == "" {
		c.add(kind, asset.Identity{Type: asset.TypePage, Canonical: h.text})
	}
}

// addParents adds the PAGE of each parent domain, down to the registrable domain.
func (c *covering) addParents(domain string) {
	publicSuffix, ok := suffix.FindPrivate(domain)
	if !ok || publicSuffix == domain {
		return
	}
	var starts [maxCoveringParents]int // of the parents, the registrable domain first
	n := 0
	for start := len(domain) - len(publicSuffix); n < len(starts); n++ {
		start = strings.LastIndexByte(domain[:start-1], '.') + 1
		if start == 0 {
			break
		}
		starts[n] = start
	}
	for _, start := range slices.Backward(starts[:n]) {
		c.addHost(CoverDomain, host{text: domain[start:], kind: hostDomain})
	}
}

// coverEmail adds the covers of an EMAIL.
func (c *covering) coverEmail(identity asset.Identity) {
	if o := tryEmail(&input{text: identity.Canonical}); o.answer != accepted || o.result.Identity != identity {
		return
	}
	_, domain, _ := strings.Cut(identity.Canonical, "@")
	c.add(CoverExact, identity)
	c.addHost(CoverDomain, host{text: domain, kind: hostDomain})
	c.addParents(domain)
}

// coverIdentifier adds the covers of a platform identifier.
func (c *covering) coverIdentifier(identity asset.Identity) {
	l, reason := parseLink("https", identity.Canonical)
	if reason != "" {
		return
	}
	if kind, canonical, ok := identify(l); !ok || identity != (asset.Identity{Type: kind, Canonical: canonical}) {
		return
	}
	c.add(CoverExact, identity)
	for i := len(l.path) - 1; i > 0; i-- {
		if l.path[i] != '/' {
			continue
		}
		if kind, canonical, ok := identify(link{host: l.host, path: l.path[:i]}); ok {
			c.add(CoverAccount, asset.Identity{Type: kind, Canonical: canonical})
		}
	}
	c.addHost(CoverPage, l.host)
	c.addParents(l.host.text)
}
