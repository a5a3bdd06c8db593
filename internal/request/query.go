package request

import (
	"errors"
	"iter"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

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
