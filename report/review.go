package report

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/step"
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
	// DecidedAt is the Since of the decision on the asset that an APPROVE made, or zero; see
	// asset.Decision. It makes none if the operators hold the proposed status already and it counts.
	DecidedAt time.Time `json:"-"`
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

// Sets returns the status that the review gives to the asset of its proposal. Only an APPROVE gives it
// one, the proposed status.
func (r Review) Sets(p Proposal) (status asset.Status, sets bool) {
	if r.Status != ReviewApprove {
		return "", false
	}
	return p.ProposedStatus, true
}

// PageBytes implements [step.PageItem].
func (r Review) PageBytes() int {
	return step.PageBytes(r.Comment, r.WithdrawnReason)
}

// Limits of reviews.
const (
	// MaxComment is the maximum length in bytes of a comment, and of the reason of a
	// withdrawal.
	MaxComment = 10_000
	// MaxReviews is the maximum number of reviews of a proposal, including withdrawn ones. A
	// SKIP or an ESCALATE is refused once the proposal has half of it, so that reviews that
	// decide nothing leave room for decisions.
	MaxReviews = 1000
	// MaxTotalReviewBytes is the maximum number of bytes of all comments and reasons of a
	// proposal's reviews. Reviews and withdrawals without a text are not affected.
	MaxTotalReviewBytes = 256 << 10
)

