package phishlist

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/asset"
)

// ErrTooLarge is that a file is larger than the limit. The [*asset.InputError] that
// says so matches it.
var ErrTooLarge = errors.New("the list is too large")

// toleranceMessage tells what a tolerance can be.
func toleranceMessage() string {
	return fmt.Sprintf("must be a whole number from 0 to %d", MaxTolerance)
}

// wrong returns the error that what was read last is wrong.
func (l *loader) wrong(message string) error {
	var issues asset.Issues
	issues.Add(l.place(), message)
	return issues.Err()
}

// refuse reads the next value or bracket, which must be something else, and returns
// the error that it is wrong. If it is no JSON, that is the error.
func (l *loader) refuse(message string) error {
	if _, err := l.decoder.ReadToken(); err != nil {
		return err
	}
	return l.wrong(message)
}

// place returns where the decoder is.
func (l *loader) place() string {
	return place(l.decoder.InputOffset()+l.input.skipped, l.decoder.StackPointer())
}

// What a place tells of the names of keys, in bytes, which may be of any length.
const (
	maxStep = 64
	maxPath = 256
)

// place names a place in the file, such as "byte 120 ([1].blocklist[4])". The byte is
// that after the value. The path ends in three dots where it would be too long.
func place(offset int64, pointer jsontext.Pointer) string {
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

// stepOf returns the number of an element in brackets, or the name of a key: as it is
// if it is a word, and else in quotes, without what is beyond maxStep.
func stepOf(token string) string {
	if _, err := strconv.ParseUint(token, 10, 64); err == nil && len(token) <= maxStep {
		return "[" + token + "]"
	}
	end := min(len(token), maxStep)
	for end < len(token) && !utf8.RuneStart(token[end]) {
		end--
	}
	step := token[:end]
	if step == "" || strings.ContainsFunc(step, isNoLetter) {
		step = strconv.Quote(step)
	}
	if end < len(token) {
		step += "..."
	}
	return step
}

func isNoLetter(r rune) bool { return r != '_' && (r|0x20 < 'a' || r|0x20 > 'z') }
