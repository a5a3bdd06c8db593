package classify

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// precheck returns why the trimmed text is refused before any rule sees it, or
// "" when it is not.
func precheck(text string) Reason {
	switch {
	case text == "":
		return ReasonEmpty
	case len(text) > MaxContent:
		return ReasonTooLong
	case !utf8.ValidString(text):
		return ReasonEncoding
	case hasForbidden(text):
		return ReasonForbiddenCharacter
	}
	return ""
}

func hasForbidden(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= utf8.RuneSelf:
			return strings.ContainsFunc(text[i:], isForbidden)
		case c <= ' ', c == 0x7f:
			return true
		}
	}
	return false
}

// isForbidden reports whether r may stand nowhere in a content. Such characters
// are invisible, and make a text look like another one. Other invisible ones, such
// as U+200B, U+2060 and U+00AD, need no ban: the mapping of hosts drops or refuses
// them, and in a path they stay, percent-encoded and so visible.
func isForbidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7f
	}
	switch {
	case unicode.IsControl(r), unicode.IsSpace(r):
		return true
	case r == '\ufeff': // byte order mark
		return true
	case r == '\u200e', r == '\u200f': // bidirectional marks
		return true
	case '\u202a' <= r && r <= '\u202e': // embeddings and overrides
		return true
	case '\u2066' <= r && r <= '\u2069': // isolates
		return true
	}
	return false
}
