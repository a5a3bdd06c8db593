package asset

import (
	"strings"
	"unicode"
)

// FoldCase returns a form of the text that is the same for all texts that differ only in
// letter case, in any script. Letters that are equal under Unicode's simple case folding
// are replaced by the one with the smallest code point. Stores store the result together with the
// text that they search, because databases differ in how they ignore letter case.
func FoldCase(text string) string {
	return strings.Map(foldRune, text)
}

// foldRune returns the smallest of the runes that differ from r only in letter case.
func foldRune(r rune) rune {
	smallest := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		smallest = min(smallest, other)
	}
	return smallest
}
