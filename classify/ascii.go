package classify

import (
	"strings"
	"unicode/utf8"
)

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isDigits(text string) bool {
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return true
}

func isHex(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isDigit(c) && (c|0x20 < 'a' || 'f' < c|0x20) {
			return false
		}
	}
	return true
}

// isASCIIName reports whether the text consists of ASCII letters, digits and the given
// signs. It may be empty.
func isASCIIName(text, signs string) bool {
	for i := range len(text) {
		if c := text[i]; !isLetter(c) && !isDigit(c) && strings.IndexByte(signs, c) < 0 {
			return false
		}
	}
	return true
}

// hasLength reports whether the text has min to max bytes.
func hasLength(text string, min, max int) bool {
	return min <= len(text) && len(text) <= max
}
