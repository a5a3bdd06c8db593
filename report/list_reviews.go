package report

import "context"

// reviewPage is the maximum number of reviews that are read in one step.
const reviewPage = 1000

// List returns all reviews of a proposal in the order of their IDs, including withdrawn
// ones. It reads them in pages, so reviews that are added during the call may be
// missing. The limits of reviews bound their size.
//
// The error is an [*asset.InputError] if the scope is invalid, or [ErrProposalNotFound]
// if the scope does not contain the proposal.
func (s *ReviewService) List(ctx context.Context, scope Scope, proposalID int64) ([]Review, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	var (
		reviews []Review
		after   int64
	)
	for {
		page, err := s.store.Reviews(ctx, scope, proposalID, after, reviewPage)
		if err != nil {
			return nil, err
		}
		reviews = append(reviews, page.Items...)
		if !page.More {
			return reviews, nil
		}
		after = page.Last().ID
	}
}
