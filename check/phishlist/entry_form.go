package phishlist

import (
	"bytes"
	"net/netip"
	"strings"
	"unicode/utf8"

	"github.com/apguard/apguard/classify"
)

// forbidden are the ASCII characters that no host contains, besides control characters
// (WHATWG URL Standard, forbidden domain code points).
const forbidden = " #%/:<>?@[\\]^|\x7f"

// whyInvalid returns why an entry is not a host, or "".
func whyInvalid(entry []byte) string {
	switch {
	case len(entry) == 0:
		return "is empty"
	case len(entry) > maxHost:
		return "is longer than 253 bytes"
	case entry[0] == '[':
		if !isBracketedIPv6(entry) {
			return "is not an IPv6 address in brackets"
		}
	case bytes.ContainsFunc(entry, func(r rune) bool { return r < ' ' || strings.ContainsRune(forbidden, r) }):
		return "contains a character that is not allowed in a host"
	}
	return ""
}

// isBracketedIPv6 reports whether an entry is an IPv6 address in brackets, in any
// notation, without a zone.
func isBracketedIPv6(entry []byte) bool {
	inner, closed := bytes.CutSuffix(entry[1:], []byte("]"))
	ip, err := netip.ParseAddr(string(inner))
	return closed && err == nil && ip.Is6() && ip.Zone() == ""
}

// isCanonical reports whether a host is in the canonical form of [classify.Host]. Hosts
// with empty labels or a star are reported as not canonical, because they are mistakes.
func isCanonical(host []byte) bool {
	if isPlain(host) {
		return true
	}
	if isOdd(host) {
		return false
	}
	const scheme = "https://"
	result, err := classify.Classify(scheme + string(host))
	// The canonical form of a URL without a path is the scheme and the host. For some
	// platforms it is the host alone.
	return err == nil && strings.TrimPrefix(result.Canonical, scheme) == string(host)
}

// isPlain reports whether a host is obviously canonical, as most are. Its labels consist
// of a-z, 0-9, "-" and "_", none is empty or punycode, and the last one does not begin
// with a digit.
func isPlain(host []byte) bool {
	start := 0 // of the current label
	for i, c := range host {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_':
		case c == '.' && i > start && !bytes.HasPrefix(host[start:], punycode):
			start = i + 1
		default:
			return false
		}
	}
	last := host[start:]
	return len(last) > 0 && (last[0] < '0' || last[0] > '9') && !bytes.HasPrefix(last, punycode)
}

var punycode = []byte("xn--")

// isOdd reports whether a host obviously is not canonical: it has an empty label, a
// star, an uppercase letter or a letter beyond ASCII.
func isOdd(host []byte) bool {
	return host[0] == '.' || host[len(host)-1] == '.' || bytes.Contains(host, []byte("..")) ||
		bytes.ContainsFunc(host, func(r rune) bool { return r == '*' || r >= utf8.RuneSelf || 'A' <= r && r <= 'Z' })
}
