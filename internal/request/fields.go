package request

import (
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/asset"
)

// fields decodes the fields of a request and collects their issues. An absent or
// invalid field decodes to its zero value.
type fields struct {
	source source
	// malformed is the error of a request that has no fields, because its body or query
	// cannot be read.
	malformed error
	issues    asset.Issues
}

// text decodes a string that can be stored.
func (f *fields) text(name string) string {
	return one(f, name, asText)
}

// nonEmpty decodes a string that must not be empty, such as a date.
func (f *fields) nonEmpty(name string) string {
	return one(f, name, asNonEmpty)
}

// nonEmptyList decodes a list of at most limit strings that must not be empty.
func (f *fields) nonEmptyList(name string, limit int) []string {
	return many(f, name, limit, asNonEmpty)
}

// flag decodes true or false.
func (f *fields) flag(name string) bool {
	return one(f, name, asFlag)
}

// id decodes an ID.
func (f *fields) id(name string) int64 {
	return one(f, name, asID)
}

// ids decodes a list of at most limit IDs.
func (f *fields) ids(name string, limit int) []int64 {
	return many(f, name, limit, asID)
}

// hasIssue reports whether the field has an issue.
func (f *fields) hasIssue(name string) bool {
	return slices.ContainsFunc(f.issues, func(i asset.Issue) bool { return i.Field == name })
}

// require adds an issue for a required field that is absent.
func (f *fields) require(present bool, name string) {
	if !present && !f.hasIssue(name) {
		f.add(name, "is required")
	}
}

// given reports whether there is a value. For any list, the source returns a value or an error.
func (f *fields) given(name string) bool {
	v, err := f.source.one(name)
	return err != nil || v != value{}
}

// add adds an issue.
func (f *fields) add(name, message string) {
	f.issues.Add(name, message)
}

// refuseKey adds an issue if the call has an idempotency key.
func (f *fields) refuseKey(c Call, message string) {
	if len(c.IdempotencyKeys) > 0 {
		f.add("Idempotency-Key", message)
	}
}

// join returns the issues of decoding together with those of the validation errors.
// Validation issues of fields that have an issue already are left out: these fields were
// validated as absent. A validation error of another type is returned as it is, and so is
// the error of a malformed request.
func (f *fields) join(validation ...error) error {
	if f.malformed != nil {
		return f.malformed
	}
	for _, err := range validation {
		if err == nil {
			continue
		}
		var input *asset.InputError
		if !errors.As(err, &input) {
			return err
		}
		for _, issue := range input.Issues {
			if !f.hasIssue(issue.Field) {
				f.issues = append(f.issues, issue)
			}
		}
	}
	return f.issues.Err()
}

// convert converts a value to a type. The string is an issue, or empty.
type convert[T any] func(value) (T, string)

// one decodes a field.
func one[T any](f *fields, name string, to convert[T]) T {
	var zero T
	v, err := f.source.one(name)
	if err != nil {
		f.add(name, err.Error())
		return zero
	}
	if v == (value{}) {
		return zero
	}
	result, issue := to(v)
	if issue != "" {
		f.add(name, issue)
		return zero
	}
	return result
}

// optional decodes a field, or returns nil if it is absent.
func optional[T any](f *fields, name string, to convert[T]) *T {
	if !f.given(name) {
		return nil
	}
	return new(one(f, name, to))
}

// many decodes a list. It skips invalid elements, and stops after the limit or too
// many issues.
func many[T any](f *fields, name string, limit int, to convert[T]) []T {
	values, err := f.source.many(name)
	if err != nil {
		f.add(name, err.Error())
		return nil
	}
	var results []T
	i := 0
	for v := range values {
		if i == limit {
			f.add(name, fmt.Sprintf("must hold at most %d elements", limit))
			return nil
		}
		if result, issue := to(v); issue == "" {
			results = append(results, result)
		} else if f.add(name+"["+strconv.Itoa(i)+"]", issue); len(f.issues) > MaxIssues {
			return nil
		}
		i++
	}
	return results
}

// objects decodes a required list of objects of a body, whose members are the fields of the rule. An
// element that is no object decodes as one without members. It stops after the limit, and reports
// whether there are more.
func objects[T any](f *fields, name string, limit int, rule nameRule, decode func(*fields) T) (results []T, more bool) {
	body, _ := f.source.(object)
	list := body.value(name)
	switch list.Kind() {
	case jsontext.KindBeginArray:
	case jsontext.KindInvalid, jsontext.KindNull:
		f.require(false, name)
		return nil, false
	default:
		f.add(name, "must be an array")
		return nil, false
	}
	decoder := uncheckedDecoder(list)
	_, _ = decoder.ReadToken()
	var members object
	for decoder.PeekKind() != jsontext.KindEndArray {
		if len(results) == limit {
			return results, true
		}
		path := name + "[" + strconv.Itoa(len(results)) + "]"
		members = members[:0]
		before := len(f.issues)
		if decoder.PeekKind() == jsontext.KindBeginObject {
			members, _ = readObject(decoder, list, members, rule, &f.issues)
		} else {
			_ = decoder.SkipValue()
			f.add("", "must be an object")
		}
		element := fields{source: members, issues: f.issues}
		results = append(results, decode(&element))
		f.issues = append(f.issues[:before], element.issues[before:].Under(path)...)
	}
	return results, false
}

