package lists

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
)

// Entry is an entry of a list.
type Entry struct {
	// Line is the number of the line of the list, from 1. A line may have several
	// entries, and an entry of a CSV file several lines.
	Line int
	// StatusItem is the asset and its status.
	asset.StatusItem
	// Err says why the entry was refused, or is a [*NotTakenError] if it is of a kind that Read
	// leaves out. StatusItem is then zero. The error does not contain the text of the entry.
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
	ErrExpiry        = errors.New("must have an expiresAt such as 2030-12-31T00:00:00Z, or none")
	ErrContradiction = errors.New("contradicts the status of the same asset on an earlier line")
	ErrBareHandle    = errors.New("is an account only with the accounts of a list; write @ before a handle")
	ErrFragment      = errors.New("has a # that begins neither a comment nor a route")
	ErrEntity        = errors.New("has an HTML entity, such as &amp;; decode the list first")
	ErrCosmetic      = errors.New("hides parts of a page, and blocks nothing")
	ErrException     = errors.New("is an exception, which this import does not know")
	ErrPattern       = errors.New("is not a rule for a whole host")
	ErrOption        = errors.New("is a rule that holds only in some cases")
	ErrRecord        = errors.New("is not a record that blocks a domain")
	ErrTrigger       = errors.New("is a trigger of a zone other than a domain")
	ErrOutOfZone     = errors.New("is not a name of the zone")
)

// ErrMarkup reports that a list is an HTML or XML page, such as the message of a server that did not
// have the list.
var ErrMarkup = errors.New("must be a list, not an HTML or XML page")

// NotTakenError is the Err of an entry that says nothing which the import is to take, such as an entry
// of a whitelist. [Import] counts these entries by kind, apart from the refused ones.
type NotTakenError struct {
	// Kind is one of the constants, such as NotTakenWhitelist.
	Kind string
}

// The kinds of entries that are not taken.
const (
	// NotTakenWhitelist is an entry of a whitelist of eth-phishing-detect without
	// [ReadOptions.Allowed].
	NotTakenWhitelist = "whitelist"
	// NotTakenWhitelisted is an entry of a blacklist that a whitelist of the same file frees.
	NotTakenWhitelisted = "whitelisted"
	// NotTakenFuzzylist is an entry of a fuzzylist.
	NotTakenFuzzylist = "fuzzylist"
	// NotTakenPassthru is a record of an rpz zone that frees its domain from other zones.
	NotTakenPassthru = "passthru"
	// NotTakenEnded is an entry with an end that is not after [ReadOptions.At].
	NotTakenEnded = "ended"
)

// Error implements the error interface.
func (e *NotTakenError) Error() string { return "is not taken: " + e.Kind }

// ReadOptions are the optional settings of [Read]. The zero value is valid.
type ReadOptions struct {
	// Status is the status of entries without one of their own. Empty means BLOCKED.
	Status asset.Status
	// Refang restores defanged contents: hxxp becomes http, and [.] and (dot) become dots.
	Refang bool
	// Accounts takes words without @, such as jack, for accounts in the formats lines, csv and
	// jsonl. Without it they are refused, because a stray word of a list of domains would block
	// somebody's account. Handles with @ and links to accounts are always taken, and so are
	// records that name the type of the account.
	Accounts bool
	// Allowed makes the entries of the whitelists of eth-phishing-detect ALLOWED. Without it they
	// are not taken, and only keep entries of the blacklists from being BLOCKED.
	Allowed bool
	// Column is the column of a CSV file that has the contents. Letter case does not count. Empty
	// means the first of content, canonical and url that the file has.
	Column string
	// At is the present time. Entries that have ended by then are not taken.
	At time.Time
}

// Read yields the entries of a list, in their order. It skips blank lines and comments. A
// refused entry is yielded with its Err, and Read continues with the next one.
//
// An error ends the sequence. It is the error of the reader, or an [*asset.InputError] if the
// format or the status is unknown, if the header of a CSV file has no content or has a
// column twice, if the list is an HTML page, which also matches [ErrMarkup], or if an
// eth-phishing-detect file is malformed. Read yields no entry of such a file.
//
// An entry of a list of hosts (domains, hosts, adblock, rpz and eth-phishing-detect) is a host, as
// in https://ENTRY: a PAGE, or the identifier of a platform that has a host of its own. A domain
// with "." or "*." before it is read as the domain in lines, domains and rpz. An entry of
// eth-phishing-detect that a whitelist covers is not BLOCKED. The names that every hosts file has
// for the machine itself, such as localhost, are skipped.
//
// An IPFS content identifier alone is the link to the content at ipfs.io in the formats lines,
// domains, csv, jsonl and eth-phishing-detect. The check of a link on any gateway asks for it.
//
// Of adblock, Read takes ||HOST^, with options that do not narrow it, lines of a hosts file, and
// plain hosts. Of rpz it takes the records that deny a domain or drop its queries. It refuses the
// other rules and records, such as exceptions.
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
		input := bufio.NewReaderSize(r, lineBuffer)
		l := &reader{lines: newLineReader(input), opts: opts, yield: yield}
		err := refuseMarkup(input)
		if err == nil {
			err = l.read(input, format)
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

func (l *reader) read(input io.Reader, format Format) error {
	switch format {
	case Lines:
		return l.readLines()
	case Domains:
		return l.readDomains()
	case Hosts:
		return l.readHosts()
	case AdBlock:
		return l.readAdBlock()
	case RPZ:
		return l.readZone()
	case CSV:
		return l.readCSV()
	case JSONLines:
		return l.readJSONLines()
	default:
		return l.readPhishingDetect(input)
	}
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
