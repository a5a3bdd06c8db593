package classify

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/apguard/apguard/internal/unicode17"
)

// readHost parses a host as [parseHost] does, and also the hosts that browsers accept and
// parseHost refuses. Those that no asset has are of the kind hostUnusable.
func readHost(text string) (host, Reason) {
	if h, reason := parseHost(text); reason == "" {
		return h, ""
	}
	decoded := decodePercent(text)
	if !utf8.ValidString(decoded) {
		return host{}, ReasonInvalidHost
	}
	read := readLabel
	domain := strings.ToLower(decoded)
	if isASCII(decoded) {
		read = takeLabel
	} else {
		// Chromium maps characters before it looks for an IP address, and decodes what they become.
		domain = unicode17.MapDomain(decoded)
		if isASCII(domain) {
			domain = strings.ToLower(decodePercent(domain))
		}
	}
	if strings.HasPrefix(domain, "[") {
		return parseIPv6Host(domain)
	}
	if !utf8.ValidString(domain) {
		return host{}, ReasonInvalidHost
	}
	if domain == "" || hasForbiddenInDomain(domain) {
		return host{}, ReasonInvalidHost
	}
	if name := strings.TrimSuffix(domain, "."); name != "" && !strings.HasSuffix(name, ".") {
		domain = name
	}
	ascii, rest, ok := readLabels(domain, read)
	if !ok {
		return host{}, ReasonInvalidHost
	}
	if rest == "" {
		if h, reason := parseASCIIDomain(ascii, text); reason == "" {
			return h, ""
		}
	} else {
		ascii = encodeNonASCII(rest) + "." + ascii
	}
	if endsInNumber(ascii) {
		return host{}, ReasonInvalidHost
	}
	return host{ascii, hostUnusable}, ""
}

// readLabels returns the labels of a mapped domain in ASCII. It reads them from the last one to the
// first one that has too many characters outside ASCII for DNS. No asset has a host with such a
// label, so the rest, which is not validated, changes no cover.
func readLabels(domain string, read func(label string) (string, bool)) (ascii, rest string, ok bool) {
	var labels []string // the last one first
	for rest, more := domain, true; more; {
		dot := strings.LastIndexByte(rest, '.')
		label := rest[dot+1:]
		if n := countNonASCII(label); n > maxLetters || n > 0 && len(label) > maxIDN*utf8.UTFMax {
			slices.Reverse(labels)
			return strings.Join(labels, "."), rest, true
		}
		encoded, ok := read(label)
		if !ok {
			return "", "", false
		}
		labels = append(labels, encoded)
		rest, more = rest[:max(0, dot)], dot >= 0
	}
	slices.Reverse(labels)
	return strings.Join(labels, "."), "", true
}

// readLabel returns the ASCII form of a mapped label. It accepts more than [domainToASCII],
// because browsers differ in two rules: that of directions (RFC 5893), and that punycode must
// not stand for ASCII alone, as in xn--evil-. Punycode that is too long to be decoded is taken as
// it is.
func readLabel(label string) (string, bool) {
	if len(label) > maxIDN && isASCII(label) {
		return label, true
	}
	ascii, ok := unicode17.EncodeDomain(label, unicode17.AnyDirections)
	if basic, found := strings.CutPrefix(label, punycodePrefix); !ok && found && len(basic) > 1 && basic[len(basic)-1] == '-' {
		return label, isASCII(label)
	}
	return ascii, ok
}

// takeLabel returns the label of a domain in ASCII, which is taken as it is.
func takeLabel(label string) (string, bool) { return label, true }

// hasForbiddenInDomain reports whether a domain has a forbidden domain code point.
func hasForbiddenInDomain(domain string) bool {
	for i := range len(domain) {
		if c := domain[i]; c < utf8.RuneSelf && !inDomain[c] {
			return true
		}
	}
	return false
}
