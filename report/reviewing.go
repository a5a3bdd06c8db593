package report

import (
	"context"
	"fmt"

	"github.com/apguard/apguard/asset"
)

// MaxComment is the largest number of bytes of a comment on a review or an escalation,
// and of the reason of a withdrawal.
const MaxComment = 10_000

// ReviewRequest asks for a review of a proposal to be recorded.
type ReviewRequest struct {
	// OrganizationID is whose report it must be. 0 means anyone's, so a host must never
	// pass on the organization of a caller who has none.
	OrganizationID int64
	ProposalID     int64
	Status         ReviewStatus
	// By is the user who reviewed, or 0 when not known.
	By int64
	// Comment says why. It may be empty, and has at most [MaxComment] bytes.
	Comment string
}

// Review records a review of a proposal beside the earlier ones, and returns the
// report as it is afterwards. The proposal shows the last APPROVE or REJECT that is
// not withdrawn, so a SKIP or an ESCALATE after one is kept and changes nothing that
// is shown; [Standing] has the rule.
//
// APPROVE gives the asset the proposed status, which is recorded as a change when it
// had another one. REJECT, SKIP and ESCALATE leave the asset as it is, a REJECT
// after an APPROVE too: withdraw the approval to put the asset back.
//
// The error is an [*asset.InputError] or [ErrProposalNotFound].
func (s *Service) Review(ctx context.Context, req ReviewRequest) (Report, error) {
	var issues asset.Issues
	checkOrganization(&issues, req.OrganizationID)
	issues.Check(req.Status.Valid(), "reviewStatus", "must be APPROVE, REJECT, SKIP or ESCALATE")
	issues.CheckUser("reviewedBy", req.By)
	checkComment(&issues, "comment", req.Comment)
	if err := issues.Err(); err != nil {
		return Report{}, err
	}
	return s.store.ReviewProposal(ctx, ReviewDraft{
		OrganizationID: req.OrganizationID,
		ProposalID:     req.ProposalID,
		Status:         req.Status,
		By:             req.By,
		Comment:        req.Comment,
		At:             asset.TruncateTime(s.clock()),
	})
}

// WithdrawRequest asks for a decision to be taken back.
type WithdrawRequest struct {
	// OrganizationID is whose report it must be. 0 means anyone's, so a host must never
	// pass on the organization of a caller who has none.
	OrganizationID int64
	// ReviewID is an APPROVE or a REJECT. Of the one that a proposal shows, it is
	// [Proposal.ReviewID]; [Service.Reviews] returns all.
	ReviewID int64
	// By is the user who withdraws, or 0 when not known.
	By int64
	// Reason says why. It may be empty, and has at most [MaxComment] bytes.
	Reason string
}

// Withdraw takes back an APPROVE or a REJECT, and returns the report as it is
// afterwards. The review stays among the kept ones, but counts no more: the proposal
// shows the one that stands now, and the report has the status that follows.
//
// The withdrawal of an APPROVE puts the asset back to the status from before the
// proposal was approved, if that changed it, no other approval of the proposal stands
// or is left that was given since that change, and nothing else has changed the asset
// after it. This is recorded as a change with the cause [asset.CauseWithdrawal]. In
// all other cases the asset stays as it is, so the withdrawal of a REJECT never
// changes it.
//
// Only a change keeps the asset from going back. An approval of another proposal, an
// accepted dispute, an addition to an allowlist and a call that sets the status have
// made none when they found the asset in the status that they give it. Once the changelog is
// pruned, the removed changes count no more; when the approval's own is among them,
// the asset stays.
//
// The error is an [*asset.InputError], [ErrReviewNotFound], [ErrNotDecision], or
// [ErrWithdrawn], also for all but one of several who withdraw it at once.
func (s *Service) Withdraw(ctx context.Context, req WithdrawRequest) (Report, error) {
	var issues asset.Issues
	checkOrganization(&issues, req.OrganizationID)
	issues.CheckUser("withdrawnBy", req.By)
	checkComment(&issues, "reason", req.Reason)
	if err := issues.Err(); err != nil {
		return Report{}, err
	}
	return s.store.WithdrawReview(ctx, Withdrawal{
		OrganizationID: req.OrganizationID,
		ReviewID:       req.ReviewID,
		By:             req.By,
		Reason:         req.Reason,
		At:             asset.TruncateTime(s.clock()),
	})
}

// EscalateRequest asks for a report to be passed on.
type EscalateRequest struct {
	// OrganizationID is whose report it must be. 0 means anyone's, so a host must never
	// pass on the organization of a caller who has none.
	OrganizationID int64
	ReportID       int64
	// By is the user who escalates, or 0 when not known.
	By int64
	// Comment says why. It may be empty, and has at most [MaxComment] bytes.
	Comment string
}

// Escalate passes a whole report on: it records an ESCALATE of each proposal that is
// not decided, all of them or none, and returns the report as it is afterwards. No
// asset changes.
//
// The error is an [*asset.InputError], [ErrNotFound], or [ErrDecided] when no
// proposal is left, as in a report without any.
func (s *Service) Escalate(ctx context.Context, req EscalateRequest) (Report, error) {
	var issues asset.Issues
	checkOrganization(&issues, req.OrganizationID)
	issues.CheckUser("escalatedBy", req.By)
	checkComment(&issues, "comment", req.Comment)
	if err := issues.Err(); err != nil {
		return Report{}, err
	}
	return s.store.EscalateReport(ctx, Escalation{
		OrganizationID: req.OrganizationID,
		ReportID:       req.ReportID,
		By:             req.By,
		Comment:        req.Comment,
		At:             asset.TruncateTime(s.clock()),
	})
}

// checkOrganization is for a request that may be about a report of anyone's.
func checkOrganization(issues *asset.Issues, id int64) {
	issues.Check(id == 0 || asset.ValidID(id), "organization", "must be an organization's id")
}

func checkComment(issues *asset.Issues, field, text string) {
	issues.CheckText(field, text)
	issues.Check(len(text) <= MaxComment, field, fmt.Sprintf("must be at most %d bytes long", MaxComment))
}
