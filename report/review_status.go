package report

import "slices"

// ReviewStatus is the result of a review. It has the values of the specification.
// The zero value means that no review of a proposal is in effect.
type ReviewStatus string

// The review statuses, in the order of the specification.
const (
	ReviewApprove  ReviewStatus = "APPROVE"
	ReviewReject   ReviewStatus = "REJECT"
	ReviewSkip     ReviewStatus = "SKIP"
	ReviewEscalate ReviewStatus = "ESCALATE"
)

var reviewStatuses = [...]ReviewStatus{ReviewApprove, ReviewReject, ReviewSkip, ReviewEscalate}

// ReviewStatuses returns all review statuses in the order of the specification. The
// caller owns the slice.
func ReviewStatuses() []ReviewStatus {
	return slices.Clone(reviewStatuses[:])
}

// Valid reports whether s is one of the review statuses.
func (s ReviewStatus) Valid() bool {
	return slices.Contains(reviewStatuses[:], s)
}

// Decides reports whether s decides a proposal, as APPROVE and REJECT do.
func (s ReviewStatus) Decides() bool {
	return s == ReviewApprove || s == ReviewReject
}
