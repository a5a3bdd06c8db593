package memory

import (
	"context"

	"github.com/apguard/apguard/report"
)

// WithdrawReview implements [report.ReviewStore].
func (s *Store) WithdrawReview(ctx context.Context, cmd report.WithdrawCommand) (report.Report, error) {
	if err := s.beginWrite(ctx); err != nil {
		return report.Report{}, err
	}
	defer s.mu.Unlock()

	row, err := s.tables.reviewIn(cmd.Scope, cmd.ReviewID)
	if err != nil {
		return report.Report{}, err
	}
	withdrawn, err := cmd.Apply(row.review)
	if err != nil {
		return report.Report{}, err
	}
	row.review = withdrawn
	p := row.proposal
	effective := p.effectiveReview()
	p.proposal = p.proposal.Showing(effective)
	if last := p.asset.changes.lastRecorded(); report.Restores(withdrawn, effective, last) {
		s.tables.setStatus(p.asset, last.From, cmd.At, cmd.Origin(p.report.report.ID))
	}
	return s.tables.updateReport(p.report, cmd.At), nil
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

func (p *proposalRow) effectiveReview() report.Review {
	reviews := make([]report.Review, len(p.reviews))
	for i, row := range p.reviews {
		reviews[i] = row.review
	}
	return report.EffectiveReview(reviews)
}
