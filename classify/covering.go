package classify

import (
	"bytes"
	"net/netip"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/suffix"
)

// MaxCovers is the maximum number of covers of an identity. No identity has more, so none of the
// covers that [Covering] describes is ever left out.
const MaxCovers = 128

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
	// with a shorter path, with another spelling of the path, or on another host of the same
	// platform. It is also the URL of a host for another port, and that of an IPFS content.
	CoverURL CoverKind = "URL"
	// CoverPage is a page of the same host, with or without its port, or of another host of
	// the same platform. For a platform identifier, it is the page of the platform's host.
	CoverPage CoverKind = "PAGE"
	// CoverDomain is the page of a parent domain. For an e-mail address, it is also that
	// of its own domain.
	CoverDomain CoverKind = "DOMAIN"
	// CoverAccount is a platform identifier that contains the asset, such as the owner of
	// a repository, or that names the same in another way. For an ADDRESS with a tag, it is the
	// ADDRESS of its account.
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
//   - The link with each shorter path on whole segments. The port stays. Only the first six
//     segments of a path are shortened.
//   - The IPFS content that the link names, as the URL https://ipfs.io/ipfs/ with its content
//     ID. It can only block. See [ContentIDs].
//   - The bare host, with the port.
//   - The host without its port. The PAGE covers all ports. The URLs of the host can only block.
//   - The PAGE of each parent domain, at most the last eight. It covers all subdomains and ports.
//     The URLs of the parent do not. They are in its step to withhold its effect if the page is
//     ALLOWED and one of them is BLOCKED.
//   - The GitHub account of a host on github.io.
//
// A link that names a platform identifier is that identifier, which covers in its place. So a host
// that is an identifier, such as name.medium.com, has no PAGE. Parent domains end at the
// registrable domain by the whole Public Suffix List, so the page github.io does not cover
// name.github.io. An IP address has no parents.
//
// A step can have more covers:
//
//   - Other spellings of the path can only block, because a server may tell them apart. All steps
//     have the spelling of [HasPlainPath]. The link and that without query and route also have
//     those in which the signs of a path are percent-encoded: all, or all that JavaScript's
//     encodeURIComponent encodes.
//   - An IPv4 address and the IPv6 address that maps it cover each other.
//   - A PAGE with port 80 is covered like its http URL, and by the pages of that port, with the path
//     without a slash at its end.
//   - Links to a platform have aliases: the same link on the other hosts of the platform that are in
//     use, such as twitter.com and x.com; the common links to a YouTube video, whatever else their
//     query has; name.medium.com and medium.com/@name, and name.t.me and t.me/name, with what is
//     below them. Less specific links have only the one on the main host. A link with a port has
//     no aliases.
//   - An account on Instagram, Medium, TikTok, Twitch and X that a link begins with can only block what is
//     below it, such as x.com/name/status/20: these platforms find a post by its ID, whatever name the link
//     has.
//   - A link that names an account in another way is covered by it, such as
//     x.com/intent/user?screen_name=name or raw.githubusercontent.com/owner/repository. If it may
//     name several, or may open several videos, these can only block.
//
// A host with other signs behind its name, such as example.com followed by a comma, is not a public
// name. Its links are also covered as those of the host without these signs, which can only block.
//
// A platform identifier is covered by the identifiers that contain it, then by the PAGE of
// its host and of the parents of that. An EMAIL is covered by the PAGE of its domain and
// of the parents of that. An ADDRESS with a tag or number of its account is covered by the
// ADDRESS of that account. Any other ADDRESS, and an identity that Classify never returns, is
// covered by itself alone.
func Covering(identity asset.Identity) []Cover {
	var c covering
	exact := Cover{Identity: identity, Kind: CoverExact}
	switch {
	case len(identity.Canonical) > MaxContent:
	case identity.Type == asset.TypeAddress:
		return coverAddress(identity)
	case identity.Type == asset.TypeURL, identity.Type == asset.TypePage:
		if l, port80, ok := parseCanonical(identity); ok {
			c.coverLink(exact, l, port80)
		}
	case identity.Type == asset.TypeEmail:
		c.coverEmail(exact)
	default:
		c.coverIdentifier(exact)
	}
	if len(c.covers) == 0 {
		c.covers = []Cover{exact}
	}
	return c.covers
}

