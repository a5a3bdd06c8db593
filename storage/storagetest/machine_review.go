package storagetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

func (m *machine) reviewRandomly(t *rapid.T) {
	scope := anyScope.Draw(t, "scope")
	review := report.Review{
		ProposalID: rapid.Int64Range(1, m.last["proposal"]+1).Draw(t, "proposal"),
		Status:     anyReviewStatus.Draw(t, "review"),
		ReviewedBy: maybe(anyUser).Draw(t, "by"),
		Comment:    anyText.Draw(t, "comment"),
		ReviewedAt: anyTime.Draw(t, "at"),
	}
	m.compareChanges()
	r, p := m.model.proposal(scope, review.ProposalID)
	cmd := reviewCommand(review)
	cmd.Scope = scope
	got, err := m.AddReviews(m.Context(), cmd)
	if p == nil {
		require.ErrorIs(m, err, report.ErrNotFound)
		return
	}
	require.NoError(m, err)
	before := len(m.model.changes)
	review.DecidedAt = m.model.approve(r, p, review)
	m.compareChanges()
	for _, change := range m.model.changes[before:] {
		review.ChangeID = change.ID // or 0 if it is not of the status
	}
	m.addNewestReview(review)
	m.model.update(r, review.ReviewedAt)
	m.sameReports([]report.Report{m.model.show(*r)}, []report.Report{got})
}

// addNewestReview copies the newest review of the store to the model.
func (m *machine) addNewestReview(review report.Review) {
	m.Helper()
	stored := m.reviewsOf(review.ProposalID)
	require.Len(m, stored, len(m.model.reviewsOf(review.ProposalID))+1, "AddReviews must store the review")
	review.ID = stored[len(stored)-1].ID
	m.assigned("review", review.ID)
	m.model.reviews = append(m.model.reviews, review)
	m.compareReviewsOf(review.ProposalID)
}

func (m *machine) withdrawRandomly(t *rapid.T) {
	cmd := report.WithdrawCommand{
		WithdrawRequest: report.WithdrawRequest{
			Scope:    anyScope.Draw(t, "scope"),
			ReviewID: rapid.Int64Range(1, m.last["review"]+1).Draw(t, "review"),
			Actor:    maybe(anyUser).Draw(t, "by"),
			Reason:   anyText.Draw(t, "reason"),
		},
		At: anyTime.Draw(t, "at"),
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
	m.model.undo(r, p, *review, cmd)
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
		Comment:  anyText.Draw(t, "comment"),
	}
	at := anyTime.Draw(t, "at")
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
		m.addNewestReview(report.Review{
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
	limit := anyLimit.Draw(t, "limit")
	got, err := m.Reviews(m.Context(), scope, proposal, after, limit)
	if _, p := m.model.proposal(scope, proposal); p == nil {
		require.ErrorIs(m, err, report.ErrProposalNotFound)
		return
	}
	require.NoError(m, err)
	want := above(m.model.reviewsOf(proposal), after, func(r report.Review) int64 { return r.ID })
	samePage(m, want, limit, got, "Reviews of proposal %d after %d", proposal, after)
}

// compareReviews compares the reviews of all proposals.
func (m *machine) compareReviews() {
	m.Helper()
	for _, r := range m.model.reports {
		for _, p := range r.Proposals {
			m.compareReviewsOf(p.ID)
		}
	}
	for _, scope := range []report.Scope{report.AnyOrganization(), report.InOrganization(1)} {
		require.Equal(m, m.model.backlogOfReports(scope), m.reportBacklog(scope))
	}
}

func (m *model) backlogOfReports(scope report.Scope) report.Backlog {
	var backlog report.Backlog
	first := make(map[report.Status]bool)
	for _, r := range m.reports { // ordered by ID
		if r.Status == report.StatusClosed || !scope.Contains(r.OrganizationID) {
			continue
		}
		if r.Status == report.StatusTodo {
			backlog.Todo++
		} else {
			backlog.InProgress++
		}
		if !first[r.Status] && (backlog.OldestAt.IsZero() || r.CreatedAt.Before(backlog.OldestAt)) {
			backlog.OldestAt = r.CreatedAt
		}
		first[r.Status] = true
	}
	return backlog
}

func (m *machine) compareReviewsOf(proposalID int64) {
	m.Helper()
	sameList(m, m.model.reviewsOf(proposalID), func(last report.Review) step.Page[report.Review] {
		return m.reviewsAfter(proposalID, last.ID, m.pageSize)
	})
}

// proposal returns a proposal and its report, if the scope contains it.
func (m *model) proposal(scope report.Scope, id int64) (*report.Report, *report.Proposal) {
	for i := range m.reports {
		r := &m.reports[i]
		if p := find(r.Proposals, func(p report.Proposal) bool { return p.ID == id }); p != nil && scope.Contains(r.OrganizationID) {
			return r, p
		}
	}
	return nil, nil
}

func (m *model) reviewsOf(proposalID int64) []report.Review {
	var reviews []report.Review
	for _, review := range m.reviews {
		if review.ProposalID == proposalID {
			reviews = append(reviews, review)
		}
	}
	return reviews
}

// effective returns the review in effect, or the zero Review.
func (m *model) effective(proposalID int64) report.Review {
	var lastDecision, last report.Review
	for _, review := range m.reviewsOf(proposalID) {
		if !review.WithdrawnAt.IsZero() {
			continue
		}
		last = review
		if review.Status == report.ReviewApprove || review.Status == report.ReviewReject {
			lastDecision = review
		}
	}
	if lastDecision.ID != 0 {
		return lastDecision
	}
	return last
}

// update sets the fields of a report that depend on its reviews.
func (m *model) update(r *report.Report, when time.Time) {
	decided := 0
	for i := range r.Proposals {
		p, effective := &r.Proposals[i], m.effective(r.Proposals[i].ID)
		p.ReviewID, p.ReviewStatus = effective.ID, effective.Status
		p.ReviewedBy, p.ReviewedAt = effective.ReviewedBy, effective.ReviewedAt
		if effective.Status == report.ReviewApprove || effective.Status == report.ReviewReject {
			decided++
		}
	}
	switch decided {
	case 0:
		r.Status = report.StatusTodo
	case len(r.Proposals):
		r.Status = report.StatusClosed
	default:
		r.Status = report.StatusInProgress
	}
	r.UpdatedAt = when
	if when.Before(r.CreatedAt) {
		r.UpdatedAt = r.CreatedAt
	}
}

// approve makes the status of an approved asset the decision of the operators. It returns its time, or
// zero.
func (m *model) approve(r *report.Report, p *report.Proposal, review report.Review) time.Time {
	if review.Status != report.ReviewApprove {
		return time.Time{}
	}
	return m.decide(m.assetByID(p.Asset.ID), asset.Decision{Status: p.ProposedStatus, Origin: review.Origin(r.ID)}, review.ReviewedAt)
}

// undo undoes the decision of a withdrawn approval if no approval is in effect.
func (m *model) undo(r *report.Report, p *report.Proposal, withdrawn report.Review, cmd report.WithdrawCommand) {
	if withdrawn.DecidedAt.IsZero() || m.effective(p.ID).Status == report.ReviewApprove {
		return
	}
	origin := asset.Origin{Cause: asset.CauseWithdrawal, Actor: cmd.Actor, Reference: fmt.Sprintf("report/%d", r.ID)}
	m.revert(m.assetByID(p.Asset.ID), withdrawn.DecidedAt, cmd.At, origin)
}
