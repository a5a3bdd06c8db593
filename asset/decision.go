package asset

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Decision is the status that the operators hold on an asset. They have at most one on each: a
// status that is set, an approved review, an accepted dispute, and an import take it.
type Decision struct {
	Status Status `json:"status"`
	// Reason says why. It fits the status. A BLOCKED asset has one: [ReasonOther] if none is given.
	Reason Reason `json:"reason,omitzero"`
	// Note says more, for everybody who may see the status. It has at most [MaxNote] bytes, and no
	// line breaks or other control characters. It is plain text.
	Note string `json:"note,omitzero"`
	// Since is when the decision was taken. It is in UTC and has whole milliseconds. It is after the
	// one that it replaced and all entries of allowlists that were there, even if the clock was set back.
	Since time.Time `json:"since"`
	// ExpiresAt is when the decision ends, and ReviewAt when the operators want to look at it again, which
	// changes nothing. Each is in UTC and has whole milliseconds, and is zero for never. See
	// [Service.ExpireDecisions] and [Service.Due].
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	ReviewAt  time.Time `json:"reviewAt,omitzero"`
	// Origin has the actor and the reference. It is for operators.
	Origin Origin `json:"origin"`
	// Replaced is the decision that this one took the place of, or nil. It stands again if this
	// one is reverted, as by the withdrawal of its review. Its own Replaced is nil.
	Replaced *Decision `json:"replaced,omitempty"`
}

// Clone returns a copy that shares nothing with d, which may be nil.
func (d *Decision) Clone() *Decision {
	if d == nil {
		return nil
	}
	clone := *d
	clone.Replaced = d.Replaced.Clone()
	return &clone
}

// MaxNote is the maximum length of the note of a decision in bytes.
const MaxNote = 200

// check adds issues for a reason and a note that are invalid.
func (d Decision) check(issues *Issues) {
	issues.CheckReason(d.Reason, d.Status)
	issues.CheckTextLength("note", d.Note, MaxNote)
	issues.Check(!strings.ContainsFunc(d.Note, isControl), "note", "must have no line breaks or other control characters")
}

func isControl(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp) }

// repeats reports whether d says nothing else than another decision of the same status.
func (d Decision) repeats(other Decision) bool {
	return d.Reason == other.Reason && d.Note == other.Note &&
		d.ExpiresAt.Equal(other.ExpiresAt) && d.ReviewAt.Equal(other.ReviewAt)
}

// withoutReplaced returns a copy of d that leads back to no other decision.
func (d Decision) withoutReplaced() *Decision {
	d.Replaced = nil
	return &d
}

// at returns a copy of d of another time.
func (d Decision) at(since time.Time) *Decision {
	d.Since = since
	return &d
}

// outweighs reports whether d stays of two decisions on assets that become one.
func (d Decision) outweighs(other Decision) bool {
	return cmp.Or(cmp.Compare(mergeRank(d.Status), mergeRank(other.Status)), d.Since.Compare(other.Since)) > 0
}

// mergeRank is larger for a status that stays of two on assets that become one.
func mergeRank(status Status) int {
	order := [...]Status{StatusUnknown, StatusAllowed, StatusBlocked}
	return slices.Index(order[:], status)
}
