package storagetest

import (
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// The steps of the state machine on reviews.

// anyScope is that of an organization, or of any.
var anyScope = rapid.Map(maybe(anyOrganization), scopeOf)

func (m *machine) reviewRandomly(t *rapid.T) {
	scope := anyScope.Draw(t, "scope")
	review := report.Review{
		ProposalID: rapid.Int64Range(1, m.last["proposal"]+1).Draw(t, "proposal"),
		Status:     anyReviewStatus.Draw(t, "review"),
		ReviewedBy: maybe(anyUser).Draw(t, "by"),
		Comment:    anyWord.Draw(t, "comment"),
		ReviewedAt: anyMoment.Draw(t, "at"),
	}
	m.compareChanges()
	r, p := m.model.proposal(scope, review.ProposalID)
	target := report.Target{Scope: scope, ProposalID: review.ProposalID}
	got, err := m.AddReviews(m.Context(), target, func(stored report.Report) ([]report.Review, error) {
		m.sameReports([]report.Report{m.model.show(*r)}, []report.Report{stored})
		return []report.Review{review}, nil
	})
	if p == nil {
		require.ErrorIs(m, err, report.ErrNotFound)
		return
	}
	require.NoError(m, err)
	changed := m.model.approve(r, p, review)
	m.compareChanges()
	if changed {
		review.ChangeID = slices.MaxFunc(m.model.changes, func(a, b asset.Change) int { return int(a.ID - b.ID) }).ID
	}
	m.keepNewest(review)
	m.model.update(r, review.ReviewedAt)
	m.sameReports([]report.Report{m.model.show(*r)}, []report.Report{got})
}

// keepNewest adds a review to the model that the store has just added.
func (m *machine) keepNewest(review report.Review) {
	m.Helper()
	kept := m.reviewsOf(review.ProposalID)
	require.Len(m, kept, len(m.model.reviewsOf(review.ProposalID))+1, "a review must be kept")
	review.ID = kept[len(kept)-1].ID
	m.give("review", review.ID)
	m.model.reviews = append(m.model.reviews, review)
	m.compareReviewsOf(review.ProposalID)
}

func (m *machine) withdrawRandomly(t *rapid.T) {
	cmd := report.WithdrawCommand{
		WithdrawRequest: report.WithdrawRequest{
			Scope:    anyScope.Draw(t, "scope"),
			ReviewID: rapid.Int64Range(1, m.last["review"]+1).Draw(t, "review"),
			Actor:    maybe(anyUser).Draw(t, "by"),
			Reason:   anyWord.Draw(t, "reason"),
		},
		At: anyMoment.Draw(t, "at"),
	}
	m.compareChanges()
	got, err := m.WithdrawReview(m.Context(), cmd)
	review := find(m.model.reviews, func(r report.Review) bool { return r.ID == cmd.ReviewID })
	if review == nil {
		require.ErrorIs(m, err, report.ErrReviewNotFound)
		return
	}
	r, p := m.model.proposal(cmd.Scope, review.ProposalID)
	switch {
	case p == nil:
		require.ErrorIs(m, err, report.ErrReviewNotFound)
		return
	case review.Status == report.ReviewSkip || review.Status == report.ReviewEscalate:
		require.ErrorIs(m, err, report.ErrNotDecision)
		return
	case !review.WithdrawnAt.IsZero():
		require.ErrorIs(m, err, report.ErrWithdrawn)
		return
	}
	require.NoError(m, err)
	review.WithdrawnAt, review.WithdrawnBy, review.WithdrawnReason = cmd.At, cmd.Actor, cmd.Reason
	m.model.putBack(r, p, *review, cmd)
	m.model.update(r, cmd.At)
	m.sameReports([]report.Report{m.model.show(*r)}, []report.Report{got})
	m.compareChanges()
	m.compareReviewsOf(p.ID)
}

func (m *machine) escalateRandomly(t *rapid.T) {
	req := report.EscalateRequest{
		Scope:    anyScope.Draw(t, "scope"),
		ReportID: rapid.Int64Range(1, m.last["report"]+1).Draw(t, "report"),
		Actor:    maybe(anyUser).Draw(t, "by"),
		Comment:  anyWord.Draw(t, "comment"),
	}
	at := anyMoment.Draw(t, "at")
	got, err := escalate(m.Context(), m, req, at)
	r := m.model.report(req.Scope, req.ReportID)
	if r == nil {
		require.ErrorIs(m, err, report.ErrNotFound)
		return
	}
	undecided := slices.DeleteFunc(slices.Clone(r.Proposals), func(p report.Proposal) bool {
		return p.ReviewStatus == report.ReviewApprove || p.ReviewStatus == report.ReviewReject
	})
	if len(undecided) == 0 {
		require.ErrorIs(m, err, report.ErrDecided)
		return
	}
	require.NoError(m, err)
	for _, p := range undecided {
		m.keepNewest(report.Review{
			ProposalID: p.ID, Status: report.ReviewEscalate, ReviewedBy: req.Actor, Comment: req.Comment, ReviewedAt: at,
		})
	}
	m.model.update(r, at)
	m.sameReports([]report.Report{m.model.show(*r)}, []report.Report{got})
}

func (m *machine) readReviews(t *rapid.T) {
	scope := anyScope.Draw(t, "scope")
	proposal := rapid.Int64Range(1, m.last["proposal"]+1).Draw(t, "proposal")
	after := rapid.Int64Range(0, m.last["review"]+1).Draw(t, "after")
	limit := rapid.IntRange(1, 4).Draw(t, "limit")
	got, err := m.Reviews(m.Context(), scope, proposal, after, limit)
	if _, p := m.model.proposal(scope, proposal); p == nil {
		require.ErrorIs(m, err, report.ErrProposalNotFound)
		return
	}
	require.NoError(m, err)
	require.Equal(m, orNil(m.model.reviewsAfter(proposal, after, limit)), orNil(got))
}

func (m *machine) readReport(t *rapid.T) {
	scope := anyScope.Draw(t, "scope")
	id := rapid.Int64Range(1, m.last["report"]+1).Draw(t, "report")
	got, err := m.ReportByID(m.Context(), scope, id)
	r := m.model.report(scope, id)
	if r == nil {
		require.ErrorIs(m, err, report.ErrNotFound)
		return
	}
	require.NoError(m, err)
	m.sameReports([]report.Report{m.model.show(*r)}, []report.Report{got})
}

// compareReviews compares the reviews of all proposals.
func (m *machine) compareReviews() {
	m.Helper()
	for _, r := range m.model.reports {
		for _, p := range r.Proposals {
			m.compareReviewsOf(p.ID)
		}
	}
}

func (m *machine) compareReviewsOf(proposalID int64) {
	m.Helper()
	require.Equal(m, m.model.reviewsOf(proposalID), orNil(m.reviewsOf(proposalID)), "the reviews of proposal %d", proposalID)
}
