package asset

import (
	"slices"
	"time"
)

// Change is one entry of the changelog: the status of one asset went from one
// value to another.
type Change struct {
	// ID orders changes that happened in the same millisecond.
	ID      int64
	AssetID int64
	Type    Type
	// Content is the canonical form of the asset.
	Content string
	From    Status
	To      Status
	// At is in UTC and has whole milliseconds.
	At     time.Time
	Origin Origin
}

// Identity returns the identity of the asset.
func (c Change) Identity() Identity {
	return Identity{Type: c.Type, Canonical: c.Content}
}

// Cursor returns the place in the changelog right after c.
func (c Change) Cursor() ChangeCursor {
	return ChangeCursor{At: c.At, ID: c.ID}
}

// Origin says where a change of status came from. It is kept with the change
// for whoever runs the service; the specification's changelog does not show it.
type Origin struct {
	Cause Cause
	// Actor is the identifier of the user who acted, or 0 when there was none.
	Actor int64
	// Reference names what the change belongs to, such as "report/12" or the
	// host's own ticket. It may be empty.
	Reference string
}

// Cause is the kind of act that changed a status.
type Cause string

// The causes of a change.
const (
	// CauseAllowlist: an organization added the asset to its allowlist.
	CauseAllowlist Cause = "ALLOWLIST"
	// CauseReview: a report's proposal was approved.
	CauseReview Cause = "REVIEW"
	// CauseWithdrawal: the approval of a report's proposal was withdrawn.
	CauseWithdrawal Cause = "WITHDRAWAL"
	// CauseDispute: a dispute was accepted.
	CauseDispute Cause = "DISPUTE"
	// CauseManual: the host set the status itself, through [Service.SetStatus].
	CauseManual Cause = "MANUAL"
	// CauseImport: the asset came with the data of an empty store's first fill.
	CauseImport Cause = "IMPORT"
)

var causes = [...]Cause{CauseAllowlist, CauseReview, CauseWithdrawal, CauseDispute, CauseManual, CauseImport}

// Valid reports whether c is one of the causes.
func (c Cause) Valid() bool {
	return slices.Contains(causes[:], c)
}
