package unicode17

import (
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/apguard/apguard/internal/unicode17/layout"
)

// The composition of Hangul syllables (Unicode Standard, section 3.12).
const (
	hangulBase  = 0xac00
	leadBase    = 0x1100
	vowelBase   = 0x1161
	tailBase    = 0x11a7
	leads       = 19
	vowels      = 21
	tails       = 28
	hangulCount = leads * vowels * tails
)

// firstComposed is the first character that normalization changes, or that combines with others.
const firstComposed = 0xc0

// NFC returns the text in Normalization Form C (UAX #15). Invalid UTF-8 becomes U+FFFD. Its cost is
// that of sorting the marks of each character.
func NFC(text string) string {
	if isBelow(text, firstComposed) {
		return text
	}
	return string(compose(decompose(text)))
}

// isBelow reports whether a text has only characters below a limit.
func isBelow(text string, limit rune) bool {
	for _, r := range text {
		if r >= limit {
			return false
		}
	}
	return true
}

// decomposed is a character with its canonical combining class.
type decomposed struct {
	r     rune
	class int
}

// decompose returns the full canonical decomposition of a text, with marks in canonical order.
func decompose(text string) []decomposed {
	runes := make([]decomposed, 0, len(text))
	add := func(r rune) {
		class := 0
		if r >= utf8.RuneSelf {
			_, _, _, class = propertiesOf(r)
		}
		runes = append(runes, decomposed{r, class})
	}
	for _, r := range text {
		switch first, value := recordOf(decompositionRecords, r); {
		case hangulBase <= r && r < hangulBase+hangulCount:
			syllable := r - hangulBase
			add(leadBase + syllable/(vowels*tails))
			add(vowelBase + syllable%(vowels*tails)/tails)
			if tail := syllable % tails; tail > 0 {
				add(tailBase + tail)
			}
		case first == r:
			parts, _ := layout.CutText(decompositionTexts, value)
			for _, part := range parts {
				add(part)
			}
		default:
			add(r)
		}
	}
	for start := 0; start < len(runes); start++ {
		end := start
		for end < len(runes) && runes[end].class != 0 {
			end++
		}
		slices.SortStableFunc(runes[start:end], func(a, b decomposed) int { return a.class - b.class })
		start = max(start, end-1)
	}
	return runes
}

// compose composes the characters of a decomposed text.
func compose(runes []decomposed) []rune {
	composed := make([]rune, 0, len(runes))
	starter := -1 // the position of the last character with class 0
	before := 0   // the class of the character before, or -1 if there is none behind the starter
	for _, one := range runes {
		if starter >= 0 && (before < one.class || before == -1) {
			if r, ok := composePair(composed[starter], one.r); ok {
				composed[starter] = r
				continue
			}
		}
		before = one.class
		if one.class == 0 {
			starter, before = len(composed), -1
		}
		composed = append(composed, one.r)
	}
	return composed
}

// composePair returns the primary composite of two characters.
func composePair(a, b rune) (rune, bool) {
	switch lead, vowel, tail := a-leadBase, b-vowelBase, b-tailBase; {
	case 0 <= lead && lead < leads && 0 <= vowel && vowel < vowels:
		return hangulBase + (lead*vowels+vowel)*tails, true
	case hangulBase <= a && a < hangulBase+hangulCount && (a-hangulBase)%tails == 0 && 0 < tail && tail < tails:
		return a + tail, true
	}
	const size = 3 * layout.Size
	pair := func(i int) (rune, rune) {
		return rune(number(compositionRecords, i*size)), rune(number(compositionRecords, i*size+layout.Size)) //nolint:gosec // three bytes
	}
	count := len(compositionRecords) / size
	i := sort.Search(count, func(i int) bool {
		first, second := pair(i)
		return first > a || first == a && second >= b
	})
	if i == count {
		return 0, false
	}
	first, second := pair(i)
	return rune(number(compositionRecords, i*size+2*layout.Size)), first == a && second == b //nolint:gosec // three bytes
}

// IsStreamSafe reports whether a text has no more than 30 marks in a row, decomposed, as in the
// Stream-Safe Text Format (UAX #15, section 13). No name in a living language has more.
func IsStreamSafe(text string) bool {
	const most = 30
	run := 0
	for _, one := range decompose(text) {
		if run++; one.class == 0 {
			run = 0
		}
		if run > most {
			return false
		}
	}
	return true
}
