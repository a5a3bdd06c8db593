package report

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
)

// Review is one review of a proposal. Every review is kept, even if it is withdrawn.
type Review struct {
	// ID is larger than that of every earlier review of the proposal.
	ID         int64        `json:"id"`
	ProposalID int64        `json:"proposalId"`
	Status     ReviewStatus `json:"reviewStatus"`
	// ReviewedBy is the user who reviewed the proposal, or 0 if unknown.
	ReviewedBy int64 `json:"reviewedBy,omitzero"`
	// Comment may be empty.
	Comment string `json:"comment,omitzero"`
	// ReviewedAt is in UTC, in whole milliseconds. It is zero if the review was imported
	// without a time.
	ReviewedAt time.Time `json:"reviewedAt,omitzero"`
	// ChangeID is the ID of the change that an APPROVE made to the asset. It is 0 if the
	// asset already had the proposed status.
	ChangeID int64 `json:"changeId,omitzero"`
	// WithdrawnAt, WithdrawnBy and WithdrawnReason are zero if the review is not
	// withdrawn. On a withdrawn review, WithdrawnBy is 0 if unknown, and WithdrawnReason
	// may be empty.
	WithdrawnAt     time.Time `json:"withdrawnAt,omitzero"`
	WithdrawnBy     int64     `json:"withdrawnBy,omitzero"`
	WithdrawnReason string    `json:"withdrawnReason,omitzero"`
}

// Withdrawn reports whether the review is withdrawn.
func (r Review) Withdrawn() bool {
	return !r.WithdrawnAt.IsZero()
}

// PageBytes implements [asset.PageItem].
func (r Review) PageBytes() int {
	return asset.PageBytes(r.Comment, r.WithdrawnReason)
}

// MaxComment is the maximum length in bytes of a comment, and of the reason of a
// withdrawal.
const MaxComment = 10_000

// ReviewRequest is the request of [ReviewService.Review].
type ReviewRequest struct {
	Scope      Scope
	ProposalID int64
	Status     ReviewStatus
	// Actor is the user who reviews, or 0 if unknown.
	Actor int64
	// Comment may be empty. It has at most [MaxComment] bytes.
	Comment string
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (req ReviewRequest) Validate() error {
	var issues asset.Issues
	req.Scope.check(&issues)
	issues.Check(req.Status.Valid(), "reviewStatus", "must be APPROVE, REJECT, SKIP or ESCALATE")
	issues.CheckUser("actor", req.Actor)
	issues.CheckTextLength("comment", req.Comment, MaxComment)
	return issues.Err()
}

// Review adds a review to a proposal and returns the updated report. The proposal shows
// the review if it is now the [EffectiveReview]. A SKIP or an ESCALATE after a decision
// is kept but not shown.
//
// An APPROVE gives the asset the proposed status. If the asset had another status, the
// change is recorded. REJECT, SKIP and ESCALATE never change the asset. To undo an
// approval, use [ReviewService.Withdraw].
//
// The error is that of [ReviewRequest.Validate], or [ErrProposalNotFound].
func (s *ReviewService) Review(ctx context.Context, req ReviewRequest) (Report, error) {
	if err := req.Validate(); err != nil {
		return Report{}, err
	}
	updated, err := s.store.AddReviews(ctx, ReviewCommand{ReviewRequest: req, At: s.clock()})
	if errors.Is(err, ErrNotFound) {
		return Report{}, ErrProposalNotFound
	}
	return updated, err
}

// ReviewCommand is a valid review of one proposal, or of all undecided proposals of a
// report.
type ReviewCommand struct {
	// ReviewRequest is the review. If its ProposalID is 0, the command reviews the
	// undecided proposals of the report with the ReportID.
	ReviewRequest
	ReportID int64
	At       time.Time
}

// Apply returns the reviews to add to the report that the command selects, without their
// IDs and ChangeIDs. There is at least one. The error is [ErrDecided] if the command
// reviews undecided proposals and the report has none.
func (cmd ReviewCommand) Apply(r Report) ([]Review, error) {
	var reviews []Review
	for _, p := range r.Proposals {
		if cmd.reviews(p) {
			reviews = append(reviews, Review{
				ProposalID: p.ID,
				Status:     cmd.Status,
				ReviewedBy: cmd.Actor,
				Comment:    cmd.Comment,
				ReviewedAt: asset.TruncateTime(cmd.At),
			})
		}
	}
	if len(reviews) == 0 {
		return nil, ErrDecided
	}
	return reviews, nil
}

func (cmd ReviewCommand) reviews(p Proposal) bool {
	if cmd.ProposalID == 0 {
		return !p.ReviewStatus.Decides()
	}
	return p.ID == cmd.ProposalID
}

// Origin returns the origin of the status change that r makes. The argument is the ID of
// the report that r belongs to.
func (r Review) Origin(reportID int64) asset.Origin {
	return origin(asset.CauseReview, r.ReviewedBy, reportID)
}

func origin(cause asset.Cause, actor, reportID int64) asset.Origin {
	return asset.Origin{
		Cause:     cause,
		Actor:     actor,
		Reference: "report/" + strconv.FormatInt(reportID, 10),
	}
}
