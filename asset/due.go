package asset

import (
	"cmp"
	"context"
	"time"

	"github.com/apguard/apguard/step"
)

// DueRequest asks for a page of [Service.Due].
type DueRequest struct {
	// Before selects the decisions whose ReviewAt is not after it. Zero means the present time.
	Before time.Time
	// Cursor is the NextCursor of the previous page, or zero for the first page.
	Cursor DueCursor
	// Limit is the largest number of decisions to return, up to [MaxLimit]. Zero means [DefaultLimit].
	Limit int
}

// Validate returns an [*InputError] if the limit is invalid.
func (req DueRequest) Validate() error { return validateLimit(req.Limit) }

// DueCursor is the position right after the decision on an asset with the ID that is due at the time. The
// zero value is the start.
type DueCursor struct {
	At time.Time `json:"reviewAt"`
	ID int64     `json:"id"`
}

// Compare orders positions by time and then by ID.
func (c DueCursor) Compare(d DueCursor) int {
	return cmp.Or(c.At.Compare(d.At), cmp.Compare(c.ID, d.ID))
}

// Due is an asset with a decision of the operators that is due for review.
type Due struct {
	Asset
	// Decision has a ReviewAt. Its Replaced is nil.
	Decision Decision `json:"decision"`
}

// Cursor returns the position right after d.
func (d Due) Cursor() DueCursor { return DueCursor{d.Decision.ReviewAt, d.ID} }

// PageBytes implements [PageItem].
func (d Due) PageBytes() int {
	return step.PageBytes(d.Canonical, d.Decision.Note, d.Decision.Origin.Reference)
}

// DuePage is a page of decisions that are due, earliest first.
type DuePage struct {
	Due []Due `json:"due"`
	// NextCursor continues the list. It is zero on the last page.
	NextCursor DueCursor `json:"nextCursor,omitzero"`
}

// Due returns a page of the decisions of the operators that are due for review, earliest first. One leaves
// the list if it is withdrawn, has ended, or is replaced by one with another ReviewAt or none. The page has at
// most [MaxPageBytes], so it may be shorter than the limit and still have a next one. The error is an
// [*InputError] if the request is invalid.
func (s *Service) Due(ctx context.Context, req DueRequest) (DuePage, error) {
	if err := req.Validate(); err != nil {
		return DuePage{}, err
	}
	req.Limit = cmp.Or(req.Limit, DefaultLimit)
	if req.Before.IsZero() {
		req.Before = s.clock()
	}
	found, err := s.store.DueDecisions(ctx, req)
	page := DuePage{Due: found.Items}
	if found.More {
		page.NextCursor = found.Last().Cursor()
	}
	return page, err
}
