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
// Load skips entries that are not hosts and entries without effect, and counts them in
// [List.Warnings]. Any other error invalidates the whole file: malformed JSON, invalid
// UTF-8, duplicate keys, entries that are not strings, a tolerance that is not an
// integer from 0 to [MaxTolerance], more than [MaxTargets] fuzzy targets, an array
// without lists, or data after the end. The error is then an [*asset.InputError] with
// the position. It matches [ErrTooLarge] if the file exceeds [Options.MaxBytes]. Other
// errors are those of the reader.
//
// A list takes at most 1.5 times the size of its file in memory, if the file is similar
// to the published ones. A file of many tiny lists can take three times its size. Fuzzy
// targets can take up to 32 MiB more.
func Load(r io.Reader, opts Options) (*List, error) {
	opts = opts.withDefaults()
	input := &input{reader: r, left: opts.MaxBytes, max: opts.MaxBytes}
	l := &loader{
		input:   input,
		decoder: jsontext.NewDecoder(input.withoutMark()),
		list:    &List{name: opts.Name},
	}
	builder := newHostTableBuilder()
	l.sink = &listSink{loader: l, builder: builder}
	if err := l.readFile(); err != nil {
		return nil, input.explain(err)
	}
	l.list.hosts = builder.build()
	l.list.warnings.Duplicates += builder.duplicates
	return l.list, nil
}

// sink receives the hosts of a file.
type sink interface {
	// begin starts an allowlist or a blocklist of the list with that number.
	begin(list int, allow bool)
	// host receives an entry of it, which is valid until the next call. It reports whether
	// the entry has an effect.
	host(host []byte) (effective bool, err error)
	// target receives an entry of the fuzzylist of a draft, as host does.
	target(d *draft, host []byte) error
	// invalid receives why an entry, or a target, is not a host.
	invalid(reason string, target bool) error
}

// listSink puts the hosts into the list of the loader.
type listSink struct {
	*loader
	builder *hostTableBuilder
}

func (s *listSink) begin(list int, allow bool) { s.builder.begin(list, allow) }

func (s *listSink) host(host []byte) (effective bool, err error) {
	if !isCanonical(host) {
		s.list.warnings.addNonCanonical(s.position)
	}
	before := len(s.builder.text)
	s.builder.add(host)
	return len(s.builder.text) > before, nil
}

func (s *listSink) target(d *draft, host []byte) error { return s.addTarget(d, host) }

func (s *listSink) invalid(reason string, _ bool) error {
	s.list.warnings.addInvalidHost(s.position, reason)
	return nil
}

// loader reads the file from top to bottom.
type loader struct {
	input   *input
	decoder *jsontext.Decoder
	sink    sink
	list    *List
	// hosts is the number of hosts with an effect so far, and targets that of fuzzy targets.
	hosts   int
	targets int
	// unquoted is a buffer for entries with escapes.
	unquoted []byte
}

func (l *loader) readFile() error {
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
