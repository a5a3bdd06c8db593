package request

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/asset"
)

// object holds members of a JSON object. It is a source of fields.
type object []member

type member struct {
	name  string
	value jsontext.Value
}

// value returns the value of the member with the name, or nil.
func (o object) value(name string) jsontext.Value {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// decodeBody decodes a body that consists of one JSON object, and returns the members that are
// fields, and the issues of other names. It checks the whole body, except the contents of a batch:
// syntax, UTF-8 and duplicate names. The error is an [*asset.InputError].
func decodeBody(body []byte, rule nameRule) (object, asset.Issues, error) {
	checked := withoutMalformed(body, rule.contents)
	if !utf8.Valid(checked) {
		return nil, nil, inputError("", "the body must be UTF-8")
	}
	if tooManyNames(body, MaxNames) {
		return nil, nil, inputError("", fmt.Sprintf("an object must have at most %d names", MaxNames))
	}
	var (
		members object
		issues  asset.Issues
		err     error
		syntax  *jsontext.SyntacticError
	)
	decoder := jsontext.NewDecoder(bytes.NewBuffer(checked))
	isObject := decoder.PeekKind() == jsontext.KindBeginObject
	if isObject {
		members, err = readObject(decoder, body, nil, rule, &issues)
	} else {
		_, err = decoder.ReadValue()
	}
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil, inputError("", "the body must be a JSON object, but is empty")
	case errors.As(err, &syntax):
		return nil, nil, syntaxError(syntax)
	case !isObject:
		return nil, nil, inputError("", "the body must be a JSON object")
	}
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, nil, inputError("", "the body must end with the JSON object")
	}
	return members, issues, nil
}

// readObject reads the next value, which begins an object, from a decoder of the text, or of one
// whose values have the same places. It appends the members that are fields, and adds the issues of
// other names.
func readObject(decoder *jsontext.Decoder, text jsontext.Value, members object, rule nameRule, issues *asset.Issues) (object, error) {
	if _, err := decoder.ReadToken(); err != nil {
		return nil, err
	}
	for decoder.PeekKind() == jsontext.KindString {
		token, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		value, err := nextValue(decoder, text)
		if err != nil {
			return nil, err
		}
		if i := slices.Index(rule.fields, name); i >= 0 {
			members = append(members, member{rule.fields[i], value})
		} else {
			rule.checkNames(issues, name)
		}
	}
	_, err := decoder.ReadToken()
	return members, err
}

// elements yields the elements of a JSON array, in which only strings can be malformed.
func elements(text jsontext.Value) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		decoder := uncheckedDecoder(text)
		_, _ = decoder.ReadToken()
		for decoder.PeekKind() != jsontext.KindEndArray {
			element, _ := nextValue(decoder, text)
			if !yield(element) {
				return
			}
		}
	}
}

// uncheckedDecoder returns a decoder of a text that decodeBody has checked. It repeats no checks,
// and its errors can be ignored.
func uncheckedDecoder(text jsontext.Value) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// nextValue returns the next value as a part of text, which remains valid after
// further reads.
func nextValue(decoder *jsontext.Decoder, text jsontext.Value) (jsontext.Value, error) {
	next, err := decoder.ReadValue()
	end := decoder.InputOffset()
	return text[end-int64(len(next)) : end], err
}

func (o object) one(name string) (value, error) {
	return valueOf(o.value(name)), nil
}

func (o object) many(name string) (iter.Seq[value], error) {
	list := o.value(name)
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

// valueOf returns the value of a JSON text, in which only a string can be malformed. null is no value, and objects and
// arrays have no text.
func valueOf(text jsontext.Value) value {
	switch kind := text.Kind(); kind {
	case jsontext.KindInvalid, jsontext.KindNull:
		return value{}
	case jsontext.KindString:
		return value{kind, unquote(text)}
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		return value{kind: kind}
	default:
		return value{kind, string(text)}
	}
}

// syntaxError returns the issue of malformed JSON.
func syntaxError(err *jsontext.SyntacticError) error {
	field := fieldAt(err.JSONPointer)
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return inputError(field, "must not be given twice")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return inputError(field, "the JSON ends too early")
	default:
		return inputError(field, fmt.Sprintf("must be valid JSON; it is not at byte %d", err.ByteOffset))
	}
}

