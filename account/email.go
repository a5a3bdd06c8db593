package account

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// EmailKey returns the form in which e-mail addresses are compared: in lower case, without
// surrounding white space. A character outside of ASCII never equals one of ASCII: the long s
// and the Kelvin sign are not the letters that Unicode folds them to.
func EmailKey(email string) string {
	return strings.Map(lower, strings.TrimSpace(email))
}

func lower(r rune) rune {
	if l := unicode.ToLower(r); r < utf8.RuneSelf || l >= utf8.RuneSelf {
		return l
	}
	return r
}
