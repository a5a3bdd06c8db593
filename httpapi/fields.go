package httpapi

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/asset"
)

// fields reads the fields of one request by their types and gathers what is
// wrong with them. A field that is absent or wrong is read as its zero value.
type fields struct {
	source source
	// path stands before the names in issues, such as "assets[3].".
	path   string
	issues asset.Issues
}

// text reads a string that can be stored.
func (f *fields) text(name string) string {
	text, _ := one(f, name, asText)
	return text
}

// word reads a string that says nothing when it is empty, so that an empty one is
// wrong: an enumeration's value or a date.
func (f *fields) word(name string) string {
	word, _ := one(f, name, asWord)
	return word
}

// words reads a list of what word reads, of at most that many elements.
func (f *fields) words(name string, most int) []string {
	return many(f, name, most, asWord)
}

// flag reads true or false.
func (f *fields) flag(name string) bool {
	flag, _ := one(f, name, asFlag)
	return flag
}

// id reads an identifier.
func (f *fields) id(name string) int64 {
	id, _ := one(f, name, asID)
	return id
}

// ids reads a list of identifiers, of at most that many elements.
func (f *fields) ids(name string, most int) []int64 {
	return many(f, name, most, asID)
}

// refused reports whether there is an issue with the field already.
func (f *fields) refused(name string) bool {
	return slices.ContainsFunc(f.issues, func(i asset.Issue) bool { return i.Field == f.path+name })
}

// require notes that a field is missing.
func (f *fields) require(present bool, name string) {
	if !present && !f.refused(name) {
		f.note(name, "is required")
	}
}

func (f *fields) note(name, message string) {
	f.issues.Add(f.path+name, message)
}

// judge returns everything that is wrong with the request as one error: the
// fields that could not be read, and what the service said about the others. A
// field that could not be read was given to the service as absent, so what it
// said about that one is left out.
func (f *fields) judge(verdicts ...error) error {
	for _, verdict := range verdicts {
		var input *asset.InputError
		switch {
		case verdict == nil:
			continue
		case !errors.As(verdict, &input):
			return verdict
		}
		for _, issue := range input.Issues {
			if !f.refused(issue.Field) {
				f.issues = append(f.issues, issue)
			}
		}
	}
	return f.issues.Err()
}

// reader turns a value into what a field holds. The text says what the value must
// be, and is empty when it is that.
type reader[T any] func(value) (T, string)

// one reads a field, and reports whether it is there and right.
func one[T any](f *fields, name string, read reader[T]) (T, bool) {
	var none T
	v, err := f.source.one(name)
	if err != nil {
		f.note(name, err.Error())
		return none, false
	}
	if v == (value{}) {
		return none, false
	}
	result, must := read(v)
	if must != "" {
		f.note(name, must)
		return none, false
	}
	return result, true
}

// many reads a field that is a list. Elements that are wrong are left out. A list
// that is too long is read no further than to its first element too many.
func many[T any](f *fields, name string, most int, read reader[T]) []T {
	values, err := f.source.many(name)
	if err != nil {
		f.note(name, err.Error())
		return nil
	}
	var results []T
	i := 0
	for v := range values {
		if i == most {
			f.note(name, fmt.Sprintf("must hold at most %d elements", most))
			return nil
		}
		if result, must := read(v); must == "" {
			results = append(results, result)
		} else if f.note(name+"["+strconv.Itoa(i)+"]", must); len(f.issues) > maxIssues {
			return nil
		}
		i++
	}
	return results
}

func asString(v value) (string, string) {
	if !v.is(jsontext.KindString) {
		return "", "must be a string"
	}
	return v.text, ""
}

func asText(v value) (string, string) {
	text, must := asString(v)
	if must == "" && !asset.ValidText(text) {
		return "", "must be valid UTF-8 without NUL"
	}
	return text, must
}

func asWord(v value) (string, string) {
	word, must := asText(v)
	if must == "" && word == "" {
		return "", "must not be empty"
	}
	return word, must
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
	id, whole := v.whole()
	if !whole || !asset.ValidID(id) {
		return 0, "must be a whole number from 1 to 2^53-1"
	}
	return id, ""
}
