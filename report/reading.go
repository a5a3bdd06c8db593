package report

import (
	"context"

	"github.com/apguard/apguard/asset"
)

// reviewPage is how many reviews are read in one step.
const reviewPage = 1000

// Get returns a report of the organization. Organization 0 means any, so a host must
// never pass on the organization of a caller who has none.
//
// The error is an [*asset.InputError] or [ErrNotFound].
func (s *Service) Get(ctx context.Context, organizationID, id int64) (Report, error) {
	var issues asset.Issues
	checkOrganization(&issues, organizationID)
	if err := issues.Err(); err != nil {
		return Report{}, err
	}
	return s.store.ReportByID(ctx, organizationID, id)
}

// Reviews returns all kept reviews of a proposal, by ID, ascending, the withdrawn
// ones among them. The proposal belongs to a report of the organization; 0 means any,
// as in [Service.Get]. There is no limit to how many reviews a proposal can have.
// They are read in steps of 1,000, each at a moment of its own, so that nobody waits
// for long: what is recorded meanwhile may be missing.
//
// The error is an [*asset.InputError] or [ErrProposalNotFound].
func (s *Service) Reviews(ctx context.Context, organizationID, proposalID int64) ([]Review, error) {
	var issues asset.Issues
	checkOrganization(&issues, organizationID)
	if err := issues.Err(); err != nil {
		return nil, err
	}
	var (
		reviews []Review
		after   int64
	)
	for {
		page, err := s.store.ProposalReviews(ctx, organizationID, proposalID, after, reviewPage)
		if err != nil {
			return nil, err
		}
		reviews = append(reviews, page...)
		if len(page) < reviewPage {
			return reviews, nil
		}
		after = page[len(page)-1].ID
	}
}
