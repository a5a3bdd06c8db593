package lists

import (
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// Entry is an entry of a list.
type Entry struct {
	// Line is the number of the line of the list, from 1. A line may have several
	// entries, and an entry of a CSV file several lines.
	Line int
	// StatusItem is the asset and its status.
	asset.StatusItem
	// Err says why the entry was refused. StatusItem is then zero. The error does not
	// contain the text of the entry.
	Err error
	// Text is the text of an entry that Read refused, with at most [MaxText] bytes and then "...".
	// It can contain control characters. It is empty if the entry is too long, is a malformed
	// record of a CSV file, or may contain a private key or seed in a format that
	// [classify.Classify] recognizes. Words of a seed phrase are not recognized.
	Text string
	// Position says where a refused entry of an eth-phishing-detect file is, because all of them
	// can be on one line. An example is "byte 120 (blacklist[4])".
	Position string
}

// MaxText is the maximum length in bytes of the text of a refused entry.
const MaxText = 200

// Reasons why an entry is refused, besides those of [classify.Classify], for errors.Is.
var (
	ErrLineTooLong   = errors.New("is longer than 65,536 bytes")
	ErrNotHost       = errors.New("is not a host")
	ErrNotBlocking   = errors.New("must begin with 0.0.0.0, a loopback address, :: or ::1")
	ErrMalformed     = errors.New("is malformed")
	ErrType          = errors.New("has another type than its content")
	ErrStatus        = errors.New("must have the status UNKNOWN, ALLOWED or BLOCKED")
	ErrContradiction = errors.New("contradicts the status of the same asset on an earlier line")
)

// ReadOptions are the optional settings of [Read]. The zero value is valid.
type ReadOptions struct {
	// Status is the status of entries without one of their own. Empty means BLOCKED.
	Status asset.Status
	// Refang restores defanged contents: hxxp becomes http, and [.] and (dot) become dots.
	Refang bool
}

// Read yields the entries of a list, in their order. It skips blank lines and comments. A
// refused entry is yielded with its Err, and Read continues with the next one.
//
// An error ends the sequence. It is the error of the reader, or an [*asset.InputError] if the
// format or the status is unknown, if the header of a CSV file has no content or has a
// column twice, or if an eth-phishing-detect file is malformed. Read yields no entry of
// such a file.
//
// An entry of a hosts file or an eth-phishing-detect file is a host, as in https://ENTRY:
// a PAGE, or the identifier of a platform that has a host of its own. A host in both lists
// of an eth-phishing-detect file is ALLOWED.
//
// Read keeps one line in memory. For CSV and JSON Lines, it also keeps at most 40 bytes for
// each asset, to refuse an entry that contradicts an earlier one: a list can therefore be
// imported again without effect. Of an eth-phishing-detect file, it keeps the text of all
// entries with a few bytes more for each, and at most 40 bytes for each host of an allowlist.
func Read(r io.Reader, format Format, opts ReadOptions) iter.Seq2[Entry, error] {
	if opts.Status == "" {
		opts.Status = asset.StatusBlocked
	}
	return func(yield func(Entry, error) bool) {
		var issues asset.Issues
		issues.Check(slices.Contains(readable[:], format), "format", "must be "+names(readable[:]))
		issues.Check(opts.Status.Valid(), "status", "must be UNKNOWN, ALLOWED or BLOCKED")
		if err := issues.Err(); err != nil {
			yield(Entry{}, err)
			return
		}
		l := &reader{lines: newLineReader(r), opts: opts, yield: yield}
		var err error
		switch format {
		case Lines:
			err = l.readLines()
		case Hosts:
			err = l.readHosts()
		case CSV:
			err = l.readCSV()
		case JSONLines:
			err = l.readJSONLines()
		default:
			err = l.readPhishingDetect(r)
		}
		if err != nil && !errors.Is(err, errStopped) {
			yield(Entry{}, err)
		}
	}
}

// errStopped reports that the loop body has ended the loop.
var errStopped = errors.New("stopped")

// reader reads a list.
type reader struct {
	lines *lineReader
	opts  ReadOptions
	yield func(Entry, error) bool
	seen  seenStatuses
}

// found yields an entry.
func (l *reader) found(line int, identity asset.Identity, status asset.Status) error {
	return l.entry(Entry{Line: line, StatusItem: asset.StatusItem{Identity: identity, Status: status}})
}

// refuse yields an entry that is refused.
func (l *reader) refuse(line int, text string, reason error) error {
	return l.entry(Entry{Line: line, Err: reason, Text: excerpt(text)})
}

func (l *reader) entry(e Entry) error {
	if !l.yield(e, nil) {
		return errStopped
	}
	return nil
}

// identify returns the identity of a content.
func (l *reader) identify(content string) (asset.Identity, error) {
	if l.opts.Refang {
		content = refang(content)
	}
	result, err := classify.Classify(content)
	return result.Identity, err
}
