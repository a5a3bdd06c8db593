package asset

import (
	"strings"
	"unicode/utf8"
)

// ValidText reports whether text can be stored: it must be valid UTF-8 without NUL.
func ValidText(text string) bool {
	return utf8.ValidString(text) && !strings.Contains(text, "\x00")
}
