package report

import (
	"context"

	"github.com/apguard/apguard/step"
)

// Store is the storage that a [Service] needs. Its methods must be safe for concurrent
// use. Each is one atomic step and returns the error of ctx if ctx ends first.
type Store interface {
	// FileReport stores the report that cmd.Report returns, with new IDs, and returns it
	// with what the store knows of the reporter and the assets. Assets that do not exist
	// are registered as UNKNOWN. IDs of proposals follow their order.
	//
	// If cmd.Claim is not zero, the record of FileCommand.Record, for the report that the method
	// returns, is stored in the same step; package storage has the rules.
	FileReport(ctx context.Context, cmd FileCommand) (Report, error)

	// ReportByID returns the report, or ErrNotFound if the scope does not contain it.
	ReportByID(ctx context.Context, scope Scope, id int64) (Report, error)

	// Reports returns the page that NewPage makes. It examines the reports for which
	// req.Examines is true, ordered by descending ID, or by ascending ID if req.OldestFirst is true. It examines MaxScan of them, or all
	// if there are fewer. It may stop earlier, at a match that does not fit into the page.
	// The limit may be larger than MaxLimit.
	Reports(ctx context.Context, req ListRequest) (Page, error)
}

// ReviewStore is the storage that a [ReviewService] needs. Its methods must be safe for
// concurrent use. Each is one atomic step, and a method that returns an error has changed
// nothing.
//
// After a method has changed a report, each proposal of the report shows its
// EffectiveReview. The method stores the report that Report.Updated returns, and returns
// it. Concurrent changes of one report are serialized.
type ReviewStore interface {
	Store

	// AddReviews stores the reviews that cmd.Apply returns for the report with
	// cmd.ProposalID or, if that is 0, for the report with cmd.ReportID, and for the totals of
	// its proposals' reviews before the call. They get new IDs in
	// their order. [Review.Sets] says which status a review gives to the asset: the operators
	// decide that, with Review.Origin and the time cmd.At; see asset.Held.Decide. The Since of the
	// decision and the ID of the change, if there are any, become the DecidedAt and the ChangeID of
	// the review. AddReviews passes cmd.At to Report.Updated.
	//
	// If cmd.Claim is not zero, the record of ReviewCommand.Record, for the report that the
	// method returns, is stored in the same step; package storage has the rules.
	//
	// If Apply returns an error, AddReviews returns it unchanged. It returns ErrNotFound if
	// cmd.Scope does not contain the report.
	AddReviews(ctx context.Context, cmd ReviewCommand) (Report, error)

	// WithdrawReview calls cmd.Apply and stores the WithdrawResult, or returns the error
	// of Apply unchanged. The proposal then shows Withdrawal.Effective. If the result says so,
	// the decision of the review is undone; see asset.Held.Revert. The change
	// has the Origin of the result and the time cmd.At. WithdrawReview passes cmd.At to
	// Report.Updated.
	//
	// The claim of the command is handled as that of AddReviews.
	//
	// WithdrawReview returns ErrReviewNotFound if the scope does not contain the review.
	WithdrawReview(ctx context.Context, cmd WithdrawCommand) (Report, error)

	// Proposal returns the proposal, or ErrProposalNotFound if the scope does not contain it.
	Proposal(ctx context.Context, scope Scope, id int64) (Proposal, error)

	// Reviews returns the page of step.ReadPage, with the limit, of the reviews of the
	// proposal whose IDs are above after, ordered by ascending ID. The error is
	// ErrProposalNotFound if the scope does not contain the proposal.
	Reviews(ctx context.Context, scope Scope, proposalID, after int64, limit int) (step.Page[Review], error)

	// ReportBacklog returns the backlog of the scope. Of each status, the oldest report is the one
	// with the lowest ID.
	ReportBacklog(ctx context.Context, scope Scope) (Backlog, error)

	// PruneReports examines at most cmd.Limit of the reports of cmd.Scope with an ID above
	// cmd.After, ordered by ID. It removes those that cmd.Removes selects, with their
	// proposals and reviews. IDs of removed records are not used again.
	PruneReports(ctx context.Context, cmd PruneCommand) (step.Pruned[int64], error)
}
