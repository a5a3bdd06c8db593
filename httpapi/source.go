package httpapi

import (
	"errors"
	"iter"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// source is where the fields of a request stand. Its errors are written for the
// person who sent the request.
type source interface {
	// one returns the value of a field, the zero value when it is absent.
	one(name string) (value, error)
	// many returns the values of a field that is a list, none when it is absent.
	many(name string) (iter.Seq[value], error)
}

// value is a value that is no list and no object.
type value struct {
	// kind is the value's kind in JSON. It is kindUntyped when the source has no
	// kinds, and zero when there is no value.
	kind jsontext.Kind
	// text is what a string says, or how a number, true or false is written.
	text string
}

// kindUntyped is the kind of a value that may be read as any kind.
const kindUntyped jsontext.Kind = '?'

func (v value) is(kind jsontext.Kind) bool {
	return v.kind == kind || v.kind == kindUntyped
}

// whole returns the value as a whole number; see [wholeNumber]. It reports false
// when it is none.
func (v value) whole() (int64, bool) {
	if !v.is(jsontext.KindNumber) {
		return 0, false
	}
	return wholeNumber(v.text)
}

// query is the source of the fields in a URL's query. An empty value is absent.
// Lists are repeated parameters, or separated by commas, or both.
type query url.Values

func (q query) one(name string) (value, error) {
	values := q.given(name)
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
		for _, list := range q.given(name) {
			for element := range strings.SplitSeq(list.text, ",") {
				if element != "" && !yield(value{kindUntyped, element}) {
					return
				}
			}
		}
	}, nil
}

func (q query) given(name string) []value {
	var values []value
	for _, text := range q[name] {
		if text != "" {
			values = append(values, value{kindUntyped, text})
		}
	}
	return values
}
