package report

import "github.com/apguard/apguard/asset"

// Effect is what the approvals of a proposal have done to its asset: the last change
// that one of them made. It belongs to the proposal, as a later approval of the same
// status changes nothing and yet holds what the earlier one did. The zero value is
// none.
type Effect struct {
	// ChangeID is the change that was recorded.
	ChangeID int64
	// From is the status that the asset had before.
	From asset.Status
	// Since is the first review that the change rests on: the one that made it, or an
	// earlier approval that stood again when that one was withdrawn.
	Since int64
}

// Concerns reports whether the withdrawal of a review with that status can change the
// effect or the asset. Where it cannot, a store need not look at the rest of an
// [Aftermath].
func (e Effect) Concerns(withdrawn ReviewStatus) bool {
	return withdrawn == ReviewApprove && e.ChangeID != 0
}

// LastApproval returns the identifier of the last APPROVE that is not withdrawn of a
// proposal's reviews, in any order, or 0. Every store answers as this function does.
func LastApproval(reviews []Review) int64 {
	var last int64
	for _, r := range reviews {
		if r.Status == ReviewApprove && !r.Withdrawn() {
			last = max(last, r.ID)
		}
	}
	return last
}

// Aftermath is what there is to know about a proposal and its asset once a review
// is withdrawn.
type Aftermath struct {
	// Withdrawn is the review that was withdrawn.
	Withdrawn ReviewStatus
	// Standing is the review that stands now, or the zero Review when there is none.
	Standing Review
	// LastApproval is what [LastApproval] returns for the proposal's reviews.
	LastApproval int64
	Effect       Effect
	// LastChange is the change of the asset with the largest identifier of those
	// that the store still has, or 0. It is by identifier, not by time, as the clock
	// may have been set back.
	LastChange int64
	// Proposed is the status that an approval gives the asset.
	Proposed asset.Status
	// Now is the status of the asset.
	Now asset.Status
}

// Settle returns the status that the asset has after the withdrawal, and the effect
// that the approvals have then. The asset goes back to the status from before their
// change when an approval was withdrawn, none stands, none is left that was given
// since the change, and nothing has changed the asset after it. Otherwise it stays.
//
// Where the change itself is pruned, something has changed the asset since, or the
// changelog no longer tells; the asset stays.
func (a Aftermath) Settle() (asset.Status, Effect) {
	switch {
	case !a.Effect.Concerns(a.Withdrawn):
		return a.Now, a.Effect
	case a.Standing.Status == ReviewApprove:
		// What an older approval holds from now on stays its own when a rejection and
		// one more approval come after it and that one is withdrawn.
		held := a.Effect
		held.Since = min(held.Since, a.Standing.ID)
		return a.Now, held
	case a.LastApproval >= a.Effect.Since:
		return a.Now, a.Effect
	case a.LastChange != a.Effect.ChangeID || a.Now != a.Proposed:
		return a.Now, a.Effect
	default:
		return a.Effect.From, Effect{}
	}
}
