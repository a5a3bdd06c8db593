package classify

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// precheck returns the reason to refuse the trimmed text before any rule, or "".
func precheck(text string) Reason {
	switch {
	case text == "":
		return ReasonEmpty
	case len(text) > MaxContent:
		return ReasonTooLong
	case !utf8.ValidString(text):
		return ReasonEncoding
	case isTelephoneNumber(text):
		return ReasonTelephone
	case hasForbidden(text):
		return ReasonForbiddenCharacter
	}
	return ""
}

// isTelephoneNumber reports whether the text is a telephone number in international
// form: a + and 5 to 15 digits, with or without separators.
func isTelephoneNumber(text string) bool {
	number, ok := strings.CutPrefix(text, "+")
	digits := 0
	for i := range len(number) {
		switch {
		case isDigit(number[i]):
			digits++
		case strings.IndexByte(" -.()/", number[i]) < 0:
			return false
		}
	}
	return ok && 5 <= digits && digits <= 15
}

// isDefanged reports whether the text before the first slash is disarmed for display:
// with hxxp for http, or with a bracket before a dot, a colon or an @. A bracket at the
// beginning belongs to an IPv6 address instead.
func isDefanged(authority string) bool {
	if scheme, _, ok := strings.Cut(authority, ":"); ok && isDefangedScheme(scheme) {
		return true
	}
	for i := 1; i < len(authority); i++ {
		if c := authority[i]; (c == '[' || c == '(') && startsDefanged(authority[i+1:]) {
			return true
		}
	}
	return false
}

// startsDefanged reports whether the text after a bracket is a disarmed sign.
func startsDefanged(text string) bool {
	for _, sign := range [...]string{".", "@", ":]", ":)", "dot]", "dot)", "at]", "at)"} {
		if len(text) >= len(sign) && strings.EqualFold(text[:len(sign)], sign) {
			return true
		}
	}
	return text == ":" // of ://
}

func isDefangedScheme(scheme string) bool {
	return strings.EqualFold(scheme, "hxxp") || strings.EqualFold(scheme, "hxxps")
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

// isForbidden reports whether no content may contain r. Such characters are invisible
// and make a text look like another one. Other invisible characters, such as U+200B,
// need no ban: the mapping of hosts drops or refuses them, and percent-encoding makes
// them visible in a path.
func isForbidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7f
	}
	return unicode.IsControl(r) || unicode.IsSpace(r) ||
		r == '\ufeff' || // byte order mark
		r == '\u200e' || r == '\u200f' || // bidirectional marks
		'\u202a' <= r && r <= '\u202e' || // embeddings and overrides
		'\u2066' <= r && r <= '\u2069' // isolates
}