// covering collects covers.
type covering struct {
	covers []Cover
	// lengths has the last byte of the length of each cover, by which has finds it.
	lengths [MaxCovers]byte
	step    int
	// effect is that of the covers that are added, unless they have one of their own.
	effect CoverEffect
	// below reports whether the link has more of a path than the covers that are added.
	below bool
	// texts has the canonical forms that join made.
	texts strings.Builder
	// distinct reports whether no cover is added twice after the first step.
	distinct bool
	// checked is the last host that isPageHost was asked about, and isPage its answer.
	checked host
	isPage  bool
	coveredLink
}

// nextStep begins a step, unless the present one is empty.
func (c *covering) nextStep() {
	if n := len(c.covers); n > 0 {
		c.step = c.covers[n-1].Step + 1
	}
}

// add adds a cover once. Another form of the longest content may be too long.
func (c *covering) add(cover Cover) {
	if len(cover.Canonical) > MaxContent || (!c.distinct || c.step == 0) && c.has(cover.Identity) {
		return
	}
	cover.Step = c.step
	if c.effect != CoverDecides {
		cover.Effect = c.effect
	}
	if n := len(c.covers); n < len(c.lengths) {
		c.lengths[n] = byte(len(cover.Canonical)) //nolint:gosec // the last byte suffices
	}
	c.covers = append(c.covers, cover)
}

func (c *covering) has(identity asset.Identity) bool {
	lengths := c.lengths[:min(len(c.covers), len(c.lengths))]
	for i := 0; ; i++ {
		next := bytes.IndexByte(lengths[i:], byte(len(identity.Canonical))) //nolint:gosec // the last byte suffices
		if next < 0 {
			return false
		}
		if i += next; c.covers[i].Identity == identity {
			return true
		}
	}
}

// isPageHost reports whether a host is that of a PAGE.
func (c *covering) isPageHost(h host) bool {
	if h != c.checked {
		c.checked, c.isPage = h, checkPageHost(h) == ""
	}
	return c.isPage
}

// join concatenates the parts. Its results share their memory, to save allocations. It returns
// the text itself if that is the result.
func (c *covering) join(text string, parts ...string) string {
	if isJoined(text, parts) {
		return text
	}
	start := c.texts.Len()
	for _, part := range parts {
		if part != "" { // as most ports, queries and routes are
			c.texts.WriteString(part)
		}
	}
	return c.texts.String()[start:]
}

// coverEmail adds the covers of an EMAIL.
func (c *covering) coverEmail(exact Cover) {
	if o := tryEmail(&input{text: exact.Canonical}); o.answer != accepted || o.result.Identity != exact.Identity {
		return
	}
	_, domain, _ := strings.Cut(exact.Canonical, "@")
	c.add(exact)
	c.addHost(coveringHost{host{text: domain, kind: hostDomain}, CoverDomain, CoverWithholds})
	c.addParents(domain)
}

// coverIdentifier adds the covers of a platform identifier: those that contain it, and the host.
func (c *covering) coverIdentifier(exact Cover) {
	l, reason := parseLink("https", exact.Canonical)
	if reason != "" {
		return
	}
	if kind, canonical, ok := identify(l); !ok || exact.Identity != (asset.Identity{Type: kind, Canonical: canonical}) {
		return
	}
	c.add(exact)
	c.addAccount(exact.Identity)
	for i := len(l.path) - 1; i > 0; i-- {
		if l.path[i] != '/' {
			continue
		}
		if kind, canonical, ok := identify(link{host: l.host, path: l.path[:i]}); ok {
			c.nextStep()
			c.addAccount(asset.Identity{Type: kind, Canonical: canonical})
		}
	}
	c.addHost(coveringHost{l.host, CoverPage, CoverWithholds})
	c.addParents(l.host.text)
}

// addAccount adds a platform identifier, and the other form of a name of Medium.
func (c *covering) addAccount(identity asset.Identity) {
	c.add(Cover{Identity: identity, Kind: CoverAccount})
	if sibling := siblingOf(identity); sibling.Type != "" {
		c.add(Cover{Identity: sibling, Kind: CoverAccount})
	}
}

// parseCanonical parses a URL or PAGE. A PAGE with port 80 is the http link that an address bar
// opens for it. The function reports false for an identity that Classify does not return.
func parseCanonical(identity asset.Identity) (l link, port80, ok bool) {
	var (
		text   = identity.Canonical
		reason Reason
	)
	if identity.Type == asset.TypePage {
		if l, reason = parseBareLink(text); reason != "" || checkPageHost(l.host) != "" || l.withoutScheme(text) != text {
			return link{}, false, false
		}
	} else {
		scheme, rest, _ := strings.Cut(text, "://")
		if scheme != "http" && scheme != "https" {
			return link{}, false, false
		}
		if l, reason = parseLink(scheme, rest); reason != "" || l.withScheme(text) != text {
			return link{}, false, false
		}
	}
	if _, _, named := identify(l); named {
		return link{}, false, false
	}
	if identity.Type == asset.TypePage && l.port == ":80" {
		l.scheme, l.port, port80 = "http", "", true
	}
	return l, port80, true
}