// optionalObject decodes an object of a body, whose members are the fields of the rule, or returns nil if it is
// absent.
func optionalObject[T any](f *fields, name string, rule nameRule, decode func(*fields) T) *T {
	body, _ := f.source.(object)
	text := body.value(name)
	switch text.Kind() {
	case jsontext.KindBeginObject:
	case jsontext.KindInvalid, jsontext.KindNull:
		return nil
	default:
		f.add(name, "must be an object")
		return nil
	}
	var inner fields
	inner.source, _ = readObject(uncheckedDecoder(text), text, nil, rule, &inner.issues)
	result := decode(&inner)
	f.issues = append(f.issues, inner.issues.Under(name)...)
	return &result
}

// more reports whether a list of a body has more than limit elements, without decoding them.
func (f *fields) more(name string, limit int) bool {
	members, _ := f.source.(object)
	list := members.value(name)
	if list.Kind() != jsontext.KindBeginArray {
		return false
	}
	n := 0
	for range elements(list) {
		if n++; n > limit {
			return true
		}
	}
	return false
}

func asString(v value) (string, string) {
	if !v.is(jsontext.KindString) {
		return "", "must be a string"
	}
	return v.text, ""
}

func asText(v value) (string, string) {
	text, issue := asString(v)
	if issue == "" && !asset.ValidText(text) {
		return "", "must be valid UTF-8 without NUL"
	}
	return text, issue
}

func asNonEmpty(v value) (string, string) {
	text, issue := asText(v)
	if issue == "" && text == "" {
		return "", "must not be empty"
	}
	return text, issue
}

func asFlag(v value) (bool, string) {
	switch {
	case v.is(jsontext.KindTrue) && v.text == "true":
		return true, ""
	case v.is(jsontext.KindFalse) && v.text == "false":
		return false, ""
	default:
		return false, "must be true or false"
	}
}

func asID(v value) (int64, string) {
	id, ok := v.wholeNumber()
	if !ok || !asset.ValidID(id) {
		return 0, "must be a whole number from 1 to 2^53-1"
	}
	return id, ""
}

// limit decodes the page size, 0 if it is absent.
func (f *fields) limit(maximum int64) int {
	return one(f, "limit", func(v value) (int, string) {
		limit, ok := v.wholeNumber()
		switch {
		case !ok:
			return 0, fmt.Sprintf("must be a whole number from 1 to %d", maximum)
		case limit < 1 || limit > maximum:
			return 0, fmt.Sprintf("must be from 1 to %d", maximum)
		default:
			return int(limit), ""
		}
	})
}

// cursor decodes the cursor of a page, 0 if it is absent.
func (f *fields) cursor() int64 {
	return one(f, "cursor", func(v value) (int64, string) {
		after, ok := v.wholeNumber()
		if !ok || after < 1 {
			return 0, "must be a whole number from 1"
		}
		return after, ""
	})
}

// requiredID decodes an ID that must be present.
func (f *fields) requiredID(name string) int64 {
	id := f.id(name)
	f.require(id != 0, name)
	return id
}

// nullableID decodes an ID of a body that must be present, but may be null. This is 0.
func (f *fields) nullableID(name string) *int64 {
	members, _ := f.source.(object)
	id := f.id(name)
	f.require(members.value(name) != nil, name)
	return &id
}

// source has the fields of a request: the members of its JSON body or the parameters
// of its query. The texts of its errors are issues.
type source interface {
	// one returns the value of a field, zero if it is absent.
	one(name string) (value, error)
	// many returns the values of a list, none if it is absent.
	many(name string) (iter.Seq[value], error)
}

// value is a value of a field. The zero value means none.
type value struct {
	// kind is the kind of the value in JSON, or kindUntyped.
	kind jsontext.Kind
	// text is the content of a string, or the literal of a number or boolean.
	text string
}

// kindUntyped is the kind of a query parameter, which can be read as any kind.
const kindUntyped jsontext.Kind = '?'

func (v value) is(kind jsontext.Kind) bool {
	return v.kind == kind || v.kind == kindUntyped
}

// wholeNumber returns the value as a whole number; see [parseWholeNumber].
func (v value) wholeNumber() (int64, bool) {
	if !v.is(jsontext.KindNumber) {
		return 0, false
	}
	return parseWholeNumber(v.text)
}

// query is a URL query as a source of fields. An empty value is absent. A list is a
// repeated parameter, a list with commas, or both.
type query url.Values

func (q query) one(name string) (value, error) {
	values := q.values(name)
	switch len(values) {
	case 0:
		return value{}, nil
	case 1:
		return values[0], nil
	default:
		return value{}, errors.New("must be given once")
	}
}

func (q query) many(name string) (iter.Seq[value], error) {
	return func(yield func(value) bool) {
		for _, list := range q.values(name) {
			for element := range strings.SplitSeq(list.text, ",") {
				if element != "" && !yield(value{kindUntyped, element}) {
					return
				}
			}
		}
	}, nil
}

// values returns the values of a parameter that are not empty.
func (q query) values(name string) []value {
	var values []value
	for _, text := range q[name] {
		if text != "" {
			values = append(values, value{kindUntyped, text})
		}
	}
	return values
}
