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
	// maxCoveringHosts adds the host without its port, or the host of a platform
	// identifier or e-mail address.
	maxCoveringHosts = 1 + maxCoveringParents
)

// Cover is an asset whose status counts for another one: the asset itself, another form of
// it, or an asset that contains it.
type Cover struct {
	asset.Identity
	Kind CoverKind `json:"kind"`
	// Step is the position of the text that the cover is a form of. It is 0 for the asset's
	// own text and one more for each less specific text.
	Step int `json:"step"`
	// Effect says which statuses of the cover count.
	Effect CoverEffect `json:"effect,omitempty"`
}

// CoverKind says how a [Cover] relates to the asset that it covers. [CoverKinds] returns
// the complete set. The zero value is not a kind.
type CoverKind string

// The kinds of covers.
const (
	// CoverExact is the asset itself.
	CoverExact CoverKind = "EXACT"
	// CoverURL is a URL that covers a link: with another scheme, without query or route,
	// with a shorter path, or on another host of the same platform.
	CoverURL CoverKind = "URL"
	// CoverPage is a page of the same host, with or without its port, or of another host of
	// the same platform. For a platform identifier, it is the page of the platform's host.
	CoverPage CoverKind = "PAGE"
	// CoverDomain is the page of a parent domain. For an e-mail address, it is also that
	// of its own domain.
	CoverDomain CoverKind = "DOMAIN"
	// CoverAccount is a platform identifier that contains the asset, such as the owner of
	// a repository, or that names the same in another way.
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
// Covers are in steps. The covers of a step are the forms of one text: PAGE, https URL and
// http URL, and a path with and without a slash at its end. A path without the slash is never
// covered by the one with it if it is complete. A URL or PAGE has these steps, in this order:
//
//   - The same link.
//   - The link without its route, without its query, and without both.
//   - The link with each shorter path on whole segments, down to the bare host. The port
//     stays. Only the first six segments of a path are shortened. If such a link names a
//     platform identifier, that covers instead.
//   - The PAGE of the host without its port, or of the IPv4 address that an IPv6 address maps.
//   - The PAGE of each parent domain, at most the last eight.
//
// Parent domains end at the registrable domain by the whole Public Suffix List, so the page
// github.io does not cover name.github.io. An IP address has no parents. A host that is a
// platform identifier, such as name.medium.com, has no PAGE. The identifier covers instead.
//
// The PAGE of the last two steps is that of a bare host, which covers subdomains and ports. The
// URLs of that host do not. They are in its step to withhold its effect if the page is ALLOWED
// and one of them is BLOCKED. If there is no room for them, the page can only block. A link with a
// query and five segments has room for those of three parents.
//
// A PAGE with port 80 is covered like its http URL. The steps have pages of that port, too, as far
// as there is room. On a platform, they can take the room of a step.
//
// Links to a platform have aliases, and the forms of an alias are in the step of the link:
//
//   - The same link on the other hosts of the platform, as far as they are in use, such as
//     twitter.com and x.com. Of links with a shorter path, only that on the main host counts.
//   - The common links to a YouTube video, whatever else their query has. They take the room
//     of its shorter paths.
//   - name.medium.com and medium.com/@name, and name.t.me and t.me/name, with what is below
//     them.
//   - The account that a link names in another way, such as
//     x.com/intent/user?screen_name=name or raw.githubusercontent.com/owner/repository.
//
// If a query names several videos or accounts, those that the link may open can only block.
//
// Aliases take room. At least two segments of a path count, whatever follows them. If the link
// leaves room, it has its other steps, too, in this order: more segments, rare links to its video,
// the aliases of the link without query and route, that with its route alone, and each shorter path
// with a slash at its end on the main host. A link with a port has no aliases.
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
		c.coverLink(Cover{Identity: identity, Kind: CoverExact}, false)
	case identity.Type == asset.TypeEmail:
		c.coverEmail(identity)
	case identity.Type != asset.TypeAddress:
		c.addHosts(c.coverContainers(Cover{Identity: identity, Kind: CoverExact}))
	}
	if len(c.covers) == 0 {
		c.covers = []Cover{{Identity: identity, Kind: CoverExact}}
	}
	return c.covers
}

// covering collects covers.
type covering struct {
	covers []Cover
	step   int
	// texts has the canonical forms that join made.
	texts strings.Builder
	// onPlatform reports whether links with the host of a URL or PAGE can be platform
	// identifiers.
	onPlatform bool
	// distinct reports whether no cover is added twice after the first step.
	distinct bool
	// effect is that of the covers that are added, unless they have one of their own.
	effect CoverEffect
	// room is the number of covers that addStep may fill.
	room int
	// hostOnPort80 is the host of a PAGE with port 80, whose links have such pages.
	hostOnPort80 string
}

