// Package idempotency lets callers send a request again whose answer they did not receive.
//
// A caller gives the request a [Key]. The service executes the first request with the key,
// and keeps its answer for 24 hours. A retry gets that answer and does nothing. Another
// request with the same key is refused with [ErrReused].
//
// A key belongs to an organization, a user and an operation, so different callers may use
// the same text. Only a request that succeeds uses its key. One that was refused can be
// corrected and sent again with the same key.
//
// Allowlist additions and removals, new disputes and reports, and what operators do with disputes,
// reports and statuses take a key. A service passes it to the store as a [Claim]. The store keeps the
// [Record] in the same step as the work. Whenever a process or database stops, either both are
// stored or neither. Guard.Run of package apguard deletes old records; without it, they stay.
package idempotency

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

const (
	// Lifetime is the time for which a [Record] counts, from the time of its claim.
	Lifetime = 24 * time.Hour
	// PruneLimit is the maximum number of old records that are removed in one step.
	PruneLimit = 1000
)

// Claim is the intention to execute a request with a key. The zero value belongs to a request
// without a key.
type Claim struct {
	// OrganizationID and UserID are the caller, or 0 if unknown.
	OrganizationID int64
	UserID         int64
	// Operation is the name of the operation, such as "dispute.create".
	Operation string
	Key       Key
	At        time.Time
}

// ID identifies the owner and the text of a key. It is a hash, so stores keep no text of the
// caller.
type ID [32]byte

// Claim returns the claim of a request with the key, or the zero Claim if k is zero. If k has no
// fingerprint, Claim computes it from the fields of the request.
func (k Key) Claim(operation string, organizationID, userID int64, at time.Time, fields func() []string) Claim {
	if k.Text == "" {
		return Claim{}
	}
	if k.Fingerprint == (Fingerprint{}) {
		k.Fingerprint = FingerprintOf(fields()...)
	}
	return Claim{OrganizationID: organizationID, UserID: userID, Operation: operation, Key: k, At: at}
}

// IsZero reports whether the request has no key.
func (c Claim) IsZero() bool { return c.Key.Text == "" }

// ID returns the identifier of the record. It depends on the organization, the user, the
// operation and the text of the key.
func (c Claim) ID() ID {
	return digest([]string{
		strconv.FormatInt(c.OrganizationID, 10),
		strconv.FormatInt(c.UserID, 10),
		c.Operation,
		c.Key.Text,
	})
}

// Record is what a store keeps of a request that it executed.
type Record struct {
	ID          ID
	Fingerprint Fingerprint
	// Answer is for the service that made the command.
	Answer []byte
	// At is the time of the claim, in UTC, truncated to milliseconds.
	At time.Time
}

// Record returns the record of the executed request.
func (c Claim) Record(answer []byte) Record {
	return Record{ID: c.ID(), Fingerprint: c.Key.Fingerprint, Answer: answer, At: c.At.UTC().Truncate(time.Millisecond)}
}

// Check decides what a stored record with the ID of the claim means. It returns nil if the
// record has expired, so that the request must be executed and its record replaces the old
// one. It returns a [*ReplayError] if the claim is of the recorded request, and [ErrReused]
// if it is another request.
//
// A record expires [Lifetime] after its time. One from the future counts: the clock was set
// back since, or another server's clock is ahead.
func (c Claim) Check(stored Record) error {
	switch {
	case c.At.Sub(stored.At) >= Lifetime:
		return nil
	case stored.Fingerprint != c.Key.Fingerprint:
		return ErrReused
	default:
		return &ReplayError{Answer: stored.Answer}
	}
}

// PruneBefore returns the time before which records may be removed. This is only
// [Lifetime] after they expired, because the clock may be set back, and the clocks of several
// servers differ.
func PruneBefore(now time.Time) time.Time {
	return now.Add(-2 * Lifetime)
}

// MaxKeyLength is the maximum length of a [Key], in bytes.
const MaxKeyLength = 255

// Key is the idempotency key of a request. The zero value is no key.
type Key struct {
	// Text is the key that the caller chose, without quotes: 1 to [MaxKeyLength] visible
	// ASCII characters, or empty for no key.
	Text string
	// Fingerprint tells requests with the same Text apart. If it is zero, the service
	// computes it from the fields of the request.
	Fingerprint Fingerprint
}

// ParseKey returns the key of an Idempotency-Key header, without a fingerprint. The key may
// be enclosed in double quotes, as in the IETF draft: k and "k" are the same key. Nothing
// else is removed or decoded. The error is a [*KeyError], also if only one of the
// quotes is there.
func ParseKey(header string) (Key, error) {
	text, opened := strings.CutPrefix(header, `"`)
	text, closed := strings.CutSuffix(text, `"`)
	switch {
	case !validText(text):
		return Key{}, invalidKey()
	case opened != closed:
		return Key{}, keyError("must not have only one of two double quotes")
	}
	return Key{Text: text}, nil
}

// Validate returns a [*KeyError] if k is neither a valid key nor zero.
func (k Key) Validate() error {
	if k.Text == "" || validText(k.Text) {
		return nil
	}
	return invalidKey()
}

func validText(text string) bool {
	hidden := func(r rune) bool { return r < '!' || '~' < r }
	return text != "" && len(text) <= MaxKeyLength && !strings.ContainsFunc(text, hidden)
}

func invalidKey() error {
	return keyError(fmt.Sprintf("must be 1 to %d visible ASCII characters", MaxKeyLength))
}

func keyError(message string) error { return &KeyError{message} }
