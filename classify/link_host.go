package classify

import (
	"fmt"
	"net/netip"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// host is the host of a link in its canonical form.
type host struct {
	text string
	kind hostKind
}

type hostKind int

const (
	// hostDomain is any name, in ASCII and lower case, without a trailing dot.
	hostDomain hostKind = iota
	// hostIPv4 was written as four decimal parts.
	hostIPv4
	// hostOddIPv4 was written in any other way, as 0x7f.1 for 127.0.0.1.
	hostOddIPv4
	// hostIPv6 stands in brackets.
	hostIPv6
)

// parseHost parses a host as the host parser of the WHATWG URL Standard does,
// and drops one trailing dot.
//
// The library's own host parser is not used, since it reads -443 as an IP address,
// takes [[::1] for [::1], turns xn--ü- into another domain, refuses a non-ASCII
// domain with a sign such as _ in it, and is slow to refuse.
func parseHost(text string) (host, Reason) {
	if strings.HasPrefix(text, "[") {
		return parseIPv6Host(text)
	}
	domain, ok := domainToASCII(percentDecode(text, func(byte) bool { return true }))
	if !ok || inDomain.span(domain) < len(domain) {
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
		return host{ip, hostOddIPv4}, ""
	}
	return host{ip, hostIPv4}, ""
}

// maxIPv6 is the length of the longest IPv6 address, which ends in an IPv4 one.
const maxIPv6 = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

// parseIPv6Host parses a host that begins with a bracket. What is too long is not
// looked at further.
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

// formatIPv6 writes an IPv6 address as the WHATWG URL Standard does, which knows no
// IPv4 notation inside. Nothing else is different from RFC 5952.
func formatIPv6(ip netip.Addr) string {
	if !ip.Is4In6() {
		return ip.String()
	}
	b := ip.As16()
	return fmt.Sprintf("::ffff:%x:%x", uint16(b[12])<<8|uint16(b[13]), uint16(b[14])<<8|uint16(b[15]))
}

// inDomain is ASCII without the forbidden domain code points of the WHATWG URL
// Standard.
var inDomain = visibleBut("#%/:<>?@[\\]^|")

// idnaProfile holds the options with which the WHATWG URL Standard turns a
// domain into ASCII (UTS #46).
var idnaProfile = idna.New(
	idna.MapForLookup(),
	idna.StrictDomainName(false),
	idna.CheckHyphens(false),
	idna.CheckJoiners(true),
	idna.BidiRule(),
	idna.Transitional(false),
	idna.VerifyDNSLength(false),
)

const (
	punycodePrefix = "xn--"
	// dots are the label separators of UTS #46.
	dots = ".\u3002\uff0e\uff61"
	// maxIDN is the largest number of characters that a domain to be converted may
	// have, and maxLetters that of non-ASCII ones in a label, since the cost of
	// punycode grows with their square. No domain name comes near the first (see
	// maxDomain) or has more of the second, as punycode needs a digit for each.
	maxIDN     = 300
	maxLetters = maxLabel - len(punycodePrefix)
)

// domainToASCII returns the domain in lower-case ASCII, as the WHATWG URL
// Standard's algorithm of that name does. It reports false for a domain that has
// no such form, and for a non-ASCII domain too long to exist.
func domainToASCII(domain string) (string, bool) {
	if isASCII(domain) && !hasPunycode(domain) {
		return strings.ToLower(domain), true
	}
	if !utf8.ValidString(domain) || utf8.RuneCountInString(domain) > maxIDN {
		return "", false
	}
	for _, label := range strings.FieldsFunc(domain, isDot) {
		if !isSoundLabel(label) {
			return "", false
		}
	}
	ascii, err := idnaProfile.ToASCII(domain)
	if err != nil {
		return "", false
	}
	// The library looks at directions before it maps letters, and so lets pass
	// what it cannot read back: U+2135, a symbol, becomes a Hebrew letter. Nor can
	// an ASCII form longer than maxIDN be read back.
	again, err := idnaProfile.ToASCII(ascii)
	return ascii, err == nil && again == ascii && len(ascii) <= maxIDN
}

func isDot(r rune) bool { return strings.ContainsRune(dots, r) }

func hasPunycode(domain string) bool {
	for label := range strings.SplitSeq(domain, ".") {
		if len(label) >= len(punycodePrefix) && strings.EqualFold(label[:len(punycodePrefix)], punycodePrefix) {
			return true
		}
	}
	return false
}

// isSoundLabel reports false for labels in punycode that UTS #46 refuses and the
// library lets through, which are those with a non-ASCII letter, or nothing, after
// xn--. It also does for labels too long to exist. Any other label is sound, as
// far as the library does not object.
func isSoundLabel(label string) bool {
	// With a letter before it, the library maps the label but does not decode it.
	mapped, _ := idnaProfile.ToUnicode("a" + label)
	if countNonASCII(mapped) > maxLetters {
		return false
	}
	encoded, ok := strings.CutPrefix(mapped, "a"+punycodePrefix)
	return !ok || encoded != "" && isASCII(encoded)
}

func countNonASCII(text string) int {
	n := 0
	for _, r := range text {
		if r >= utf8.RuneSelf {
			n++
		}
	}
	return n
}
