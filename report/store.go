package report

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// Store is the storage that a [Service] needs. All methods may be called
// concurrently, each is one atomic step, and each returns the context's error
// when the context ends first.
//
// Where a method is given an organization, what belongs to another one is not found,
// as [Visible] has it. The methods that review set the proposal's review to the one
// that [Standing] returns for all its kept reviews, the status of the report to what
// [StatusOf] says, and its time of update to what [UpdatedAt] says, and return the
// report. Those of one report wait for each other. A method that returns an error
// has changed nothing.
type Store interface {
	// FileReport stores a new report without reviews, and returns it. Assets that
	// do not exist are registered as UNKNOWN.
	FileReport(ctx context.Context, filing Filing) (Report, error)

	// ReviewProposal keeps the review as the last one of its proposal. The asset
	// gets the status that ReviewDraft.AssetStatus returns and, only if it had
	// another one, the change is recorded, and becomes the Effect of the proposal,
	// since this review.
	// It returns ErrProposalNotFound when there is no such proposal.
	ReviewProposal(ctx context.Context, draft ReviewDraft) (Report, error)

	// WithdrawReview makes of the review what Withdrawal.Of returns, or returns its
	// error. The asset gets the status and the proposal the Effect that
	// Aftermath.Settle returns; only if the asset had another status, the change is
	// recorded. It returns ErrReviewNotFound when there is no such review.
	WithdrawReview(ctx context.Context, withdrawal Withdrawal) (Report, error)

	// EscalateReport keeps the reviews that Escalation.Drafts returns for the
	// report's proposals, or returns its error. It returns ErrNotFound when there is
	// no such report.
	EscalateReport(ctx context.Context, escalation Escalation) (Report, error)

	// ReportByID returns the report, or ErrNotFound.
	ReportByID(ctx context.Context, organizationID, id int64) (Report, error)

	// ProposalReviews returns the reviews of the proposal whose ID is above after, by
	// ID, ascending, at most limit of them. It returns ErrProposalNotFound when there
	// is no such proposal.
	ProposalReviews(ctx context.Context, organizationID, proposalID, after int64, limit int) ([]Review, error)

	// Reports returns the organization's reports that the filter matches and whose
	// ID is below the cursor, by ID, descending, at most limit of them. Cursor 0
	// begins with the newest.
	Reports(ctx context.Context, organizationID int64, filter Filter, cursor int64, limit int) ([]Report, error)
}

// Filing is what [Store.FileReport] stores.
type Filing struct {
	OrganizationID int64
	Title          string
	Description    string
	// BrandID and ReporterID are 0 when not known.
	BrandID    int64
	ReporterID int64
	// Proposals are in their order. No two have the same identity.
	Proposals []FiledProposal
	At        time.Time
}

// FiledProposal is one proposal of a [Filing].
type FiledProposal struct {
	Identity       asset.Identity
	Content        string
	ProposedStatus asset.Status
}
