package classify

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	// maxName is the length in bytes of the longest name before normalization: 100
	// characters, each of which NFC may compose from four.
	maxName = 100 * 4 * utf8.UTFMax
	// graphemeJoiner is an invisible mark.
	graphemeJoiner = "\u034f"
)

// foldName returns the form in which names of any script are compared: NFC and lower
// case.
//
// It reports false for a name that is too long or has more than 30 marks in a row. In
// the latter the library inserts grapheme joiners (Stream-Safe Text Format, UAX #15), so
// that different names would have one form.
func foldName(name string) (string, bool) {
	if len(name) > maxName {
		return "", false
	}
	folded := norm.NFC.String(strings.ToLower(norm.NFC.String(name)))
	return folded, strings.Count(folded, graphemeJoiner) == strings.Count(name, graphemeJoiner)
}

// isName reports whether the name has min to max characters, each of them a letter, mark
// or number of any script or one of the given signs. Invalid UTF-8 decodes to U+FFFD,
// which is none of these.
func isName(name string, min, max int, signs string) bool {
	n := utf8.RuneCountInString(name)
	if n < min || max < n {
		return false
	}
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !strings.ContainsRune(signs, r) {
			return false
		}
	}
	return true
}
