package lists

import (
	"net/netip"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// The maximum lengths of a domain name and a label in bytes (RFC 1035, section 2.3.4).
const (
	maxDomain = 253
	maxLabel  = 63
)

// hostKind is the kind of a host.
type hostKind int

const (
	domain hostKind = iota + 1
	// deepDomain has more labels than those that cover their subdomains.
	deepDomain
	ipv4
	ipv6
)

// hostOf returns the host of an asset that is nothing but a host, or why it is not.
func hostOf(one asset.Identity) (host string, kind hostKind, reason string) {
	host, port, rest := classify.SplitHost(one)
	switch {
	case one.Type == asset.TypeMedium && rest == "": // name.medium.com
	case one.Type != asset.TypePage && one.Type != asset.TypeURL:
		return "", 0, noHost
	case rest != "":
		return "", 0, hasPath
	case port != "":
		return "", 0, hasPort
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	switch {
	case err == nil && ip.Is4():
		return host, ipv4, ""
	case err == nil:
		return host, ipv6, ""
	case !isDomain(host):
		return "", 0, noDomain
	}
	switch classify.ScopeOf(host) {
	case classify.ScopeSpecialUse:
		return "", 0, specialUse
	case classify.ScopeSuffix:
		return "", 0, isSuffix
	case classify.ScopeSome:
		return host, deepDomain, ""
	default:
		return host, domain, ""
	}
}

// isDomain reports whether a host is a domain name in lower case, which needs no quoting in
// any format.
func isDomain(host string) bool {
	start := 0
	for i := range len(host) {
		switch c := host[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_':
		case c == '.' && 0 < i-start && i-start <= maxLabel:
			start = i + 1
		default:
			return false
		}
	}
	last := len(host) - start
	return 0 < last && last <= maxLabel && len(host) <= maxDomain
}
