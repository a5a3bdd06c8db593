package lists

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/apguard/apguard/asset"
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
	ErrEntity        = errors.New("has an HTML entity, such as &amp; for &")
	ErrAccount       = errors.New("is a word that would be an account; write @ before it if it is one")
	ErrMark          = errors.New("has a # that begins neither a route nor, after white space, a comment")
)

// ReadOptions are the optional settings of [Read]. The zero value is valid.
type ReadOptions struct {
	// Status is the status of entries without one of their own. Empty means BLOCKED.
	Status asset.Status
	// Refang restores defanged contents: hxxp becomes http, and [.] and (dot) become dots.
	Refang bool
	// Accounts takes a word without @ for an account. Without it, such entries are refused, since
	// stray words in lists of domains would block people. Lists of hosts never have accounts.
	Accounts bool
	// Column is the name of the column of a CSV file that has the contents, in any letter case.
	// Empty means content or canonical, or else url.
	Column string
	// Allowed takes the whitelist of an eth-phishing-detect file as ALLOWED. Without it, only the
	// blacklist is taken, apart from the hosts in both.
	Allowed bool
	// NotTaken is called for each entry of a list that Read does not take, with its kind.
	NotTaken func(kind string)
}

// Whitelist is the kind of the entries of a whitelist that are not taken.
const Whitelist = "whitelist"

// Read yields the entries of a list, in their order. It skips blank lines and comments. A
// refused entry is yielded with its Err, and Read continues with the next one.
//
// An error ends the sequence. It is the error of the reader, or an [*asset.InputError] if the
// format or the status is unknown, if the list is an HTML page, if the header of a CSV file has no content or has a
// column twice, or if an eth-phishing-detect file is malformed. Read yields no entry of
// such a file.
//
// The header of a CSV file has the column of the contents, and may have the columns type and status,
// in any order and letter case. Its fields are separated by commas, semicolons or tabs. Comments may
// be before the header, and the header may be one. Statuses have any letter case.
//
// An entry of a hosts file or an eth-phishing-detect file is a host, as in https://ENTRY:
// a PAGE, or the identifier of a platform that has a host of its own. A host in both lists
// of an eth-phishing-detect file is never BLOCKED.
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
		list := bufio.NewReaderSize(r, headSize)
		if err := checkPage(list); err != nil {
			yield(Entry{}, err)
			return
		}
		l := &reader{lines: newLineReader(list), opts: opts, yield: yield}
		var err error
		switch format {
		case Lines:
			err = l.readLines()
		case Hosts:
			err = l.readHosts()
		case Domains:
			err = l.readDomains()
		case AdBlock:
			err = l.readAdBlock()
		case RPZ:
			err = l.readRPZ()
		case CSV:
			err = l.readCSV()
		case JSONLines:
			err = l.readJSONLines()
		default:
			err = l.readPhishingDetect(list)
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

// notTaken reports an entry that is not taken.
func (l *reader) notTaken(kind string) {
	if l.opts.NotTaken != nil {
		l.opts.NotTaken(kind)
	}
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