// nextStep begins a step, unless the present one is empty.
func (c *covering) nextStep() {
	if n := len(c.covers); n > 0 {
		c.step = c.covers[n-1].Step + 1
	}
}

// add adds a cover. If it is there already, it only moves to the present step, unless its own is
// less. Another form of the longest content may be too long.
func (c *covering) add(cover Cover) {
	if len(cover.Canonical) > MaxContent {
		return
	}
	if !c.distinct || c.step == 0 {
		if at := c.index(cover.Identity); at >= 0 {
			c.covers[at].Step = min(c.covers[at].Step, c.step)
			return
		}
	}
	cover.Step = c.step
	if c.effect != CoverDecides {
		cover.Effect = c.effect
	}
	c.covers = append(c.covers, cover)
}

// join concatenates the parts. Its results share their memory, to save allocations. It returns
// the text itself if that is the result.
func (c *covering) join(text string, parts ...string) string {
	if isJoined(text, parts) {
		return text
	}
	start := c.texts.Len()
	for _, part := range parts {
		c.texts.WriteString(part)
	}
	return c.texts.String()[start:]
}

func (c *covering) has(identity asset.Identity) bool { return c.index(identity) >= 0 }

// index returns the position of a cover, or -1.
func (c *covering) index(identity asset.Identity) int {
	for i := range c.covers {
		if c.covers[i].Identity == identity {
			return i
		}
	}
	return -1
}

// coveringHost is a host whose page covers its subdomains and ports.
type coveringHost struct {
	host
	kind CoverKind
}

// addHosts adds a step for each host, the nearest first.
func (c *covering) addHosts(hosts []coveringHost) {
	room := MaxCovers - len(c.covers) - len(hosts)
	if len(hosts) > 0 && strings.HasSuffix(hosts[0].text, ".medium.com") {
		room-- // a name of Medium is two covers
	}
	if room < 0 {
		hosts = hosts[1:]
	}
	for i, h := range hosts {
		c.nextStep()
		c.addHost(h, 2*(len(hosts)-i) <= room)
	}
}

// addHost adds the PAGE of a host, or the platform identifier that the host is. If there is
// room, it adds the URLs that withhold the effect of the page.
func (c *covering) addHost(h coveringHost, room bool) {
	if identifier, canonical, ok := identify(link{host: h.host, path: "/"}); ok {
		c.addAccount(asset.Identity{Type: identifier, Canonical: canonical})
		return
	}
	page := asset.Identity{Type: asset.TypePage, Canonical: h.text}
	switch {
	case checkPageHost(h.host) != "" || !c.distinct && c.has(page):
	case !room:
		c.add(Cover{Identity: page, Kind: h.kind, Effect: CoverBlocks})
	default:
		c.add(Cover{Identity: page, Kind: h.kind})
		for _, scheme := range [...]string{"https://", "http://"} {
			url := asset.Identity{Type: asset.TypeURL, Canonical: c.join("", scheme, h.text)}
			c.add(Cover{Identity: url, Kind: CoverURL, Effect: CoverWithholds})
		}
	}
}

// appendParents appends each parent of a domain, down to the registrable domain.
func appendParents(hosts []coveringHost, domain string) []coveringHost {
	publicSuffix, ok := suffix.FindPrivate(domain)
	if !ok || publicSuffix == domain {
		return hosts
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
		hosts = append(hosts, coveringHost{host{text: domain[start:], kind: hostDomain}, CoverDomain})
	}
	return hosts
}

// coverEmail adds the covers of an EMAIL.
func (c *covering) coverEmail(identity asset.Identity) {
	if o := tryEmail(&input{text: identity.Canonical}); o.answer != accepted || o.result.Identity != identity {
		return
	}
	_, domain, _ := strings.Cut(identity.Canonical, "@")
	c.add(Cover{Identity: identity, Kind: CoverExact})
	var hosts [maxCoveringHosts]coveringHost
	c.addHosts(appendParents(append(hosts[:0], coveringHost{host{text: domain, kind: hostDomain}, CoverDomain}), domain))
}

// coverContainers adds a platform identifier and the identifiers that contain it. It returns the
// hosts that cover it.
func (c *covering) coverContainers(identifier Cover) []coveringHost {
	l, reason := parseLink("https", identifier.Canonical)
	if reason != "" {
		return nil
	}
	if kind, canonical, ok := identify(l); !ok || identifier.Identity != (asset.Identity{Type: kind, Canonical: canonical}) {
		return nil
	}
	c.add(identifier)
	c.addAccount(identifier.Identity)
	for i := len(l.path) - 1; i > 0; i-- {
		if l.path[i] != '/' {
			continue
		}
		if kind, canonical, ok := identify(link{host: l.host, path: l.path[:i]}); ok {
			c.nextStep()
			c.addAccount(asset.Identity{Type: kind, Canonical: canonical})
		}
	}
	return appendParents([]coveringHost{{l.host, CoverPage}}, l.host.text)
}
