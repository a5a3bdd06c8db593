package storagetest

import (
	"slices"
	"time"

	"github.com/apguard/apguard/report"
)

// What the model knows of reviews. It finds the one that stands by looking at all of
// them.

// proposal returns a proposal and its report, if the organization has it.
func (m *model) proposal(organizationID, id int64) (*report.Report, *report.Proposal) {
	for i := range m.reports {
		r := &m.reports[i]
		if p := find(r.Proposals, func(p report.Proposal) bool { return p.ID == id }); p != nil && sees(organizationID, *r) {
			return r, p
		}
	}
	return nil, nil
}

func sees(organizationID int64, r report.Report) bool {
	return organizationID == 0 || organizationID == r.OrganizationID
}

func (m *model) report(organizationID, id int64) *report.Report {
	return find(m.reports, func(r report.Report) bool { return r.ID == id && sees(organizationID, r) })
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

// standing returns the review that a proposal must show, or the zero one.
func (m *model) standing(proposalID int64) report.Review {
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
		p, standing := &r.Proposals[i], m.standing(r.Proposals[i].ID)
		p.ReviewID, p.ReviewStatus, p.ReviewedBy, p.ReviewedAt = standing.ID, standing.Status, standing.By, standing.At
		if standing.Status == report.ReviewApprove || standing.Status == report.ReviewReject {
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
func (m *model) approve(r *report.Report, p *report.Proposal, draft report.ReviewDraft) bool {
	approved := m.assetByID(p.Asset.ID)
	if draft.Status != report.ReviewApprove || approved.Status == p.ProposedStatus {
		return false
	}
	m.setStatus(approved, p.ProposedStatus, draft.At, draft.Origin(r.ID))
	return true
}

// putBack takes back what a withdrawn approval has done, if that is to be. All changes
// have their identifiers.
func (m *model) putBack(r *report.Report, p *report.Proposal, withdrawn report.Review, withdrawal report.Withdrawal) {
	effect, made := m.effects[p.ID]
	if withdrawn.Status != report.ReviewApprove || !made {
		return
	}
	if standing := m.standing(p.ID); standing.Status == report.ReviewApprove {
		effect.Since = min(effect.Since, standing.ID)
		m.effects[p.ID] = effect
		return
	}
	for _, review := range m.reviewsOf(p.ID) {
		if review.ID >= effect.Since && review.Status == report.ReviewApprove && review.WithdrawnAt.IsZero() {
			return
		}
	}
	var last int64
	for _, change := range m.changes {
		if change.AssetID == p.Asset.ID {
			last = max(last, change.ID)
		}
	}
	if approved := m.assetByID(p.Asset.ID); last == effect.ChangeID && approved.Status == p.ProposedStatus {
		m.setStatus(approved, effect.From, withdrawal.At, withdrawal.Origin(r.ID))
		delete(m.effects, p.ID)
	}
}
