package unicode17

import (
	"strings"
	"unicode/utf8"

	"github.com/apguard/apguard/internal/unicode17/layout"
)

const acePrefix = "xn--"

// MapDomain maps the characters of a domain as UTS #46 prescribes for the non-transitional
// processing, and returns it in NFC. Dots of other scripts become ASCII dots. A character that is
// not permitted stays, and so does punycode. Invalid UTF-8 becomes U+FFFD, which is not permitted.
// The cost is linear, apart from the order of marks.
func MapDomain(domain string) string {
	var b strings.Builder
	b.Grow(len(domain))
	for _, r := range domain {
		switch _, value := recordOf(idnaRecords, r); value {
		case layout.Valid, layout.Disallowed:
			b.WriteRune(r)
		case layout.Ignored:
		default:
			text, _ := layout.CutText(idnaTexts, value)
			b.WriteString(text)
		}
	}
	return NFC(b.String())
}

// Directions says whether labels must obey the rule of RFC 5893 for characters from right to left.
type Directions bool

// The two ways to treat directions.
const (
	CheckDirections Directions = true
	AnyDirections   Directions = false
)

// EncodeDomain returns a mapped domain in ASCII: it validates each label, and encodes those with
// other characters as punycode. The criteria are those of UTS #46 with the flags of the WHATWG URL
// Standard: hyphens, the length and the signs of ASCII are not checked, but joiners are.
//
// The cost is quadratic in the length of a label. Callers must bound it.
func EncodeDomain(mapped string, directions Directions) (string, bool) {
	labels := strings.Split(mapped, ".")
	decoded := make([]string, len(labels))
	isBidi := false
	for i, label := range labels {
		var ok bool
		if decoded[i], ok = DecodeLabel(label); !ok {
			return "", false
		}
		isBidi = isBidi || isRightToLeft(decoded[i])
	}
	for i, label := range decoded {
		if isBidi && directions == CheckDirections && !obeysBidiRule(label) {
			return "", false
		}
		if !isASCII(label) && !strings.HasPrefix(labels[i], acePrefix) {
			labels[i] = acePrefix + encodePunycode(label)
		}
	}
	return strings.Join(labels, "."), true
}

// DecodeLabel decodes the punycode of a label in lower case, and validates the label as
// [EncodeDomain] does. Its cost is quadratic in the length. Callers must bound it.
func DecodeLabel(label string) (string, bool) {
	encoded, isEncoded := strings.CutPrefix(label, acePrefix)
	if !isEncoded {
		return label, isASCII(label) || isValidLabel(label)
	}
	if !isASCII(encoded) {
		return "", false
	}
	decoded, ok := decodePunycode(encoded)
	// A label of ASCII alone needs no punycode. Another text may decode to the same label.
	if !ok || isASCII(decoded) || encodePunycode(decoded) != encoded {
		return "", false
	}
	return decoded, NFC(decoded) == decoded && isValidLabel(decoded)
}

// isValidLabel reports whether a label in NFC meets the criteria of UTS #46, section 4.1.
func isValidLabel(label string) bool {
	first, _ := utf8.DecodeRuneInString(label)
	if category, _, _, _ := propertiesOf(first); category == layout.Mark {
		return false
	}
	for _, r := range label {
		if _, value := recordOf(idnaRecords, r); value != layout.Valid {
			return false
		}
	}
	return !strings.HasPrefix(label, acePrefix) && hasValidJoiners(label)
}

func isASCII(text string) bool { return isBelow(text, utf8.RuneSelf) }
