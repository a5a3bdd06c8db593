package request

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// anyElement is the step of a path to each element of an array. Any other step is a name.
const anyElement = "*"

// withoutMalformed returns a JSON text of the same length in which the strings at the path are
// valid. It overwrites those with a lone surrogate or invalid UTF-8, and nothing else. An empty
// path leads to no string.
//
// Malformed JSON ends the search. The decoder reports it at the same place of the result.
func withoutMalformed(text []byte, path []string) []byte {
	if len(path) == 0 || utf8.Valid(text) && !hasSurrogate(text) {
		return text
	}
	valid := slices.Clone(text)
	_ = overwriteMalformed(uncheckedDecoder(text), valid, path)
	return valid
}

// hasSurrogate reports whether a text may have an escape of a surrogate.
func hasSurrogate(text []byte) bool {
	return bytes.Contains(text, []byte(`\ud`)) || bytes.Contains(text, []byte(`\uD`))
}

// overwriteMalformed overwrites the malformed strings at the path in the next value of the decoder.
func overwriteMalformed(decoder *jsontext.Decoder, text []byte, path []string) error {
	kind := decoder.PeekKind()
	switch {
	case len(path) == 0:
		literal, err := nextValue(decoder, text)
		if err == nil && kind == jsontext.KindString && !literal.IsValid() {
			quoted := literal[1 : len(literal)-1]
			copy(quoted, bytes.Repeat([]byte{' '}, len(quoted)))
		}
		return err
	case kind == jsontext.KindBeginArray && path[0] == anyElement:
		return eachMember(decoder, func() error { return overwriteMalformed(decoder, text, path[1:]) })
	case kind == jsontext.KindBeginObject && path[0] != anyElement:
		return eachMember(decoder, func() error {
			switch name, err := decoder.ReadToken(); {
			case err != nil:
				return err
			case name.String() == path[0]:
				return overwriteMalformed(decoder, text, path[1:])
			default:
				return decoder.SkipValue()
			}
		})
	default:
		return decoder.SkipValue()
	}
}

// eachMember calls read for each member of the next value, an object or array.
func eachMember(decoder *jsontext.Decoder, read func() error) error {
	if _, err := decoder.ReadToken(); err != nil {
		return err
	}
	for {
		switch decoder.PeekKind() {
		case jsontext.KindEndObject, jsontext.KindEndArray, jsontext.KindInvalid:
			_, err := decoder.ReadToken()
			return err
		default:
			if err := read(); err != nil {
				return err
			}
		}
	}
}

// unquote returns the text of a JSON string. If that is malformed, the text is invalid UTF-8.
func unquote(literal jsontext.Value) string {
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1])
	}
	unquoted, err := jsontext.AppendUnquote(nil, literal)
	if err != nil {
		// The decoder has put a valid character in place of each lone surrogate.
		return strings.ReplaceAll(string(unquoted), string(utf8.RuneError), "\xff")
	}
	return string(unquoted)
}

// ReadableContent returns a content of a batch as a response shows it: with U+FFFD in place of
// invalid UTF-8, which a malformed content has.
func ReadableContent(content string) string {
	return strings.ToValidUTF8(content, string(utf8.RuneError))
}
