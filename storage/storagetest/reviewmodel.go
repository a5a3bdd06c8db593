package storagetest

import (
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// What the model knows of reviews. It finds the effective one by looking at all of them.

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

func (m *model) report(scope report.Scope, id int64) *report.Report {
	return find(m.reports, func(r report.Report) bool { return r.ID == id && scope.Contains(r.OrganizationID) })
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

func (m *model) reviewsAfter(proposalID, after int64, limit int) []report.Review {
	reviews := slices.DeleteFunc(m.reviewsOf(proposalID), func(r report.Review) bool { return r.ID <= after })
	return reviews[:min(limit, len(reviews))]
}

// effective returns the review that a proposal must show, or the zero one.
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

// update makes a report show what follows from its reviews.
func (m *model) update(r *report.Report, moment time.Time) {
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
	r.UpdatedAt = moment
	if moment.Before(r.CreatedAt) {
		r.UpdatedAt = r.CreatedAt
	}
}

// approve gives an asset the status that was approved, and reports whether that is a
// change.
func (m *model) approve(r *report.Report, p *report.Proposal, review report.Review) bool {
	approved := m.assetByID(p.Asset.ID)
	if review.Status != report.ReviewApprove || approved.Status == p.ProposedStatus {
		return false
	}
	m.setStatus(approved, p.ProposedStatus, review.ReviewedAt, review.Origin(r.ID))
	return true
}

// putBack takes back the change of a withdrawn approval, if that is to be. All changes
// have their IDs.
func (m *model) putBack(r *report.Report, p *report.Proposal, withdrawn report.Review, cmd report.WithdrawCommand) {
	var last asset.Change
	for _, change := range m.changes {
		if change.AssetID == p.Asset.ID && change.ID > last.ID {
			last = change
		}
	}
	if withdrawn.ChangeID == 0 || withdrawn.ChangeID != last.ID || m.effective(p.ID).Status == report.ReviewApprove {
		return
	}
	m.setStatus(m.assetByID(p.Asset.ID), last.From, cmd.At, cmd.Origin(r.ID))
}
