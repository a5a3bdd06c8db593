package phishlist

import (
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/asset"
)

// Load reads a JSON file in either published format. One is an object with the keys
// version, tolerance, fuzzylist, whitelist and blacklist. The other is an array of
// objects with the keys name, version, tolerance, fuzzylist, allowlist and blocklist.
//
// Each list may use either spelling of a key, but not both. All keys are optional and
// may be null, but each list needs a name or one of its arrays. Other keys are ignored,
// and so is a byte order mark.
//
// Load skips entries that are neither hosts nor content identifiers, entries without effect, and
// blocklist entries that are public suffixes of the ICANN section, such as com. It counts them in
// [List.Warnings]. Any other error invalidates the whole file: malformed JSON, invalid UTF-8,
// duplicate keys, entries that are not strings, a tolerance that is not an integer from 0 to
// [MaxTolerance], more than [MaxTargets] fuzzy targets, an array without lists, or data after the
// end. The error is then an [*asset.InputError] with the position. It matches [ErrTooLarge] if the
// file exceeds [Options.MaxBytes]. Other errors come from the reader.
//
// A list takes at most 3 times the size of its file in memory, if the file is similar
// to the published ones: 11 MB for 150,000 hosts. A file of fuzzy targets can take 4
// times its size, and a file of hosts with a few letters 10 times.
func Load(r io.Reader, opts Options) (*List, error) {
	opts = opts.withDefaults()
	l := newLoader(r, opts)
	builder := &listBuilder{loader: l, list: &List{name: opts.Name}}
	builder.list.allowed.entries = make(map[string]entry)
	builder.list.blocked.entries = make(map[string]entry)
	builder.list.contents = make(map[string]struct{})
	if err := l.readFile(builder); err != nil {
		return nil, l.input.explain(err)
	}
	builder.end()
	return builder.list, nil
}

// loader reads the file from top to bottom.
type loader struct {
	input   *input
	decoder *jsontext.Decoder
	sink    sink
	// unquoted is a buffer for entries with escapes.
	unquoted []byte
}

// sink receives the content of a file.
type sink interface {
	// entry receives a member of an array, which is valid until the next call. The
	// problem says why it is not a host, or is empty.
	entry(of array, host []byte, problem string) error
	// endList receives the settings of a list after its entries.
	endList(s settings)
}

// array is the kind of an array of hosts.
type array int

const (
	allowlist array = iota + 1
	blocklist
	fuzzylist
)

// settings are the members of a list that are not arrays.
type settings struct {
	name      string
	tolerance int
}

func newLoader(r io.Reader, opts Options) *loader {
	input := &input{reader: r, left: opts.MaxBytes, max: opts.MaxBytes}
	return &loader{input: input, decoder: jsontext.NewDecoder(input.withoutMark())}
}

func (l *loader) readFile(into sink) error {
	l.sink = into
	var err error
	switch l.decoder.PeekKind() {
	case jsontext.KindBeginObject:
		err = l.readList()
	case jsontext.KindBeginArray:
		err = l.readLists()
	default:
		err = l.reject("must be an object or an array of objects")
	}
	if err != nil {
		return err
	}
	return l.readEnd()
}

func (l *loader) readLists() error {
	if _, err := l.decoder.ReadToken(); err != nil {
		return err
	}
	empty := true
	for l.decoder.PeekKind() != jsontext.KindEndArray {
		if l.decoder.PeekKind() != jsontext.KindBeginObject {
			return l.reject("must be an object")
		}
		if err := l.readList(); err != nil {
			return err
		}
		empty = false
	}
	if empty {
		return l.reject("must contain a list")
	}
	_, err := l.decoder.ReadToken()
	return err
}

// readEnd returns an error if anything follows.
func (l *loader) readEnd() error {
	if _, err := l.decoder.ReadToken(); err != io.EOF { //nolint:errorlint // the decoder does not wrap io.EOF
		if err == nil {
			return l.invalid("unexpected data after the end")
		}
		return err
	}
	return nil
}

// invalid returns an error about the value that was read last.
func (l *loader) invalid(message string) error {
	var issues asset.Issues
	issues.Add(l.position(), message)
	return issues.Err()
}

// reject reads the next token and returns an error about it. A syntax error takes
// precedence.
func (l *loader) reject(message string) error {
	if _, err := l.decoder.ReadToken(); err != nil {
		return err
	}
	return l.invalid(message)
}

// position returns the position of the decoder.
func (l *loader) position() string {
	return position(l.offset(), l.decoder.StackPointer())
}

// offset returns the offset in the file after the value that was read last.
func (l *loader) offset() int64 { return l.decoder.InputOffset() + l.input.skipped }
