package classify

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	// maxName is the largest number of bytes of a name of 100 characters, which is
	// the most that any platform allows: NFC makes one of up to four.
	maxName = 100 * 4 * utf8.UTFMax
	// graphemeJoiner is an invisible mark.
	graphemeJoiner = "\u034f"
)

// foldName returns the form in which names of any script are compared: NFC and
// lower case. It reports false for what is too long to be a name, and for more than
// 30 marks in a row: the Stream-Safe Text Format (UAX #15), in which the library
// writes NFC, puts a grapheme joiner among them, and so gives a name that has one
// there and a name that has none the same form.
func foldName(name string) (string, bool) {
	if len(name) > maxName {
		return "", false
	}
	folded := norm.NFC.String(strings.ToLower(norm.NFC.String(name)))
	return folded, strings.Count(folded, graphemeJoiner) == strings.Count(name, graphemeJoiner)
}

// isName reports whether the name has from min to max characters, all of them
// letters, marks or digits of any script (categories L, M and N) or among the
// given signs. Bytes that are no UTF-8 read as U+FFFD, which is none of them.
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
