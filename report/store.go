package report

import "context"

// Store is the storage that a [Service] needs. Its methods may be called concurrently.
// Each is one atomic step and returns the context's error if the context ends first.
type Store interface {
	// FileReport stores what FileCommand.Report returns with new IDs, and returns it.
	// Assets that do not exist are registered as UNKNOWN.
	FileReport(ctx context.Context, cmd FileCommand) (Report, error)

	// ReportByID returns the report, or ErrNotFound if the scope does not contain it.
	ReportByID(ctx context.Context, scope Scope, id int64) (Report, error)

	// Reports returns the reports in the request's scope that its filter matches, by
	// ID, descending. It begins below the cursor, or with the newest report if the
	// cursor is 0, and returns at most as many as the limit, also if that is 0 or above
	// MaxLimit.
	Reports(ctx context.Context, req ListRequest) ([]Report, error)
}

// ReviewStore is the storage that a [ReviewService] needs. Its methods may be called
// concurrently. Each is one atomic step, and a method that returns an error has changed
// nothing. The methods that change a report make each proposal show its
// EffectiveReview, store what Report.Updated returns, and return that. Calls for the
// same report wait for each other.
type ReviewStore interface {
	// AddReviews adds the reviews that the function returns for the target, with new
	// IDs. An APPROVE gives the asset the proposed status. If the asset had another
	// status, the change is recorded with Review.Origin, and the review gets its ID.
	//
	// The function is pure and may be called more than once. It returns at least one
	// review, and only of the report's proposals. Its error is returned as it is.
	// The error is ErrNotFound if the scope does not contain the target.
	AddReviews(ctx context.Context, target Target, add func(Report) ([]Review, error)) (Report, error)

	// WithdrawReview stores the WithdrawResult of cmd.Apply, or returns its error. The
	// proposal shows Withdrawal.Effective. If the result has an AssetStatus, the asset
	// gets it and the change is recorded with the Origin of the result.
	// The error is ErrReviewNotFound if the scope does not contain the review.
	WithdrawReview(ctx context.Context, cmd WithdrawCommand) (Report, error)

	// Reviews returns the reviews of the proposal with an ID above after, by ID,
	// ascending, at most limit of them. The error is ErrProposalNotFound if the scope
	// does not contain the proposal.
	Reviews(ctx context.Context, scope Scope, proposalID, after int64, limit int) ([]Review, error)
}
