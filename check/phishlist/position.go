package phishlist

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Keys in a position may have any length; these limits are in bytes.
const (
	maxStep = 64
	maxPath = 256
)

// position describes a position in the file, such as "byte 120 ([1].blocklist[4])". The
// offset is that after the value. A path that is too long ends in "...".
func position(offset int64, pointer jsontext.Pointer) string {
	var path strings.Builder
	for token := range pointer.Tokens() {
		step := stepOf(token)
		if path.Len() > 0 && step[0] != '[' {
			step = "." + step
		}
		if path.Len()+len(step) > maxPath {
			path.WriteString("...")
			break
		}
		path.WriteString(step)
	}
	if path.Len() == 0 {
		return fmt.Sprintf("byte %d", offset)
	}
	return fmt.Sprintf("byte %d (%s)", offset, path.String())
}

// stepOf returns an array index in brackets, or a key of at most maxStep bytes. A key
// that is not a plain word is quoted.
func stepOf(token string) string {
	if _, err := strconv.ParseUint(token, 10, 64); err == nil && len(token) <= maxStep {
		return "[" + token + "]"
	}
	end := min(len(token), maxStep)
	for end < len(token) && !utf8.RuneStart(token[end]) {
		end--
	}
	step := token[:end]
	if step == "" || strings.ContainsFunc(step, isNotWord) {
		step = strconv.Quote(step)
	}
	if end < len(token) {
		step += "..."
	}
	return step
}

// isNotWord reports whether r is neither an ASCII letter nor an underscore.
func isNotWord(r rune) bool { return r != '_' && (r|0x20 < 'a' || r|0x20 > 'z') }
