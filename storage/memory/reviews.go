package memory

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// reviewRow is a review with its proposal.
type reviewRow struct {
	review   report.Review
	proposal *proposalRow
}

// AddReviews implements [report.ReviewStore].
func (s *Store) AddReviews(ctx context.Context, target report.Target, add func(report.Report) ([]report.Review, error)) (report.Report, error) {
	return write(ctx, s, func(t *tables) (report.Report, error) {
		row, err := t.target(target)
		if err != nil {
			return report.Report{}, err
		}
		reviews, err := add(t.fullReport(row))
		if err != nil {
			return report.Report{}, err
		}
		for _, review := range reviews {
			review.ID = int64(len(t.reviews)) + 1
			review.ReviewedAt = asset.TruncateTime(review.ReviewedAt)
			p := t.proposals[review.ProposalID]
			if review.Status == report.ReviewApprove {
				review.ChangeID = t.setStatus(p.asset, p.proposal.ProposedStatus, review.ReviewedAt, review.Origin(row.report.ID))
			}
			t.addReview(review)
			p.proposal = review.Apply(p.proposal)
		}
		return t.updateReport(row, reviews[0].ReviewedAt), nil
	})
}

// target returns the report that reviews are added to, or ErrNotFound.
func (t *tables) target(target report.Target) (*reportRow, error) {
	if target.ProposalID == 0 {
		return t.reportIn(target.Scope, target.ReportID)
	}
	p, err := t.proposalIn(target.Scope, target.ProposalID)
	if err != nil {
		return nil, report.ErrNotFound
	}
	return p.report, nil
}

// addReview adds a review. Its ID must be above those of the other reviews.
func (t *tables) addReview(review report.Review) {
	p := t.proposals[review.ProposalID]
	row := &reviewRow{review: review, proposal: p}
	p.reviews = append(p.reviews, row)
	t.reviews[review.ID] = row
}

// Reviews implements [report.ReviewStore].
func (s *Store) Reviews(ctx context.Context, scope report.Scope, proposalID, after int64, limit int) ([]report.Review, error) {
	return read(ctx, s, func(t *tables) ([]report.Review, error) {
		p, err := t.proposalIn(scope, proposalID)
		if err != nil {
			return nil, err
		}
		later := above(p.reviews, after, func(row *reviewRow) int64 { return row.review.ID })
		var page []report.Review
		for _, row := range first(later, limit) {
			page = append(page, row.review)
		}
		return page, nil
	})
}
