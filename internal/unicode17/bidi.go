package unicode17

import (
	"slices"

	"github.com/apguard/apguard/internal/unicode17/layout"
)

func bidiOf(r rune) layout.Bidi {
	_, bidi, _, _ := propertiesOf(r)
	return bidi
}

// isRightToLeft reports whether a label has characters that make its domain a Bidi domain name
// (RFC 5893, section 1.4).
func isRightToLeft(label string) bool {
	for _, r := range label {
		if isOneOf(bidiOf(r), layout.BidiR, layout.BidiAL, layout.BidiAN) {
			return true
		}
	}
	return false
}

// obeysBidiRule reports whether a label of a Bidi domain name obeys the rule of RFC 5893, section 2.
func obeysBidiRule(label string) bool {
	var first, last layout.Bidi
	seen := make(map[layout.Bidi]bool)
	for i, r := range label {
		bidi := bidiOf(r)
		if i == 0 {
			first = bidi
		}
		if bidi != layout.BidiNSM {
			last = bidi
		}
		seen[bidi] = true
	}
	if label == "" {
		return true
	}
	if seen[layout.BidiNone] {
		return false
	}
	if first == layout.BidiL {
		return isOneOf(last, layout.BidiL, layout.BidiEN) && !seen[layout.BidiR] && !seen[layout.BidiAL] && !seen[layout.BidiAN]
	}
	return isOneOf(first, layout.BidiR, layout.BidiAL) && isOneOf(last, layout.BidiR, layout.BidiAL, layout.BidiEN, layout.BidiAN) &&
		!seen[layout.BidiL] && (!seen[layout.BidiEN] || !seen[layout.BidiAN])
}

func isOneOf(bidi layout.Bidi, classes ...layout.Bidi) bool { return slices.Contains(classes, bidi) }
