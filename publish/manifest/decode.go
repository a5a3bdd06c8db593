package manifest

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
)

// decode returns the manifest of a text. It reads JSON as JavaScript does, so that all clients accept the same: the
// name of a field has one spelling, the last field of a name counts, and a number is an integer by its value.
func decode(data string) (Manifest, error) {
	value, err := decodeJSON(data)
	if err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	r := new(reader)
	o := r.object("manifest", value)
	m := Manifest{Version: o.cursor("version"), Time: o.time("time"), Rules: int(o.integer("rulesVersion"))}
	for i, value := range o.array("files") {
		o := r.object(fmt.Sprintf("file %d", i), value)
		if kind := Kind(o.text("kind")); slices.Contains(kinds, kind) {
			m.Files = append(m.Files, o.file(kind))
		}
	}
	if r.err == nil {
		r.requireUnique(m.Files)
	}
	if r.err != nil {
		return Manifest{}, r.err
	}
	return m, nil
}

// kinds are the known kinds.
var kinds = []Kind{KindHashes, KindExport, KindChanges, KindMetaMask}

// decodeJSON returns the only JSON value of a text, with numbers as in the text.
func decodeJSON(data string) (value any, err error) {
	decoder := json.NewDecoder(strings.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, errors.New("it is not JSON")
	}
	if _, err = decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the JSON value")
	}
	return value, nil
}

// reader reads a manifest. It keeps the first error.
type reader struct{ err error }

// fail reports that something in the manifest is not what it should be.
func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrMalformed, fmt.Sprintf(format, args...))
	}
}

// object is an object of the JSON text. A reading method that fails returns zero.
type object struct {
	*reader
	what   string
	fields map[string]any
}

func (r *reader) object(what string, value any) object {
	fields, ok := value.(map[string]any)
	if !ok {
		r.fail("%s is not an object", what)
	}
	return object{r, what, fields}
}

// file returns the file that the object describes.
func (o object) file(kind Kind) File {
	f := File{Name: o.text("name"), Kind: kind, Version: o.cursor("version"), Size: o.integer("size"), SHA256: o.sum("sha256")}
	if _, ok := o.fields["format"]; ok {
		f.Format = o.text("format")
	}
	if _, ok := o.fields["since"]; ok {
		f.Since = o.cursor("since")
	}
	switch {
	case !validName.MatchString(f.Name) || f.Name == Name:
		o.fail("%s has an invalid name", o.what)
	case f.IsStep() && (f.Since == f.Version || f.Version.Before(f.Since)):
		o.fail("%s does not lead to a later version", o.what)
	}
	return f
}

// validName matches the names of files, which have at most MaxName bytes. None is a path, or hidden.
var validName = regexp.MustCompile(`^[A-Za-z0-9-][A-Za-z0-9.-]{0,127}$`)

func (o object) text(field string) string {
	text, ok := o.fields[field].(string)
	if !ok {
		o.fail("%s of the %s is not a string", field, o.what)
	}
	return text
}

func (o object) array(field string) []any {
	array, ok := o.fields[field].([]any)
	if !ok {
		o.fail("%s of the %s is not an array", field, o.what)
	}
	return array
}

// integer returns a number from 0 to 2^53-1, which may be written with a fraction or an exponent.
func (o object) integer(field string) int64 {
	number, _ := o.fields[field].(json.Number)
	value, err := number.Float64()
	n := int64(value)
	if err != nil || value < 0 || value > MaxFileSize || float64(n) != value {
		o.fail("%s of the %s is not an integer from 0 to 2^53-1", field, o.what)
		return 0
	}
	return n
}

func (o object) time(field string) time.Time {
	text := o.text(field)
	t, err := time.Parse(layout, text)
	if err != nil || stamp(t) != text {
		o.fail("%s of the %s is not a time in UTC with milliseconds", field, o.what)
	}
	return t
}

func (o object) cursor(field string) asset.FeedCursor {
	cursor, err := asset.ParseFeedCursor(o.text(field))
	if err != nil {
		o.fail("%s of the %s is not a version", field, o.what)
	}
	return cursor
}

// sum returns a SHA-256, which is written in lower-case letters.
func (o object) sum(field string) (sum [32]byte) {
	text := o.text(field)
	data, err := hex.DecodeString(text)
	if err != nil || len(data) != len(sum) || strings.ToLower(text) != text {
		o.fail("%s of the %s is not a SHA-256", field, o.what)
		return sum
	}
	return [32]byte(data)
}

// step identifies a step.
type step struct {
	kind  Kind
	since asset.FeedCursor
}

// requireUnique requires that no two files have one name, and that no two steps of a kind start from one version.
func (r *reader) requireUnique(files []File) {
	names, steps := make(map[string]bool), make(map[step]bool)
	for _, f := range files {
		if names[f.Name] {
			r.fail("two files have the name %s", f.Name)
		}
		names[f.Name] = true
		if key := (step{f.Kind, f.Since}); f.IsStep() {
			if steps[key] {
				r.fail("two steps of the kind %s start from one version", f.Kind)
			}
			steps[key] = true
		}
	}
}
