package unicode17

import (
	"strings"

	"github.com/apguard/apguard/internal/unicode17/layout"
)

const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
	// virama is the canonical combining class of viramas.
	virama = 9
)

// hasValidJoiners reports whether a label has joiners only where they change how it looks (RFC 5892,
// appendix A.1 and A.2): after a virama, and the non-joiner also between letters that join.
func hasValidJoiners(label string) bool {
	if !strings.ContainsAny(label, string([]rune{nonJoiner, joiner})) {
		return true
	}
	runes := []rune(label)
	for i, r := range runes {
		if r != nonJoiner && r != joiner || i > 0 && classOf(runes[i-1]) == virama {
			continue
		}
		if r == joiner || !joinsBefore(runes[:i]) || !joinsAfter(runes[i+1:]) {
			return false
		}
	}
	return true
}

// joinsBefore reports whether the last letter of a text joins the next one.
func joinsBefore(runes []rune) bool {
	for i := len(runes) - 1; i >= 0; i-- {
		switch joiningOf(runes[i]) {
		case layout.JoinsTransparent:
		case layout.JoinsLeft, layout.JoinsDual:
			return true
		default:
			return false
		}
	}
	return false
}

// joinsAfter reports whether the first letter of a text joins the one before.
func joinsAfter(runes []rune) bool {
	for _, r := range runes {
		switch joiningOf(r) {
		case layout.JoinsTransparent:
		case layout.JoinsRight, layout.JoinsDual:
			return true
		default:
			return false
		}
	}
	return false
}

func classOf(r rune) int {
	_, _, _, class := propertiesOf(r)
	return class
}

func joiningOf(r rune) layout.Joining {
	_, _, joining, _ := propertiesOf(r)
	return joining
}
