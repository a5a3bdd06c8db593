package report

import "cmp"

// EffectiveReview returns the review that decides what a proposal shows, of all reviews
// of the proposal in any order. It is the last APPROVE or REJECT that is not withdrawn.
// If there is none, it is the last SKIP or ESCALATE, and if there is none either, the
// zero Review.
func EffectiveReview(reviews []Review) Review {
	var effective Review
	for _, r := range reviews {
		if r.Weight() > 0 && r.outweighs(effective) {
			effective = r
		}
	}
	return effective
}

// Weight returns 0 if the review is withdrawn, 2 if it decides, and 1 otherwise. The
// effective review is the one with the largest weight above 0, and the last one of
// those. Stores may keep the weight with the review to find it along an index.
func (r Review) Weight() int {
	switch {
	case r.Withdrawn():
		return 0
	case !r.Status.Decides():
		return 1
	default:
		return 2
	}
}

func (r Review) outweighs(other Review) bool {
	return other.ID == 0 || cmp.Or(cmp.Compare(r.Weight(), other.Weight()), cmp.Compare(r.ID, other.ID)) > 0
}

// Showing returns the proposal with the effective review.
func (p Proposal) Showing(effective Review) Proposal {
	p.ReviewID, p.ReviewStatus = effective.ID, effective.Status
	p.ReviewedBy, p.ReviewedAt = effective.ReviewedBy, effective.ReviewedAt
	return p
}

// Apply returns the proposal after the review was added to it, which shows the review if
// it is the effective one now.
func (r Review) Apply(old Proposal) Proposal {
	if r.outweighs(Review{ID: old.ReviewID, Status: old.ReviewStatus}) {
		return old.Showing(r)
	}
	return old
}
