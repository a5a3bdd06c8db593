package report

import "cmp"

// EffectiveReview returns the review that a proposal shows, which is the one in effect.
// It takes all reviews of the proposal, in any order.
//
// The result is the last APPROVE or REJECT that is not withdrawn. If there is none, it is
// the last SKIP or ESCALATE. If there is none either, it is the zero Review. The last
// review is the one with the largest ID.
func EffectiveReview(reviews []Review) Review {
	var effective Review
	for _, r := range reviews {
		if r.Weight() > 0 && r.outweighs(effective) {
			effective = r
		}
	}
	return effective
}

// Weight returns 0 if the review is withdrawn, 2 if it is an APPROVE or a REJECT, and 1
// otherwise. The effective review is the one with the largest weight and, among reviews of
// that weight, the largest ID. A review with weight 0 is never in effect. Stores may store
// the weight, so that an index finds the effective review.
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

// Showing returns the proposal with the review fields of the effective review.
func (p Proposal) Showing(effective Review) Proposal {
	p.ReviewID, p.ReviewStatus = effective.ID, effective.Status
	p.ReviewedBy, p.ReviewedAt = effective.ReviewedBy, effective.ReviewedAt
	return p
}

// Apply returns the proposal after r is added to it. The proposal shows r if r is now the
// effective review.
func (r Review) Apply(old Proposal) Proposal {
	if r.outweighs(Review{ID: old.ReviewID, Status: old.ReviewStatus}) {
		return old.Showing(r)
	}
	return old
}
