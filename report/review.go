package report

import (
	"cmp"
	"time"
)

// Review is what one reviewer said of a proposal. Each is kept, in the order of
// the identifiers, and a withdrawn one too.
type Review struct {
	// ID is the store's. A later review of the same proposal has a larger one.
	ID         int64
	ProposalID int64
	Status     ReviewStatus
	// By is the user who reviewed, or 0 when not known.
	By int64
	// Comment says why. It may be empty.
	Comment string
	// At is in UTC and has whole milliseconds. It is the zero time when a seed did
	// not say.
	At time.Time
	// WithdrawnAt is like At. It is zero, and so are the next two, while the review
	// is not withdrawn. WithdrawnBy is 0 when not known, WithdrawnReason may be empty.
	WithdrawnAt     time.Time
	WithdrawnBy     int64
	WithdrawnReason string
}

// Withdrawn reports whether the review has been withdrawn.
func (r Review) Withdrawn() bool {
	return !r.WithdrawnAt.IsZero()
}

// Weight says how much the review counts beside others of its proposal: 0 when it
// is withdrawn, 1 when it decides nothing, 2 when it decides. Of those above 0, the
// one with the largest weight stands, and the last of several, as [Standing] has
// it. A store may keep the weight with the review, so that it need not read all of
// them to find that one.
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

// Standing returns which of a proposal's reviews, in any order, is the one that the
// proposal shows: the last that decides and is not withdrawn, or when none does,
// the last that is not withdrawn. It is the zero Review when there is none. Every
// store answers as this function does.
func Standing(reviews []Review) Review {
	var standing Review
	for _, r := range reviews {
		if r.Weight() > 0 && (standing.ID == 0 || r.outweighs(standing)) {
			standing = r
		}
	}
	return standing
}

func (r Review) outweighs(other Review) bool {
	return cmp.Or(cmp.Compare(r.Weight(), other.Weight()), cmp.Compare(r.ID, other.ID)) > 0
}
