package classify

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// readHost parses a host as [parseHost] does, and also the hosts that browsers accept and
// parseHost refuses. Those have the kind hostUnusable.
func readHost(text string) (host, Reason) {
	h, reason := parseHost(text)
	if reason == "" || strings.HasPrefix(text, "[") {
		return h, reason
	}
	decoded := decodePercent(text)
	if !utf8.ValidString(decoded) {
		return host{}, ReasonInvalidHost
	}
	// The host may be short enough without the characters that are ignored.
	domain := mapDomain(decoded)
	if h, reason := parseDomain(domain, text); reason == "" {
		return h, ""
	}
	return readUnusable(domain)
}

// mapDomain maps the characters of a domain as UTS #46 does. It decodes no punycode. Its
// cost is linear.
func mapDomain(domain string) string {
	if isASCII(domain) {
		return strings.ToLower(domain)
	}
	// The digit makes the library map the label without decoding it, and combines with no
	// mark.
	const mark = "0"
	labels := strings.Split(strings.Map(toDot, domain), ".")
	mapped, _ := idnaProfile.ToUnicode(mark + strings.Join(labels, "."+mark))
	labels = strings.Split(mapped, ".")
	for i := range labels {
		labels[i] = strings.TrimPrefix(labels[i], mark)
	}
	return strings.Join(labels, ".")
}

func toDot(r rune) rune {
	if isDot(r) {
		return '.'
	}
	return r
}

// readUnusable parses a mapped domain that no asset has. It validates the labels from the
// last one to the first one that is too long for DNS. No asset has a host with more labels,
// so the others change no cover.
func readUnusable(domain string) (host, Reason) {
	if domain == "" || hasForbiddenInDomain(domain) {
		return host{}, ReasonInvalidHost
	}
	if name := strings.TrimSuffix(domain, "."); name != "" && !strings.HasSuffix(name, ".") {
		domain = name
	}
	var (
		labels []string // in ASCII, the last one first
		size   int
		rest   = domain
		more   = true
	)
	for more && size <= maxDomain {
		dot := strings.LastIndexByte(rest, '.')
		label := rest[dot+1:]
		if utf8.RuneCountInString(label) > maxIDN || countNonASCII(label) > maxLetters || strings.Contains(label, inserted) {
			break
		}
		ascii, ok := readLabel(label)
		if !ok {
			return host{}, ReasonInvalidHost
		}
		labels = append(labels, ascii)
		size += len(ascii) + 1
		rest, more = rest[:max(0, dot)], dot >= 0
	}
	if more {
		labels = append(labels, percentEncode(rest))
	}
	slices.Reverse(labels)
	text := strings.Join(labels, ".")
	if endsInNumber(text) {
		return host{}, ReasonInvalidHost
	}
	return host{text, hostUnusable}, ""
}

// readLabel returns the ASCII form of a mapped label. It accepts more than [domainToASCII],
// because browsers differ in two rules: that of directions (RFC 5893), and that punycode must
// not stand for ASCII alone, as in xn--evil-.
func readLabel(label string) (string, bool) {
	ascii, ok := toASCII(anyDirectionProfile, label)
	if basic, found := strings.CutPrefix(label, punycodePrefix); !ok && found && len(basic) > 1 && basic[len(basic)-1] == '-' {
		return label, isASCII(label)
	}
	return ascii, ok
}

// inserted is the character that the library inserts after 30 marks, and that no other mapped
// label contains. No registered label has as many marks.
const inserted = "\u034f"

// hasForbiddenInDomain reports whether a domain has a forbidden domain code point.
func hasForbiddenInDomain(domain string) bool {
	for i := range len(domain) {
		if c := domain[i]; c < utf8.RuneSelf && !inDomain[c] {
			return true
		}
	}
	return false
}
