package unicode17

import "github.com/apguard/apguard/internal/unicode17/layout"

// LooksLike returns the lower-case ASCII letters, digits or hyphens that a character of a mapped
// domain looks like, by the prototypes of UTS #39. It reports false for a character without such
// a prototype, for one that is written from right to left, and for ASCII.
//
// A small capital looks like its letter, though UTS #39 tells them apart. So the Cyrillic letter т
// looks like t.
func LooksLike(r rune) (string, bool) {
	first, value := recordOf(lookAlikeRecords, r)
	if first != r {
		return "", false
	}
	return layout.CutText(lookAlikeTexts, value)
}
