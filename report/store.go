package report

import (
	"context"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
)

// Store is the storage that a [Service] needs. All methods may be called
// concurrently, each is one atomic step, and each returns the context's error
// when the context ends first.
type Store interface {
	// FileReport stores a new report without reviews, and returns it. Assets that
	// do not exist are registered as UNKNOWN.
	FileReport(ctx context.Context, filing Filing) (Report, error)

	// ReviewProposal records the review as the last one of its proposal, sets the
	// status of the report to what StatusOf says, its time of update to the
	// review's, and returns the report. When the review approves, the asset gets
	// the proposed status and, only if it had another one, the change is recorded.
	// It returns ErrProposalNotFound when there is no such proposal.
	ReviewProposal(ctx context.Context, review Review) (Report, error)

	// Reports returns the organisation's reports that the filter matches and whose
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

// Review is what [Store.ReviewProposal] records.
type Review struct {
	ProposalID int64
	Status     ReviewStatus
	// By is the user who reviewed, or 0 when not known.
	By int64
	At time.Time
}

// AssetStatus returns the status that the asset of the proposal has after the
// review: the proposed one when the review approves, else the one that it has.
func (r Review) AssetStatus(proposed, now asset.Status) asset.Status {
	if r.Status == ReviewApprove {
		return proposed
	}
	return now
}

// Origin returns where the change of a status came from that this review of a
// proposal in the given report caused.
func (r Review) Origin(reportID int64) asset.Origin {
	return asset.Origin{
		Cause:     asset.CauseReview,
		Actor:     r.By,
		Reference: "report/" + strconv.FormatInt(reportID, 10),
	}
}
