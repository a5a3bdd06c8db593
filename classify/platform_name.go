package classify

import (
	"strings"
	"unicode/utf8"

	"github.com/apguard/apguard/internal/unicode17"
)

// maxName is the length in bytes of the longest name before normalization: 100
// characters, each of which NFC may compose from four.
const maxName = 100 * 4 * utf8.UTFMax

// foldName returns the form in which names of any script are compared: NFC and lower
// case. It reports false for a name that is too long or has more than 30 marks in a row.
func foldName(name string) (string, bool) {
	if len(name) > maxName || !unicode17.IsStreamSafe(name) {
		return "", false
	}
	return unicode17.NFC(unicode17.ToLower(unicode17.NFC(name))), true
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
		if !unicode17.IsLetter(r) && !strings.ContainsRune(signs, r) {
			return false
		}
	}
	return true
}
