package memory

import (
	"context"

	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

// reviewRow is a review with its proposal.
type reviewRow struct {
	review   report.Review
	proposal *proposalRow
}

// AddReviews implements [report.ReviewStore].
func (s *Store) AddReviews(ctx context.Context, cmd report.ReviewCommand) (report.Report, error) {
	return writeOnce(ctx, s, cmd.Claim, cmd.Record, func(t *tables) (report.Report, error) { return t.addReviews(cmd) })
}

// addReviews is the step of AddReviews.
func (t *tables) addReviews(cmd report.ReviewCommand) (report.Report, error) {
	row, err := t.reviewedReport(cmd)
	if err != nil {
		return report.Report{}, err
	}
	full := t.fullReport(row)
	totals := make(map[int64]report.ReviewTotal)
	for _, id := range cmd.ProposalIDs(full) {
		totals[id] = t.proposals[id].reviewTotal()
	}
	reviews, err := cmd.Apply(full, totals)
	if err != nil {
		return report.Report{}, err
	}
	for _, review := range reviews {
		review.ID = t.lastReview + 1
		p := t.proposals[review.ProposalID]
		if status, sets := review.Sets(p.proposal); sets {
			review.DecidedAt, review.ChangeID = t.decide(p.asset, status, cmd.At, review.Origin(row.report.ID))
		}
		t.addReview(review)
		p.proposal = review.Apply(p.proposal)
	}
	return t.updateReport(row, cmd.At), nil
}

// reviewedReport returns the report that the command selects, or ErrNotFound.
func (t *tables) reviewedReport(cmd report.ReviewCommand) (*reportRow, error) {
	if cmd.ProposalID == 0 {
		return t.reportIn(cmd.Scope, cmd.ReportID)
	}
	p, err := t.proposalIn(cmd.Scope, cmd.ProposalID)
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
	t.lastReview = review.ID
}

// reviewTotal returns the total of the proposal's reviews.
func (p *proposalRow) reviewTotal() report.ReviewTotal {
	var total report.ReviewTotal
	for _, row := range p.reviews {
		total.Reviews++
		total.Bytes += len(row.review.Comment) + len(row.review.WithdrawnReason)
	}
	return total
}

// Reviews implements [report.ReviewStore].
func (s *Store) Reviews(ctx context.Context, scope report.Scope, proposalID, after int64, limit int) (step.Page[report.Review], error) {
	return read(ctx, s, func(t *tables) (step.Page[report.Review], error) {
		p, err := t.proposalIn(scope, proposalID)
		if err != nil {
			return step.Page[report.Review]{}, err
		}
		later := above(p.reviews, after, func(row *reviewRow) int64 { return row.review.ID })
		return page(later, limit, func(row *reviewRow) report.Review { return row.review })
	})
}
