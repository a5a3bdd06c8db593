package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// reviewRow is a review; its proposal stands beside it.
type reviewRow struct {
	review   report.Review
	proposal *proposalRow
}

// ReviewProposal implements [report.Store].
func (s *Store) ReviewProposal(ctx context.Context, draft report.ReviewDraft) (report.Report, error) {
	if err := s.beginWrite(ctx); err != nil {
		return report.Report{}, err
	}
	defer s.mu.Unlock()

	row, known := s.tables.proposalOf(draft.OrganizationID, draft.ProposalID)
	if !known {
		return report.Report{}, report.ErrProposalNotFound
	}
	review := s.tables.keepReview(row, draft)
	from := row.asset.asset.Status
	status := draft.AssetStatus(row.proposal.ProposedStatus, from)
	if change := s.tables.setStatus(row.asset, status, draft.At, draft.Origin(row.report.report.ID)); change != 0 {
		row.effect = report.Effect{ChangeID: change, From: from, Since: review}
	}
	row.report.update(draft.At)
	return s.tables.show(row.report), nil
}

// WithdrawReview implements [report.Store].
func (s *Store) WithdrawReview(ctx context.Context, withdrawal report.Withdrawal) (report.Report, error) {
	if err := s.beginWrite(ctx); err != nil {
		return report.Report{}, err
	}
	defer s.mu.Unlock()

	kept, known := s.tables.reviews[withdrawal.ReviewID]
	if !known || !report.Visible(kept.proposal.report.report.OrganizationID, withdrawal.OrganizationID) {
		return report.Report{}, report.ErrReviewNotFound
	}
	withdrawn, err := withdrawal.Of(kept.review)
	if err != nil {
		return report.Report{}, err
	}
	kept.review = withdrawn
	row := kept.proposal
	reviews := row.kept()
	standing := report.Standing(reviews)
	row.proposal.Show(standing)
	if row.effect.Concerns(withdrawn.Status) {
		s.tables.settle(row, withdrawal, report.Aftermath{
			Withdrawn:    withdrawn.Status,
			Standing:     standing,
			LastApproval: report.LastApproval(reviews),
			Effect:       row.effect,
			LastChange:   row.asset.changes.lastID(),
			Proposed:     row.proposal.ProposedStatus,
			Now:          row.asset.asset.Status,
		})
	}
	row.report.update(withdrawal.At)
	return s.tables.show(row.report), nil
}

// settle gives the asset of a proposal the status, and the proposal the effect, that
// follow from the withdrawal.
func (t *tables) settle(row *proposalRow, withdrawal report.Withdrawal, after report.Aftermath) {
	status, effect := after.Settle()
	t.setStatus(row.asset, status, withdrawal.At, withdrawal.Origin(row.report.report.ID))
	row.effect = effect
}

// EscalateReport implements [report.Store].
func (s *Store) EscalateReport(ctx context.Context, escalation report.Escalation) (report.Report, error) {
	if err := s.beginWrite(ctx); err != nil {
		return report.Report{}, err
	}
	defer s.mu.Unlock()

	row, known := s.tables.reportOf(escalation.OrganizationID, escalation.ReportID)
	if !known {
		return report.Report{}, report.ErrNotFound
	}
	drafts, err := escalation.Drafts(s.tables.show(row).Proposals)
	if err != nil {
		return report.Report{}, err
	}
	for _, draft := range drafts {
		s.tables.keepReview(s.tables.proposals[draft.ProposalID], draft)
	}
	row.update(escalation.At)
	return s.tables.show(row), nil
}

// ProposalReviews implements [report.Store].
func (s *Store) ProposalReviews(ctx context.Context, organizationID, proposalID, after int64, limit int) ([]report.Review, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	row, known := s.tables.proposalOf(organizationID, proposalID)
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

// proposalOf returns the proposal with that identifier, if the organization has it.
func (t *tables) proposalOf(organizationID, id int64) (*proposalRow, bool) {
	row, known := t.proposals[id]
	return row, known && report.Visible(row.report.report.OrganizationID, organizationID)
}

// keepReview adds a review with the next identifier, which it returns. Of the others,
// only the one that stands can still stand after it.
func (t *tables) keepReview(row *proposalRow, draft report.ReviewDraft) int64 {
	review := draft.Review()
	review.ID = int64(len(t.reviews)) + 1
	t.addReview(row, review)
	rivals := []report.Review{review}
	if standing, known := t.reviews[row.proposal.ReviewID]; known {
		rivals = append(rivals, standing.review)
	}
	row.proposal.Show(report.Standing(rivals))
	return review.ID
}

// addReview adds a review at the end of its proposal's.
func (t *tables) addReview(row *proposalRow, review report.Review) {
	kept := &reviewRow{review: review, proposal: row}
	row.reviews = append(row.reviews, kept)
	t.reviews[review.ID] = kept
}

// kept returns all reviews of the proposal.
func (p *proposalRow) kept() []report.Review {
	reviews := make([]report.Review, len(p.reviews))
	for i, kept := range p.reviews {
		reviews[i] = kept.review
	}
	return reviews
}

// update gives the report the status that follows from its reviews.
func (r *reportRow) update(at time.Time) {
	reviews := make([]report.ReviewStatus, len(r.proposals))
	for i, p := range r.proposals {
		reviews[i] = p.proposal.ReviewStatus
	}
	r.report.Status = report.StatusOf(reviews)
	r.report.UpdatedAt = asset.UpdatedAt(r.report.CreatedAt, at)
}
