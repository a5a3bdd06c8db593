package asset

import (
	"cmp"
	"slices"
	"time"

	"github.com/apguard/apguard/step"
)

// Change records that the status of an asset changed, or only the basis of the status: its From and To
// are then equal. The changelog has the changes of statuses, and the feed has all.
type Change struct {
	// ID is larger than the ID of every change that was recorded earlier.
	ID      int64 `json:"id"`
	AssetID int64 `json:"assetId"`
	Type    Type  `json:"type"`
	// Content is the canonical form of the asset.
	Content string `json:"content"`
	From    Status `json:"fromStatus"`
	To      Status `json:"toStatus"`
	// At is in UTC and has whole milliseconds. It is never before that of an earlier change of
	// the asset.
	At     time.Time `json:"updatedAt"`
	Origin Origin    `json:"origin"`
	// Basis is that of To.
	Basis
}

// OfStatus reports whether the change is one of the status, and so part of the changelog.
func (c Change) OfStatus() bool { return c.From != c.To }

// Identity returns the identity of the changed asset.
func (c Change) Identity() Identity {
	return Identity{Type: c.Type, Canonical: c.Content}
}

// Known returns the asset as it is after the change.
func (c Change) Known() Known {
	return Known{Asset{ID: c.AssetID, Identity: c.Identity(), Status: c.To}, c.Basis}
}

// Compare orders changes as the changelog does, by time and then by ID. The result is
// negative if c is older than d, positive if c is newer, and 0 if they are the same
// change. Changes of one asset are in the order in which they were recorded. Those of different
// assets may not be; see docs/internals.md, section "Clocks".
func (c Change) Compare(d Change) int {
	return cmp.Or(c.At.Compare(d.At), cmp.Compare(c.ID, d.ID))
}

// PageBytes implements [PageItem].
func (c Change) PageBytes() int {
	return step.PageBytes(c.Content, c.Origin.Reference, c.Note)
}

// MaxReference is the maximum length of an origin's reference in bytes.
const MaxReference = 500

// Origin says why a status changed. It is for operators; the specification's changelog
// does not show it.
type Origin struct {
	Cause Cause `json:"cause"`
	// Actor is the ID of the user who acted, or 0 if unknown.
	Actor int64 `json:"actor,omitzero"`
	// Reference names the record behind the change, such as "report/12" or a ticket of
	// the host application. It may be empty. It has at most [MaxReference] bytes.
	Reference string `json:"reference,omitzero"`
}

// check adds issues for a cause, an actor and a reference that are invalid. The cause may be
// empty.
func (o Origin) check(issues *Issues) {
	issues.Check(o.Cause == "" || o.Cause.Valid(), "cause", "must be a known cause")
	issues.CheckUser("actor", o.Actor)
	issues.CheckTextLength("reference", o.Reference, MaxReference)
}

// Cause is the kind of operation that changed a status.
type Cause string

// The causes of a change.
const (
	// CauseAllowlist means that an organization added the asset to its allowlist.
	CauseAllowlist Cause = "ALLOWLIST"
	// CauseAllowlistRemoval means that an allowlist no longer contains the asset, and what else is
	// held on it gives it another status.
	CauseAllowlistRemoval Cause = "ALLOWLIST_REMOVAL"
	// CauseReview means that a reviewer approved a report's proposal.
	CauseReview Cause = "REVIEW"
	// CauseWithdrawal means that operators took their decision back, or that a reviewer withdrew the
	// approval of a report's proposal.
	CauseWithdrawal Cause = "WITHDRAWAL"
	// CauseDispute means that a dispute was accepted.
	CauseDispute Cause = "DISPUTE"
	// CauseManual means that the host application called [Service.SetStatus] or
	// [Service.SetStatuses].
	CauseManual Cause = "MANUAL"
	// CauseImport means that the status was imported, into an empty store or from a list.
	CauseImport Cause = "IMPORT"
	// CauseReclassification means that another asset became the same as this one under new rules.
	CauseReclassification Cause = "RECLASSIFICATION"
	// CauseList means that a list began or ceased to hold a status; see package lists.
	CauseList Cause = "LIST"
	// CauseExpiry means that a decision has ended; see [Service.ExpireDecisions].
	CauseExpiry Cause = "EXPIRY"
)

var causes = [...]Cause{
	CauseAllowlist, CauseAllowlistRemoval, CauseReview, CauseWithdrawal, CauseDispute, CauseManual, CauseImport,
	CauseReclassification, CauseList, CauseExpiry,
}

// Causes returns all causes in a new slice.
func Causes() []Cause {
	return slices.Clone(causes[:])
}

// ByOperators reports whether operators or reviewers decide such a change, one by one.
func (c Cause) ByOperators() bool {
	return c == CauseReview || c == CauseWithdrawal || c == CauseDispute || c == CauseManual
}

// Valid reports whether c is one of the causes.
func (c Cause) Valid() bool {
	return slices.Contains(causes[:], c)
}
