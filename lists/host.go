package lists

import (
	"net/netip"
	"strings"

	"github.com/apguard/apguard/asset"
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
	ipv4
	ipv6
)

// hostOf returns the host of an asset that is nothing but a host, or why it is not.
func hostOf(one asset.Listed) (host string, kind hostKind, reason string) {
	host = one.Canonical
	switch one.Type {
	case asset.TypePage:
	case asset.TypeURL:
		_, host, _ = strings.Cut(host, "://")
	case asset.TypeMedium:
		if strings.HasPrefix(host, "medium.com/") {
			return "", 0, noHost
		}
	default:
		return "", 0, noHost
	}
	if strings.ContainsAny(host, "/?#") {
		return "", 0, hasPath
	}
	if inner, isBracketed := strings.CutPrefix(host, "["); isBracketed {
		address, port, closed := strings.Cut(inner, "]")
		ip, err := netip.ParseAddr(address)
		switch {
		case port != "":
			return "", 0, hasPort
		case !closed || err != nil || !ip.Is6() || ip.Zone() != "":
			return "", 0, noDomain
		}
		return host, ipv6, ""
	}
	switch {
	case strings.Contains(host, ":"):
		return "", 0, hasPort
	case isIPv4(host):
		return host, ipv4, ""
	case !isDomain(host):
		return "", 0, noDomain
	}
	return host, domain, ""
}

func isIPv4(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" || last[0] < '0' || last[0] > '9' {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Is4()
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
