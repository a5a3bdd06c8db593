package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// reviewRow is a review and its proposal.
type reviewRow struct {
	review   report.Review
	proposal *proposalRow
}

// AddReviews implements [report.ReviewStore].
func (s *Store) AddReviews(ctx context.Context, target report.Target, add func(report.Report) ([]report.Review, error)) (report.Report, error) {
	if err := s.beginWrite(ctx); err != nil {
		return report.Report{}, err
	}
	defer s.mu.Unlock()

	row, known := s.tables.target(target)
	if !known {
		return report.Report{}, report.ErrNotFound
	}
	reviews, err := add(s.tables.show(row))
	if err != nil {
		return report.Report{}, err
	}
	for _, review := range reviews {
		p := s.tables.proposals[review.ProposalID]
		review.ID, review.ReviewedAt = int64(len(s.tables.reviews))+1, asset.TruncateTime(review.ReviewedAt)
		if review.Status == report.ReviewApprove {
			review.ChangeID = s.tables.setStatus(p.asset, p.proposal.ProposedStatus, review.ReviewedAt, review.Origin(row.report.ID))
		}
		s.tables.addReview(p, review)
		p.proposal = review.Apply(p.proposal)
	}
	return s.tables.update(row, reviews[0].ReviewedAt), nil
}

// target returns the report that reviews are added to.
func (t *tables) target(target report.Target) (*reportRow, bool) {
	if target.ProposalID == 0 {
		return t.reportOf(target.Scope, target.ReportID)
	}
	p, known := t.proposalOf(target.Scope, target.ProposalID)
	if !known {
		return nil, false
	}
	return p.report, true
}

// WithdrawReview implements [report.ReviewStore].
func (s *Store) WithdrawReview(ctx context.Context, cmd report.WithdrawCommand) (report.Report, error) {
	if err := s.beginWrite(ctx); err != nil {
		return report.Report{}, err
	}
	defer s.mu.Unlock()

	kept, known := s.tables.reviews[cmd.ReviewID]
	if !known || !cmd.Scope.Contains(kept.proposal.report.report.OrganizationID) {
		return report.Report{}, report.ErrReviewNotFound
	}
	withdrawn, err := cmd.Apply(kept.review)
	if err != nil {
		return report.Report{}, err
	}
	kept.review = withdrawn
	p := kept.proposal
	effective := p.effectiveReview()
	p.proposal = p.proposal.Showing(effective)
	if last := p.asset.changes.lastRecorded(); report.Restores(withdrawn, effective, last) {
		s.tables.setStatus(p.asset, last.From, cmd.At, cmd.Origin(p.report.report.ID))
	}
	return s.tables.update(p.report, cmd.At), nil
}

// Reviews implements [report.ReviewStore].
func (s *Store) Reviews(ctx context.Context, scope report.Scope, proposalID, after int64, limit int) ([]report.Review, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	row, known := s.tables.proposalOf(scope, proposalID)
	if !known {
		return nil, report.ErrProposalNotFound
	}
	start, found := slices.BinarySearchFunc(row.reviews, after, func(kept *reviewRow, id int64) int {
		return cmp.Compare(kept.review.ID, id)
	})
	if found {
		start++
	}
	var page []report.Review
	for _, kept := range row.reviews[start:] {
		if len(page) >= limit {
			break
		}
		page = append(page, kept.review)
	}
	return page, nil
}

// proposalOf returns the proposal with the ID if the scope contains it.
func (t *tables) proposalOf(scope report.Scope, id int64) (*proposalRow, bool) {
	row, known := t.proposals[id]
	return row, known && scope.Contains(row.report.report.OrganizationID)
}

// addReview adds a review after the others of its proposal.
func (t *tables) addReview(row *proposalRow, review report.Review) {
	kept := &reviewRow{review: review, proposal: row}
	row.reviews = append(row.reviews, kept)
	t.reviews[review.ID] = kept
}

func (p *proposalRow) effectiveReview() report.Review {
	reviews := make([]report.Review, len(p.reviews))
	for i, kept := range p.reviews {
		reviews[i] = kept.review
	}
	return report.EffectiveReview(reviews)
}
