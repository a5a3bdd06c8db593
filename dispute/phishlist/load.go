package phishlist

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// MaxBytes is the size of the largest file that is read.
	MaxBytes = 1 << placeBits
	// MaxTolerance is the greatest tolerance that a list may have. With a greater
	// one, its targets would resemble most hosts that there are.
	MaxTolerance = 16
	// MaxTargets is how many fuzzy targets the lists of a file may have together. Each
	// of them may have to be compared with a host that is checked.
	MaxTargets = 10_000
	// DefaultTolerance is that of a list which states none, in either format.
	DefaultTolerance = 3
)

// Options are the optional parts of a [List] and of a [File]. The zero value works.
type Options struct {
	// Name is what people know the list by, which notes on disputes show. Empty
	// means "eth-phishing-detect".
	Name string
	// MaxBytes is the size of the largest file to read. Zero, and more than the
	// constant of the same name, means that constant.
	MaxBytes int64
}

func (o Options) withDefaults() Options {
	if o.Name == "" {
		o.Name = "eth-phishing-detect"
	}
	if o.MaxBytes <= 0 || o.MaxBytes > MaxBytes {
		o.MaxBytes = MaxBytes
	}
	return o
}

// Load reads a file in one of the two formats, in JSON: an object with the keys
// version, tolerance, fuzzylist, whitelist and blacklist, or an array of objects with
// the keys name, version, tolerance, fuzzylist, allowlist and blocklist. Both may use
// both spellings, though not in one object. All keys can be left out or be null, but
// each object has a name or one of the lists, and other keys are ignored. A byte order
// mark at the beginning is, too.
//
// An entry that is no host is left out, and so is one that has no effect because it is
// repeated; see [List.Findings]. Everything else that is wrong makes the whole file
// invalid: no JSON, invalid UTF-8, a key that is given twice, an entry that is no text,
// a tolerance that is no whole number from 0 to [MaxTolerance], more than [MaxTargets]
// fuzzy targets, an array without lists, or something after the end. The error is an
// [*asset.InputError] then, which names the place, and matches [ErrTooLarge] when
// there is more than [MaxBytes]. Any other error is the reader's.
//
// A list keeps at most half as much memory again as its file has bytes, if that is like
// those which are published. Many tiny lists in one file can take three times its bytes,
// and the fuzzy targets 32 MiB beside that.
func Load(r io.Reader) (*List, error) {
	return LoadWith(r, Options{})
}

// LoadWith is [Load] with options.
func LoadWith(r io.Reader, opts Options) (*List, error) {
	opts = opts.withDefaults()
	input := &input{reader: r, left: opts.MaxBytes, max: opts.MaxBytes}
	l := &loader{
		input:   input,
		decoder: jsontext.NewDecoder(input.withoutMark()),
		builder: newBuilder(),
		list:    &List{name: opts.Name},
	}
	err := l.readFile()
	if err != nil {
		return nil, input.explain(err)
	}
	l.list.hosts = l.builder.hosts()
	l.list.findings.Repeated += l.builder.repeated
	return l.list, nil
}

// loader reads the file from top to bottom.
type loader struct {
	input   *input
	decoder *jsontext.Decoder
	builder *builder
	list    *List
	// targets is how many fuzzy targets there are so far.
	targets int
	// unquoted is the room for entries with escapes.
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
		err = l.refuse("must be an object or an array of objects")
	}
	if err != nil {
		return err
	}
	return l.readEnd()
}

// readEnd makes sure that nothing follows.
func (l *loader) readEnd() error {
	if _, err := l.decoder.ReadToken(); err != io.EOF { //nolint:errorlint // the decoder wraps no io.EOF
		if err == nil {
			return l.wrong("must end after the lists")
		}
		return err
	}
	return nil
}

func (l *loader) readLists() error {
	if _, err := l.decoder.ReadToken(); err != nil {
		return err
	}
	empty := true
	for l.decoder.PeekKind() != jsontext.KindEndArray {
		if l.decoder.PeekKind() != jsontext.KindBeginObject {
			return l.refuse("must be an object")
		}
		if err := l.readList(); err != nil {
			return err
		}
		empty = false
	}
	if empty {
		return l.refuse("must have a list")
	}
	_, err := l.decoder.ReadToken()
	return err
}

// draft is what is known of a list while it is read.
type draft struct {
	number    int
	name      string
	tolerance int
	targets   []string
	// known are the targets, to find those that are repeated.
	known map[string]struct{}
	// allow and block tell whether the list has been there, in either spelling.
	allow, block bool
	// isList tells that there was a key that only such lists have.
	isList bool
}

