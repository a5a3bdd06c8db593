package phishlist

import (
	"bytes"
	"net/netip"
	"strings"
	"unicode/utf8"

	"github.com/apguard/apguard/classify"
)

// noHost are the characters of ASCII that no host has (WHATWG URL Standard, forbidden
// domain code points), but for control characters.
const noHost = " #%/:<>?@[\\]^|\x7f"

// whyNoHost returns why the text can be no host, or "".
func whyNoHost(text []byte) string {
	switch {
	case len(text) == 0:
		return "is empty"
	case len(text) > maxHost:
		return "is longer than a host can be"
	case text[0] == '[':
		if !isBracketedIPv6(text) {
			return "is no IPv6 address in brackets"
		}
	case bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' || strings.ContainsRune(noHost, r) }):
		return "has a character that no host has"
	}
	return ""
}

// isBracketedIPv6 reports whether the text is an IPv6 address as links have it, in any
// notation.
func isBracketedIPv6(text []byte) bool {
	inner, closed := bytes.CutSuffix(text[1:], []byte("]"))
	ip, err := netip.ParseAddr(string(inner))
	return closed && err == nil && ip.Is6() && ip.Zone() == ""
}

// isCanonical reports whether a host is written as [classify.Host] writes the hosts of
// assets, without empty labels or a star, which such a host has only by mistake.
func isCanonical(host []byte) bool {
	if isPlain(host) {
		return true
	}
	if isOdd(host) {
		return false
	}
	const scheme = "https://"
	result, err := classify.Classify(scheme + string(host))
	// Of a link without a path nothing but the host is left, and the scheme of a URL.
	return err == nil && strings.TrimPrefix(result.Canonical, scheme) == string(host)
}

// isPlain reports whether the host is canonical at a glance, as nearly all are: of
// lower-case letters, digits and a few signs, in labels that are neither empty nor
// punycode, and of which the last does not begin with a digit.
func isPlain(host []byte) bool {
	start := 0 // of a label
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

// isOdd reports whether the host is not canonical at a glance, in a letter or a label.
func isOdd(host []byte) bool {
	return host[0] == '.' || host[len(host)-1] == '.' || bytes.Contains(host, []byte("..")) ||
		bytes.ContainsFunc(host, func(r rune) bool { return r == '*' || r >= utf8.RuneSelf || 'A' <= r && r <= 'Z' })
}
