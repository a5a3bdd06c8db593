package classify

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// foldName returns the form in which names of any script are compared: NFC and
// lower case.
func foldName(name string) string {
	return norm.NFC.String(strings.ToLower(norm.NFC.String(name)))
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
