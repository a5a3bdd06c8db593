package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/asset"
)

// object is the source of the fields in a JSON object. A field that is null is
// absent.
type object map[string]jsontext.Value

// parseBody reads a body, which must be one JSON object and nothing else, and
// keeps the fields with the given names. The whole body is checked, also what is
// not kept: its grammar, its UTF-8, and that no object has a name twice.
//
// The error is an [*asset.InputError].
func parseBody(body []byte, names ...string) (object, error) {
	if !utf8.Valid(body) {
		return nil, malformed("", "the body must be UTF-8")
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(body))
	whole, err := decoder.ReadValue()
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF):
		return nil, malformed("", "the body must be a JSON object, but is empty")
	case errors.As(err, &syntax):
		return nil, syntaxFault(syntax)
	case whole.Kind() != jsontext.KindBeginObject:
		return nil, malformed("", "the body must be a JSON object")
	}
	// The value is good until the decoder reads on.
	end := decoder.InputOffset()
	whole = body[end-int64(len(whole)) : end]
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, malformed("", "the body must end with the JSON object")
	}
	return parseObject(whole, names...), nil
}

// parseObject returns those members of a valid JSON object that have one of the
// names.
func parseObject(text jsontext.Value, names ...string) object {
	members := make(object, len(names))
	decoder := readAgain(text)
	for decoder.PeekKind() == jsontext.KindString {
		token, _ := decoder.ReadToken()
		name := token.String()
		if !slices.Contains(names, name) {
			_ = decoder.SkipValue()
			continue
		}
		members[name] = nextValue(decoder, text)
	}
	return members
}

// elements yields the elements of a valid JSON array.
func elements(text jsontext.Value) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		decoder := readAgain(text)
		for decoder.PeekKind() != jsontext.KindEndArray {
			if !yield(nextValue(decoder, text)) {
				return
			}
		}
	}
}

// readAgain returns a decoder within an object or array that is known to be
// valid, so that its errors need no look and nothing is checked a second time.
func readAgain(text jsontext.Value) *jsontext.Decoder {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	_, _ = decoder.ReadToken()
	return decoder
}

// nextValue reads a value as a part of the text, which stays good when the
// decoder reads on.
func nextValue(decoder *jsontext.Decoder, text jsontext.Value) jsontext.Value {
	next, _ := decoder.ReadValue()
	end := decoder.InputOffset()
	return text[end-int64(len(next)) : end]
}

func (o object) one(name string) (value, error) {
	return valueOf(o[name]), nil
}

func (o object) many(name string) (iter.Seq[value], error) {
	list := o[name]
	switch list.Kind() {
	case jsontext.KindInvalid, jsontext.KindNull:
		return func(func(value) bool) {}, nil
	case jsontext.KindBeginArray:
		return func(yield func(value) bool) {
			for element := range elements(list) {
				if !yield(valueOf(element)) {
					return
				}
			}
		}, nil
	default:
		return nil, errors.New("must be an array")
	}
}

// valueOf returns what a valid JSON text stands for. Objects and arrays have a
// kind and no text.
func valueOf(text jsontext.Value) value {
	switch kind := text.Kind(); kind {
	case jsontext.KindInvalid, jsontext.KindNull:
		return value{}
	case jsontext.KindString:
		unquoted, _ := jsontext.AppendUnquote(nil, text)
		return value{kind, string(unquoted)}
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		return value{kind: kind}
	default:
		return value{kind, string(text)}
	}
}

// syntaxFault tells where a body stops being what it must be.
func syntaxFault(fault *jsontext.SyntacticError) error {
	field := fieldAt(fault.JSONPointer)
	switch {
	case errors.Is(fault, jsontext.ErrDuplicateName):
		return malformed(field, "must not be given twice")
	case errors.Is(fault, io.ErrUnexpectedEOF):
		return malformed(field, "the JSON ends too early")
	default:
		return malformed(field, fmt.Sprintf("must be valid JSON; it is not at byte %d", fault.ByteOffset))
	}
}

// maxField bounds the name of a field that an issue repeats.
const maxField = 100

// fieldAt writes the place that a pointer names as issues do: "assets[3].name".
func fieldAt(pointer jsontext.Pointer) string {
	var field strings.Builder
	for token := range pointer.Tokens() {
		switch _, err := strconv.ParseUint(token, 10, 64); {
		case err == nil && field.Len() > 0:
			field.WriteString("[" + token + "]")
		case field.Len() > 0:
			field.WriteString("." + token)
		default:
			field.WriteString(token)
		}
		if field.Len() > maxField {
			return strings.ToValidUTF8(field.String()[:maxField], "") + "..."
		}
	}
	return field.String()
}

func malformed(field, message string) error {
	var issues asset.Issues
	issues.Add(field, message)
	return issues.Err()
}