// linkForm is a link as one of the assets that it can be: a PAGE, or a URL with either
// scheme.
type linkForm struct {
	kind asset.Type
	as   CoverKind
	// text is the canonical form. The path begins at pathAt.
	text    string
	pathAt  int
	hasPort bool
}

// formsOf returns the forms of a link, the PAGE first. The text is a canonical form.
func (c *covering) formsOf(l link, text string) [3]linkForm {
	form := func(kind asset.Type, as CoverKind, scheme, prefix string) linkForm {
		// Another scheme has another default port.
		port, _ := parsePort(scheme, l.port)
		form := c.join(text, prefix, l.host.text, port, l.canonicalPath(), l.query, l.route)
		return linkForm{kind, as, form, len(prefix) + len(l.host.text) + len(port), port != ""}
	}
	https := form(asset.TypeURL, CoverURL, "https", "https://")
	page := https // which has the same default port
	page.kind, page.as = asset.TypePage, CoverPage
	page.text, page.pathAt = https.text[len("https://"):], https.pathAt-len("https://")
	return [...]linkForm{page, https, form(asset.TypeURL, CoverURL, "http", "http://")}
}

// maxCoveringParents is the number of parent domains that cover a host.
const maxCoveringParents = 8

// coveringHost is a host whose page covers its subdomains and ports.
type coveringHost struct {
	host
	kind CoverKind
	// urls is the effect of the URLs of the host.
	urls CoverEffect
}

// addHost adds the step of a host: its PAGE and its URLs, or the platform identifier that it is.
func (c *covering) addHost(h coveringHost) {
	c.nextStep()
	c.addHostForms(h)
	if twin, ok := twinOf(h.host); ok {
		c.addHostForms(coveringHost{twin, h.kind, h.urls})
	}
}

func (c *covering) addHostForms(h coveringHost) {
	if identifier, canonical, ok := identify(link{host: h.host, path: "/"}); ok {
		c.addAccount(asset.Identity{Type: identifier, Canonical: canonical})
		return
	}
	if checkPageHost(h.host) != "" {
		return
	}
	c.add(Cover{Identity: asset.Identity{Type: asset.TypePage, Canonical: h.text}, Kind: h.kind})
	for _, scheme := range [...]string{"https://", "http://"} {
		url := asset.Identity{Type: asset.TypeURL, Canonical: c.join("", scheme, h.text)}
		c.add(Cover{Identity: url, Kind: CoverURL, Effect: h.urls})
	}
}

// addParents adds the step of each parent of a domain, the nearest first, down to the registrable
// domain.
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
	for n--; n >= 0; n-- {
		c.addHost(coveringHost{host{text: domain[starts[n]:], kind: hostDomain}, CoverDomain, CoverWithholds})
	}
}

// twinOf returns the IPv6 address that maps an IPv4 address, or the other way round. Both reach
// the same server (RFC 4291, section 2.5.5.2).
func twinOf(h host) (host, bool) {
	switch {
	case h.kind == hostIPv4 || h.kind == hostLooseIPv4:
		ip, err := netip.ParseAddr(h.text)
		if err != nil {
			return host{}, false
		}
		return host{"[" + formatIPv6(netip.AddrFrom16(ip.As16())) + "]", hostIPv6}, true
	case h.kind == hostIPv6 && strings.HasPrefix(h.text, "[::ffff:"):
		ip, err := netip.ParseAddr(h.text[1 : len(h.text)-1])
		return host{ip.Unmap().String(), hostIPv4}, err == nil && ip.Is4In6()
	}
	return host{}, false
}

// withoutSigns returns the host without the signs behind its name that no public name has, such
// as the comma of https://example.com, and reports whether there are any.
func withoutSigns(h host) (host, bool) {
	if h.kind != hostDomain || plainInHost[h.text[len(h.text)-1]] {
		return host{}, false
	}
	end := len(h.text)
	for end > 0 && (!plainInHost[h.text[end-1]] || h.text[end-1] == '.') {
		end--
	}
	named, reason := parseHost(h.text[:end])
	return named, reason == "" && checkPageHost(named) == ""
}
