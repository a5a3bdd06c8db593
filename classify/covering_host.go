package classify

import (
	"net/netip"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/suffix"
)

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
