// Package dispute handles disputes: requests to reconsider an asset, usually because it
// seems to be blocked by mistake.
//
// [Service.Create] follows the specification's "Dispute create". Each e-mail address can
// dispute an asset once. The asset may have any status. An asset that the service does not
// know can be disputed if a [check.ExternalList], such as a public phishing list, blocks it. If
// only an external list blocks the asset, the service adds a note to the dispute that says
// so. [Service.Get] tells the creator how the dispute went.
//
// [QueueService] is for operators. It lists, reviews and decides disputes, and adds notes
// to them. The specification has no operations for this; over HTTP, httpapi.NewOperator has.
//
// A dispute has one [State] at a time. Its notes record every [Transition].
package dispute

import (
	"cmp"
	"slices"
	"time"

	"github.com/apguard/apguard/step"
)

// Dispute is one request to reconsider an asset.
type Dispute struct {
	ID      int64 `json:"id"`
	AssetID int64 `json:"assetId"`
	// Content is the asset as submitted, without surrounding white space.
	Content string `json:"content"`
	// Email is the contact address as submitted, without surrounding white space.
	Email string `json:"email"`
	// Description may be empty. It has at most [MaxDescription] bytes. Lists omit it.
	Description string `json:"description,omitempty"`
	// OrganizationID and CreatedBy are the organization and the user who created the dispute, or
	// 0 if unknown.
	OrganizationID int64 `json:"organizationId,omitzero"`
	CreatedBy      int64 `json:"createdBy,omitzero"`
	State          State `json:"state"`
	// Assignee is the user who has the dispute under review, or who closed it. It is 0 if the
	// dispute is OPEN, or if the user is unknown.
	Assignee int64 `json:"assignee,omitzero"`
	// Notes are in the order in which they were added. Lists omit them.
	Notes []Note `json:"notes,omitempty"`
	// CreatedAt is in UTC and has whole milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// UpdatedAt is the time of the last transition or note, in UTC and whole
	// milliseconds. It is never before CreatedAt.
	UpdatedAt time.Time `json:"updatedAt"`
}

// Listed returns d as lists contain it: without its description and notes.
func (d Dispute) Listed() Dispute {
	d.Description, d.Notes = "", nil
	return d
}

// PageBytes implements [step.PageItem].
func (d Dispute) PageBytes() int {
	return step.PageBytes(d.Content, d.Email, d.Description)
}

// assignee returns the Assignee of a dispute with this state and these notes.
func (d Dispute) assignee() int64 {
	last, ok := d.LastTransition()
	if !ok || d.State == StateOpen {
		return 0
	}
	return cmp.Or(last.Assignee, last.Author)
}

// LastTransition returns the note of the transition to the current state. If the dispute
// is ACCEPTED or REJECTED, the note has the decision.
//
// It returns false if the dispute had no transition, or if it comes from
// [QueueService.List], which omits notes.
func (d Dispute) LastTransition() (Note, bool) {
	for _, note := range slices.Backward(d.Notes) {
		if note.Kind == NoteKindTransition {
			return note, true
		}
	}
	return Note{}, false
}
