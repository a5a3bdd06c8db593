package report

import (
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
)

// ReviewDraft is what [Store.ReviewProposal] records.
type ReviewDraft struct {
	// OrganizationID is whose report it must be, or 0 for anyone's.
	OrganizationID int64
	ProposalID     int64
	Status         ReviewStatus
	// By is the user who reviewed, or 0 when not known.
	By      int64
	Comment string
	At      time.Time
}

// Review returns what is kept of the draft, but for the ID.
func (d ReviewDraft) Review() Review {
	return Review{
		ProposalID: d.ProposalID,
		Status:     d.Status,
		By:         d.By,
		Comment:    d.Comment,
		At:         asset.TruncateTime(d.At),
	}
}

// AssetStatus returns the status that the asset of the proposal has after the
// review: the proposed one when the review approves, else the one that it has.
func (d ReviewDraft) AssetStatus(proposed, now asset.Status) asset.Status {
	if d.Status == ReviewApprove {
		return proposed
	}
	return now
}

// Origin returns where the change of a status came from that this review of a
// proposal in the given report caused.
func (d ReviewDraft) Origin(reportID int64) asset.Origin {
	return origin(asset.CauseReview, d.By, reportID)
}

// Withdrawal is what [Store.WithdrawReview] records.
type Withdrawal struct {
	// OrganizationID is whose report it must be, or 0 for anyone's.
	OrganizationID int64
	ReviewID       int64
	// By is the user who withdrew, or 0 when not known.
	By     int64
	Reason string
	At     time.Time
}

// Of returns the review as it is after the withdrawal. The error is
// [ErrNotDecision] or [ErrWithdrawn].
func (w Withdrawal) Of(r Review) (Review, error) {
	switch {
	case !r.Status.Decides():
		return Review{}, ErrNotDecision
	case r.Withdrawn():
		return Review{}, ErrWithdrawn
	}
	r.WithdrawnAt, r.WithdrawnBy, r.WithdrawnReason = asset.TruncateTime(w.At), w.By, w.Reason
	return r, nil
}

// Origin is like [ReviewDraft.Origin], for a status that went back.
func (w Withdrawal) Origin(reportID int64) asset.Origin {
	return origin(asset.CauseWithdrawal, w.By, reportID)
}

// Escalation is what [Store.EscalateReport] records.
type Escalation struct {
	// OrganizationID is whose report it must be, or 0 for anyone's.
	OrganizationID int64
	ReportID       int64
	// By is the user who escalated, or 0 when not known.
	By      int64
	Comment string
	At      time.Time
}

// Drafts returns the reviews that the escalation of a report with these proposals
// consists of: an ESCALATE of each one that is not decided, in their order. The
// error is [ErrDecided] when there is none.
func (e Escalation) Drafts(proposals []Proposal) ([]ReviewDraft, error) {
	var drafts []ReviewDraft
	for _, p := range proposals {
		if p.ReviewStatus.Decides() {
			continue
		}
		drafts = append(drafts, ReviewDraft{
			OrganizationID: e.OrganizationID,
			ProposalID:     p.ID,
			Status:         ReviewEscalate,
			By:             e.By,
			Comment:        e.Comment,
			At:             e.At,
		})
	}
	if len(drafts) == 0 {
		return nil, ErrDecided
	}
	return drafts, nil
}

func origin(cause asset.Cause, actor, reportID int64) asset.Origin {
	return asset.Origin{
		Cause:     cause,
		Actor:     actor,
		Reference: "report/" + strconv.FormatInt(reportID, 10),
	}
}
