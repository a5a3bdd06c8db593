package storagetest

import (
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// The steps of the state machine on reviews.

func (m *machine) reviewRandomly(t *rapid.T) {
	draft := report.ReviewDraft{
		OrganizationID: maybe(anyOrganization).Draw(t, "organization"),
		ProposalID:     rapid.Int64Range(1, m.last["proposal"]+1).Draw(t, "proposal"),
		Status:         anyReviewStatus.Draw(t, "review"),
		By:             maybe(anyUser).Draw(t, "by"),
		Comment:        anyWord.Draw(t, "comment"),
		At:             anyMoment.Draw(t, "at"),
	}
	m.compareChanges()
	got, err := m.ReviewProposal(m.Context(), draft)
	r, p := m.model.proposal(draft.OrganizationID, draft.ProposalID)
	if p == nil {
		require.ErrorIs(m, err, report.ErrProposalNotFound)
		return
	}
	require.NoError(m, err)
	id := m.keepNewest(draft)
	from := m.model.assetByID(p.Asset.ID).Status
	changed := m.model.approve(r, p, draft)
	m.compareChanges()
	if changed {
		newest := slices.MaxFunc(m.model.changes, func(a, b asset.Change) int { return int(a.ID - b.ID) })
		m.model.effects[p.ID] = report.Effect{ChangeID: newest.ID, From: from, Since: id}
	}
	m.model.update(r, draft.At)
	m.sameReports([]report.Report{m.model.show(*r)}, []report.Report{got})
}

// keepNewest adds a review to the model that the store has just kept, and returns its
// identifier.
func (m *machine) keepNewest(draft report.ReviewDraft) int64 {
	m.Helper()
	kept := m.reviewsOf(draft.ProposalID)
	require.Len(m, kept, len(m.model.reviewsOf(draft.ProposalID))+1, "a review must be kept")
	id := kept[len(kept)-1].ID
	m.give("review", id)
	m.model.reviews = append(m.model.reviews, report.Review{
		ID: id, ProposalID: draft.ProposalID, Status: draft.Status, By: draft.By, Comment: draft.Comment, At: draft.At,
	})
	m.compareReviewsOf(draft.ProposalID)
	return id
}

func (m *machine) withdrawRandomly(t *rapid.T) {
	withdrawal := report.Withdrawal{
		OrganizationID: maybe(anyOrganization).Draw(t, "organization"),
		ReviewID:       rapid.Int64Range(1, m.last["review"]+1).Draw(t, "review"),
		By:             maybe(anyUser).Draw(t, "by"),
		Reason:         anyWord.Draw(t, "reason"),
		At:             anyMoment.Draw(t, "at"),
	}
	m.compareChanges()
	got, err := m.WithdrawReview(m.Context(), withdrawal)
	review := find(m.model.reviews, func(r report.Review) bool { return r.ID == withdrawal.ReviewID })
	if review == nil {
		require.ErrorIs(m, err, report.ErrReviewNotFound)
		return
	}
	r, p := m.model.proposal(withdrawal.OrganizationID, review.ProposalID)
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
	review.WithdrawnAt, review.WithdrawnBy, review.WithdrawnReason = withdrawal.At, withdrawal.By, withdrawal.Reason
	m.model.putBack(r, p, *review, withdrawal)
	m.model.update(r, withdrawal.At)
	m.sameReports([]report.Report{m.model.show(*r)}, []report.Report{got})
	m.compareChanges()
	m.compareReviewsOf(p.ID)
}

func (m *machine) escalateRandomly(t *rapid.T) {
	escalation := report.Escalation{
		OrganizationID: maybe(anyOrganization).Draw(t, "organization"),
		ReportID:       rapid.Int64Range(1, m.last["report"]+1).Draw(t, "report"),
		By:             maybe(anyUser).Draw(t, "by"),
		Comment:        anyWord.Draw(t, "comment"),
		At:             anyMoment.Draw(t, "at"),
	}
	got, err := m.EscalateReport(m.Context(), escalation)
	r := m.model.report(escalation.OrganizationID, escalation.ReportID)
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
		m.keepNewest(report.ReviewDraft{
			ProposalID: p.ID, Status: report.ReviewEscalate, By: escalation.By, Comment: escalation.Comment, At: escalation.At,
		})
	}
	m.model.update(r, escalation.At)
	m.sameReports([]report.Report{m.model.show(*r)}, []report.Report{got})
}

func (m *machine) readReviews(t *rapid.T) {
	organization := maybe(anyOrganization).Draw(t, "organization")
	proposal := rapid.Int64Range(1, m.last["proposal"]+1).Draw(t, "proposal")
	after := rapid.Int64Range(0, m.last["review"]+1).Draw(t, "after")
	limit := rapid.IntRange(1, 4).Draw(t, "limit")
	got, err := m.ProposalReviews(m.Context(), organization, proposal, after, limit)
	if _, p := m.model.proposal(organization, proposal); p == nil {
		require.ErrorIs(m, err, report.ErrProposalNotFound)
		return
	}
	require.NoError(m, err)
	require.Equal(m, orNil(m.model.reviewsAfter(proposal, after, limit)), orNil(got))
}

func (m *machine) readReport(t *rapid.T) {
	organization := maybe(anyOrganization).Draw(t, "organization")
	id := rapid.Int64Range(1, m.last["report"]+1).Draw(t, "report")
	got, err := m.ReportByID(m.Context(), organization, id)
	r := m.model.report(organization, id)
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
