package memory

import (
	"context"

	"github.com/apguard/apguard/report"
)

// WithdrawReview implements [report.ReviewStore].
func (s *Store) WithdrawReview(ctx context.Context, cmd report.WithdrawCommand) (report.Report, error) {
	return writeOnce(ctx, s, cmd.Claim, cmd.Record, func(t *tables) (report.Report, error) {
		row, err := t.reviewIn(cmd.Scope, cmd.ReviewID)
		if err != nil {
			return report.Report{}, err
		}
		p := row.proposal
		w := report.Withdrawal{
			ReportID:  p.report.report.ID,
			Review:    row.review,
			Total:     p.reviewTotal(),
			Shown:     p.proposal.ReviewID,
			Effective: p.effectiveReview(row),
			Held:      p.asset.held(cmd.At),
		}
		result, err := cmd.Apply(w)
		if err != nil {
			return report.Report{}, err
		}
		row.review = result.Review
		p.proposal = p.proposal.Showing(w.Effective)
		if result.Reverts {
			held, _ := w.Held.Revert(result.Review.DecidedAt, cmd.At)
			p.asset.operators = held.Operators
			t.settle(p.asset, held, cmd.At, result.Origin)
		}
		return t.updateReport(p.report, cmd.At), nil
	})
}

// reviewIn returns the review with the ID, or ErrReviewNotFound if the scope does not
// contain it.
func (t *tables) reviewIn(scope report.Scope, id int64) (*reviewRow, error) {
	row, known := t.reviews[id]
	if !known || !scope.Contains(row.proposal.report.report.OrganizationID) {
		return nil, report.ErrReviewNotFound
	}
	return row, nil
}

// effectiveReview returns the effective review of the proposal without one of its
// reviews.
func (p *proposalRow) effectiveReview(without *reviewRow) report.Review {
	var reviews []report.Review
	for _, row := range p.reviews {
		if row != without {
			reviews = append(reviews, row.review)
		}
	}
	return report.EffectiveReview(reviews)
}