func (l *loader) readList() error {
	if _, err := l.decoder.ReadToken(); err != nil {
		return err
	}
	d := draft{number: len(l.list.names), tolerance: DefaultTolerance}
	before := len(l.builder.text)
	for l.decoder.PeekKind() != jsontext.KindEndObject {
		key, err := l.decoder.ReadToken()
		if err != nil {
			return err
		}
		if err := l.readMember(&d, key.String()); err != nil {
			return err
		}
	}
	if !d.isList {
		return l.wrong("must have one of the keys name, allowlist, blocklist, fuzzylist, whitelist and blacklist")
	}
	if len(l.builder.text) > before || len(d.targets) > 0 { // a list without effect takes no memory
		l.list.names = append(l.list.names, d.name)
	}
	if len(d.targets) > 0 {
		targets := newTargets(d.number, d.tolerance, d.targets)
		l.list.targets = append(l.list.targets, targets)
		l.list.reach = max(l.list.reach, targets.longest()+targets.tolerance)
	}
	_, err := l.decoder.ReadToken()
	return err
}

// readMember reads the value of a key.
func (l *loader) readMember(d *draft, key string) error {
	switch key {
	case "tolerance":
		return l.readTolerance(&d.tolerance)
	case "name", "fuzzylist", "allowlist", "whitelist", "blocklist", "blacklist":
		d.isList = true
	default:
		return l.decoder.SkipValue()
	}
	switch {
	case l.decoder.PeekKind() == jsontext.KindNull:
		return l.decoder.SkipValue()
	case key == "name":
		return l.readName(&d.name)
	case key == "fuzzylist":
		return l.readEntries(func(host []byte) error { return l.addTarget(d, host) })
	}
	allow, there := true, &d.allow
	if key == "blocklist" || key == "blacklist" {
		allow, there = false, &d.block
	}
	if *there {
		return l.wrong("must be given in one spelling only")
	}
	*there = true
	l.builder.begin(d.number, allow)
	return l.readEntries(l.addHost)
}

// addHost adds an entry of an allowlist or a blocklist.
func (l *loader) addHost(host []byte) error {
	if !isCanonical(host) {
		l.list.findings.addNotCanonical(l.place)
	}
	l.builder.add(host)
	return nil
}

// addTarget adds an entry of a fuzzylist.
func (l *loader) addTarget(d *draft, host []byte) error {
	if _, there := d.known[string(host)]; there {
		l.list.findings.Repeated++
		return nil
	}
	if l.targets == MaxTargets {
		return l.wrong(fmt.Sprintf("must be one of at most %d fuzzy targets, those of all lists together", MaxTargets))
	}
	l.targets++
	target := string(host)
	if d.known == nil {
		d.known = make(map[string]struct{})
	}
	d.known[target] = struct{}{}
	d.targets = append(d.targets, target)
	return nil
}

func (l *loader) readName(name *string) error {
	if l.decoder.PeekKind() != jsontext.KindString {
		return l.refuse("must be a text")
	}
	token, err := l.decoder.ReadToken()
	if err == nil {
		*name = token.String()
	}
	return err
}

func (l *loader) readTolerance(tolerance *int) error {
	switch l.decoder.PeekKind() {
	case jsontext.KindNull:
		return l.decoder.SkipValue()
	case jsontext.KindNumber:
	default:
		return l.refuse(toleranceMessage())
	}
	token, err := l.decoder.ReadToken()
	if err != nil {
		return err
	}
	number, err := token.Float()
	if err != nil || number < 0 || number > MaxTolerance || number != math.Trunc(number) {
		return l.wrong(toleranceMessage())
	}
	*tolerance = int(number)
	return nil
}

// readEntries hands on the entries that are hosts.
func (l *loader) readEntries(add func(host []byte) error) error {
	if l.decoder.PeekKind() != jsontext.KindBeginArray {
		return l.refuse("must be an array of texts")
	}
	if _, err := l.decoder.ReadToken(); err != nil {
		return err
	}
	for l.decoder.PeekKind() != jsontext.KindEndArray {
		host, err := l.readEntry()
		if err != nil {
			return err
		}
		if reason := whyNoHost(host); reason != "" {
			l.list.findings.addNoHost(l.place, reason)
			continue
		}
		if err := add(host); err != nil {
			return err
		}
	}
	_, err := l.decoder.ReadToken()
	return err
}

// readEntry returns the next text of an array. It is valid until the next one.
func (l *loader) readEntry() ([]byte, error) {
	if l.decoder.PeekKind() != jsontext.KindString {
		return nil, l.refuse("must be a text")
	}
	value, err := l.decoder.ReadValue()
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return value[1 : len(value)-1], nil
	}
	l.unquoted, err = jsontext.AppendUnquote(l.unquoted[:0], value)
	return l.unquoted, err
}