// maxField is the maximum length of a field name in an issue.
const maxField = 100

// fieldAt formats a JSON pointer as issues do: "assets[3].name".
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
			break
		}
	}
	return shortened(field.String())
}

// shortened returns a name of the caller as issues show it.
func shortened(name string) string {
	if len(name) > maxField {
		return strings.ToValidUTF8(name[:maxField], "") + "..."
	}
	return strings.ToValidUTF8(name, "\ufffd") // as in a query
}

// inputError returns an [*asset.InputError] with one issue.
func inputError(field, message string) error {
	return asset.Issues{{Field: field, Message: message}}.Err()
}

// MaxNames is the maximum number of names in a JSON object. Finding duplicates takes the
// decoder many times the memory of the names.
const MaxNames = 1000

// tooManyNames reports whether an object in a JSON text has more than limit names. If
// the text is invalid, it reports so for the valid part in front of the error, and may
// report it for the rest.
func tooManyNames(text []byte, limit int) bool {
	if bytes.Count(text, []byte{':'}) <= limit {
		return false // as in nearly every body
	}
	var names []uint32 // of each open object
	for i := 0; i < len(text); i++ {
		last := len(names) - 1
		switch text[i] {
		case '"':
			i += quotedLength(text[i:]) - 1
		case '{':
			names = append(names, 0)
		case '}':
			names = names[:max(last, 0)]
		case ':':
			if last < 0 {
				return false // invalid
			}
			if names[last]++; int(names[last]) > limit {
				return true
			}
		}
	}
	return false
}

// quotedLength returns the length of the string at the start of text, with its quotes.
func quotedLength(text []byte) int {
	for end := 1; ; end++ {
		length := bytes.IndexByte(text[end:], '"')
		if length < 0 {
			return len(text)
		}
		end += length
		backslashes := 0
		for text[end-1-backslashes] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return end + 1
		}
	}
}

// nameRule has the names of the fields of an object or a query, and decides about other names.
type nameRule struct {
	fields []string
	// open ignores unknown names, as the operations of the specification do. Those that are
	// nearly a field are refused all the same: the caller would not learn that the field is
	// ignored.
	open bool
	// contents is the path to the contents of a batch. A malformed string there refuses only its
	// element. See [withoutMalformed].
	contents []string
}

// checkNames adds an issue for each name that the rule refuses. It stops after too many issues.
func (r nameRule) checkNames(issues *asset.Issues, names ...string) {
	for _, name := range names {
		if message := r.refusal(name); message != "" && len(*issues) <= MaxIssues {
			issues.Add(shortened(name), message)
		}
	}
}

// refusal returns the issue of a name, or an empty string.
func (r nameRule) refusal(name string) string {
	if slices.Contains(r.fields, name) {
		return ""
	}
	for _, field := range r.fields {
		if nearlyEqual(name, field) {
			return "unknown field, did you mean " + field + "?"
		}
	}
	if r.open {
		return ""
	}
	return "unknown field"
}

// nearlyEqual reports whether two names differ only in letter case, "_" and "-".
func nearlyEqual(a, b string) bool {
	return strings.EqualFold(withoutMarks(a), withoutMarks(b))
}

func withoutMarks(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "_", ""), "-", "")
}

// queryIssues returns the issues of the parameters that the rule refuses, in the order of their
// names.
func (r nameRule) queryIssues(parameters url.Values) asset.Issues {
	var issues asset.Issues
	r.checkNames(&issues, slices.Sorted(maps.Keys(parameters))...)
	return issues
}
