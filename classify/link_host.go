package classify

import (
	"fmt"
	"net/netip"
	"strings"
	"unicode/utf8"

	"github.com/apguard/apguard/internal/unicode17"
)

// host is the host of a link in its canonical form.
type host struct {
	text string
	kind hostKind
}

type hostKind int

const (
	// hostDomain is a name in lower-case ASCII without a trailing dot.
	hostDomain hostKind = iota
	// hostIPv4 is an IPv4 address written as four decimal parts.
	hostIPv4
	// hostLooseIPv4 is an IPv4 address in another notation, such as 0x7f.1.
	hostLooseIPv4
	// hostIPv6 is an IPv6 address in brackets.
	hostIPv6
	// hostUnusable is a name that browsers accept, but that is in no asset, because DNS
	// cannot represent it: with empty labels at its end, or with a label that is too long.
	// Only [CoveringOpened] reads such names.
	hostUnusable
)

// parseHost parses a host as the WHATWG URL Standard describes, and drops one trailing
// dot.
//
// The library's host parser reads -443 as an IP address, accepts [[::1], refuses a non-ASCII domain
// with a sign such as _, and depends on the tables of the version of Go.
func parseHost(text string) (host, Reason) {
	if strings.HasPrefix(text, "[") {
		return parseIPv6Host(text)
	}
	return parseDomain(decodePercent(text), text)
}

// parseDomain parses a decoded host that is not in brackets. The text is the host as it
// was written.
func parseDomain(decoded, text string) (host, Reason) {
	domain, ok := domainToASCII(decoded)
	if !ok {
		return host{}, ReasonInvalidHost
	}
	return parseASCIIDomain(domain, text)
}

// parseASCIIDomain parses a domain in lower-case ASCII. The text is the host as it was written.
func parseASCIIDomain(domain, text string) (host, Reason) {
	if inDomain.span(domain) < len(domain) {
		return host{}, ReasonInvalidHost
	}
	domain = strings.TrimSuffix(domain, ".")
	if domain == "" || strings.HasSuffix(domain, ".") {
		return host{}, ReasonInvalidHost
	}
	if !endsInNumber(domain) {
		return host{domain, hostDomain}, ""
	}
	ip, ok := parseIPv4(domain)
	if !ok {
		return host{}, ReasonInvalidHost
	}
	if strings.TrimSuffix(text, ".") != ip {
		return host{ip, hostLooseIPv4}, ""
	}
	return host{ip, hostIPv4}, ""
}

// maxIPv6 is the length of the longest IPv6 address, which ends in an IPv4 address.
const maxIPv6 = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

// parseIPv6Host parses a host that begins with a bracket.
func parseIPv6Host(text string) (host, Reason) {
	inner, ok := strings.CutSuffix(text[1:], "]")
	if !ok || len(inner) > maxIPv6 {
		return host{}, ReasonInvalidHost
	}
	ip, err := netip.ParseAddr(inner)
	if err != nil || ip.Is4() || ip.Zone() != "" {
		return host{}, ReasonInvalidHost
	}
	return host{"[" + formatIPv6(ip) + "]", hostIPv6}, ""
}

// formatIPv6 formats an IPv6 address as the WHATWG URL Standard does. Unlike RFC 5952,
// that has no IPv4 notation.
func formatIPv6(ip netip.Addr) string {
	if !ip.Is4In6() {
		return ip.String()
	}
	b := ip.As16()
	return fmt.Sprintf("::ffff:%x:%x", uint16(b[12])<<8|uint16(b[13]), uint16(b[14])<<8|uint16(b[15]))
}

// inDomain is ASCII without the forbidden domain code points of the WHATWG URL Standard.
var inDomain = visibleBut("#%/:<>?@[\\]^|")

const (
	punycodePrefix = "xn--"
	// dots are the label separators of UTS #46.
	dots = ".\u3002\uff0e\uff61"
	// maxIDN and maxLetters bound the cost of punycode, which is quadratic. maxIDN
	// limits the characters of a domain, and maxLetters the non-ASCII characters of a
	// label. No registered domain exceeds them: its length is at most maxDomain, and
	// punycode needs a digit for each such character.
	maxIDN     = 300
	maxLetters = maxLabel - len(punycodePrefix)
)

// domainToASCII returns the domain in lower-case ASCII, by the WHATWG URL Standard's
// algorithm of that name. A domain in ASCII is taken as it is, even if it has punycode that
// decodes to nothing. The function reports false if there is no such form, or if a non-ASCII
// domain is too long.
func domainToASCII(domain string) (string, bool) {
	switch {
	case isASCII(domain):
		return strings.ToLower(domain), true
	case !utf8.ValidString(domain), utf8.RuneCountInString(domain) > maxIDN:
		return "", false
	}
	mapped := unicode17.MapDomain(domain)
	for label := range strings.SplitSeq(mapped, ".") {
		if countNonASCII(label) > maxLetters {
			return "", false
		}
	}
	ascii, ok := unicode17.EncodeDomain(mapped, unicode17.CheckDirections)
	return ascii, ok && len(ascii) <= maxIDN
}

func isDot(r rune) bool { return strings.ContainsRune(dots, r) }

func countNonASCII(text string) int {
	n := 0
	for _, r := range text {
		if r >= utf8.RuneSelf {
			n++
		}
	}
	return n
}