// ReviewRequest is the request of [ReviewService.Review].
type ReviewRequest struct {
	Scope      Scope
	ProposalID int64
	Status     ReviewStatus
	// Actor is the user who reviews, or 0 if unknown.
	Actor int64
	// Comment may be empty. It has at most [MaxComment] bytes.
	Comment string
	// ConfirmProtected confirms that an APPROVE is to block a protected asset; see [asset.Protection].
	ConfirmProtected bool
	// IfReview, unless nil, is the ReviewID of the proposal that the caller saw, which is 0 if
	// no review was in effect. If another review is in effect now, nothing is stored.
	IfReview *int64
	// Idempotency is the key with which the request can be sent again; see package
	// idempotency. It belongs to the organization of the Scope and to Actor. The zero key is
	// none.
	Idempotency idempotency.Key
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (req ReviewRequest) Validate() error {
	var issues asset.Issues
	req.Scope.check(&issues)
	issues.Check(req.Status.Valid(), "reviewStatus", "must be APPROVE, REJECT, SKIP or ESCALATE")
	issues.CheckUser("actor", req.Actor)
	issues.CheckTextLength("comment", req.Comment, MaxComment)
	checkIfReview(&issues, req.IfReview)
	issues.CheckIdempotency(req.Idempotency)
	return issues.Err()
}

func checkIfReview(issues *asset.Issues, id *int64) {
	if id != nil {
		issues.CheckOptionalID("ifReview", *id)
	}
}

// fields returns the fields of the request for a fingerprint.
func (req ReviewRequest) fields() []string {
	return []string{strconv.FormatInt(req.ProposalID, 10), string(req.Status), req.Comment, ifReviewField(req.IfReview), strconv.FormatBool(req.ConfirmProtected)}
}

func ifReviewField(id *int64) string {
	if id == nil {
		return ""
	}
	return strconv.FormatInt(*id, 10)
}

// Review adds a review to a proposal and returns the updated report. The proposal shows
// the review if it is now the [EffectiveReview]. A SKIP or an ESCALATE after a decision
// is kept but not shown.
//
// An APPROVE gives the asset the proposed status. If the asset had another status, the
// change is recorded. REJECT, SKIP and ESCALATE never change the asset. To undo an
// approval, use [ReviewService.Withdraw].
//
// The error is an [*asset.InputError], [ErrProposalNotFound] or [ErrTooManyReviews]. It matches
// [asset.ErrProtected] if an APPROVE would block a protected asset without confirming it. It is
// [asset.ErrChanged] if IfReview is not the review in effect. With a [Brake], it is that of a pending act if an
// APPROVE blocks a protected asset and confirms it; see package pending. With a key, it can be [idempotency.ErrReused] or [idempotency.ErrInProgress].
func (s *ReviewService) Review(ctx context.Context, req ReviewRequest) (Updated, error) {
	if err := req.Validate(); err != nil {
		return Updated{}, err
	}
	at := s.clock()
	proposal, protections, err := s.protections(ctx, req, at)
	if err != nil {
		return Updated{}, err
	}
	cmd := ReviewCommand{
		ReviewRequest: req,
		At:            at,
		Protections:   protections,
		Claim:         claim(req.Idempotency, "report.review", req.Scope, req.Actor, at, req.fields),
	}
	if req.ConfirmProtected && len(protections) > 0 {
		return s.updated(ctx, req.Scope, Report{}, s.brake.HoldReview(ctx, cmd, proposal))
	}
	updated, err := s.store.AddReviews(ctx, cmd)
	if errors.Is(err, ErrNotFound) {
		return Updated{}, ErrProposalNotFound
	}
	return s.updated(ctx, req.Scope, updated, err)
}

// protections returns those of the asset that the request must not block, and the proposal. A proposal that does
// not exist has none.
func (s *ReviewService) protections(ctx context.Context, req ReviewRequest, at time.Time) (proposal Proposal, _ asset.Protections, err error) {
	if req.Status != ReviewApprove || req.ConfirmProtected && s.brake == nil {
		return Proposal{}, nil, nil
	}
	proposal, err = s.store.Proposal(ctx, req.Scope, req.ProposalID)
	switch {
	case errors.Is(err, ErrProposalNotFound):
		return Proposal{}, nil, nil
	case err != nil || proposal.ProposedStatus != asset.StatusBlocked:
		return proposal, nil, err
	}
	protections, err := s.protector.Protections(ctx, []asset.Identity{proposal.Asset.Identity}, at)
	return proposal, protections, err
}

// Brake holds back what a second operator must approve. Package pending has it. It must be safe for concurrent use.
type Brake interface {
	asset.Brake
	// HoldReview makes the command, which approves the proposal that a protected asset is BLOCKED, a pending act, and
	// returns the error that has the act. The error is an [*asset.InputError] if the command has no actor, and
	// [asset.ErrChanged] as for the command itself. For a request that is sent again, it is an
	// [*idempotency.ReplayError].
	HoldReview(ctx context.Context, cmd ReviewCommand, proposal Proposal) error
}

// ReviewCommand is a valid review of one proposal, or of all undecided proposals of a
// report.
type ReviewCommand struct {
	// ReviewRequest is the review. If its ProposalID is 0, the command reviews the
	// undecided proposals of the report with the ReportID.
	ReviewRequest
	ReportID int64
	At       time.Time
	// Protections are those of the assets that the command must not block.
	Protections asset.Protections
	// Claim is zero for a request without a key.
	Claim idempotency.Claim
}

// Record returns the record that the store keeps with the reviews if cmd.Claim is not zero.
func (cmd ReviewCommand) Record(updated Report) idempotency.Record { return record(cmd.Claim, updated) }

// ProposalIDs returns the IDs of the proposals of the report that the command reviews.
func (cmd ReviewCommand) ProposalIDs(r Report) []int64 {
	var ids []int64
	for _, p := range r.Proposals {
		if p.ID == cmd.ProposalID || cmd.ProposalID == 0 && !p.ReviewStatus.Decides() {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// Apply returns the reviews to add to the report that the command selects, without their
// IDs and ChangeIDs. There is at least one. It takes the totals of the proposals of
// [ReviewCommand.ProposalIDs] by their IDs; a proposal without reviews may be missing.
//
// The error is [asset.ErrChanged] if IfReview is not the review in effect, [ErrDecided] if the
// command reviews undecided proposals and the report has none, [ErrTooManyReviews], or one that
// matches [asset.ErrProtected].
func (cmd ReviewCommand) Apply(r Report, totals map[int64]ReviewTotal) ([]Review, error) {
	var reviews []Review
	for _, p := range r.Proposals {
		if p.ID == cmd.ProposalID && changed(cmd.IfReview, p.ReviewID) {
			return nil, asset.ErrChanged
		}
	}
	for _, id := range cmd.ProposalIDs(r) {
		if err := cmd.checkProtected(r, id); err != nil {
			return nil, err
		}
		if !totals[id].hasRoom(cmd.Status, cmd.Comment) {
			return nil, ErrTooManyReviews
		}
		reviews = append(reviews, Review{
			ProposalID: id,
			Status:     cmd.Status,
			ReviewedBy: cmd.Actor,
			Comment:    cmd.Comment,
			ReviewedAt: step.TruncateTime(cmd.At),
		})
	}
	if len(reviews) == 0 {
		return nil, ErrDecided
	}
	return reviews, nil
}

// checkProtected returns an error if the command approves that a protected asset is blocked, without confirming
// it.
func (cmd ReviewCommand) checkProtected(r Report, proposalID int64) error {
	if cmd.Status != ReviewApprove {
		return nil
	}
	for _, p := range r.Proposals {
		if p.ID == proposalID {
			return cmd.Protections.Check(p.Asset.Identity, p.ProposedStatus)
		}
	}
	return nil
}

// changed reports whether a review is in effect that the caller did not see.
func changed(ifReview *int64, reviewID int64) bool { return ifReview != nil && *ifReview != reviewID }

// ReviewTotal is the number of the reviews of a proposal, including withdrawn ones, and of
// the bytes of their comments and reasons.
type ReviewTotal struct {
	Reviews int
	Bytes   int
}

// hasRoom reports whether the proposal can have another review.
func (t ReviewTotal) hasRoom(status ReviewStatus, comment string) bool {
	maxReviews := MaxReviews
	if !status.Decides() {
		maxReviews /= 2
	}
	return t.Reviews < maxReviews && t.hasRoomForText(comment)
}

// hasRoomForText reports whether a review of the proposal can have another text.
func (t ReviewTotal) hasRoomForText(text string) bool {
	return text == "" || t.Bytes+len(text) <= MaxTotalReviewBytes
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
