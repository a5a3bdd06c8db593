package report

import (
	"strings"
	"unicode"
)

// Fold returns text under Unicode's simple case folding: two texts that differ
// in letter case alone, in any script, have the same fold. Stores that search
// keep it beside the text, as databases disagree about letter case.
func Fold(text string) string {
	return strings.Map(foldRune, text)
}

// foldRune returns the smallest of the runes that equal r but for letter case.
func foldRune(r rune) rune {
	smallest := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		smallest = min(smallest, other)
	}
	return smallest
}
