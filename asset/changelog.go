package asset

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

	"github.com/apguard/apguard/step"
)

// The limits of a page of [Service.ListChanges] and of [FeedService.Since], in changes.
// [MaxPageBytes] also limits it.
const (
	MaxLimit     = 1000
	DefaultLimit = 100
)

// ListChangesRequest asks for a page of the changelog.
type ListChangesRequest struct {
	Filter ChangeFilter
	// Assets selects the changes of the assets with these IDs. Nil selects those of all assets.
	Assets []int64
	// Actor selects the changes of the decisions of this user; see [Cause.ByOperators]. 0 selects those of
	// everybody.
	Actor int64
	// Cursor is the NextCursor of the previous page, or zero for the first page.
	Cursor ChangeCursor
	// Limit is the largest number of changes to return, up to [MaxLimit]. Zero means
	// [DefaultLimit].
	Limit int
}

// Validate returns an [*InputError] if the filter or the limit is invalid.
func (req ListChangesRequest) Validate() error {
	var issues Issues
	issues.CheckOptionalID("userId", req.Actor)
	return JoinInput(validateLimit(req.Limit), req.Filter.Validate(), issues.Err())
}

// Selects reports whether the request asks for the change, regardless of the cursor and the limit.
// [Store.Changes] must return the same changes.
func (req ListChangesRequest) Selects(c Change) bool {
	return req.Filter.Match(c) && (req.Assets == nil || slices.Contains(req.Assets, c.AssetID)) &&
		(req.Actor == 0 || req.Actor == c.Origin.Actor && c.Origin.Cause.ByOperators())
}

// ChangePage is a page of the changelog, newest change first.
type ChangePage struct {
	Changes []Change `json:"changes"`
	// NextCursor continues the list. It is zero on the last page.
	NextCursor ChangeCursor `json:"nextCursor,omitzero"`
}

// ListChanges returns a page of the changes that match the filter, newest first. The page
// has at most [MaxPageBytes], so it may be shorter than the limit and still have a next
// one. The error is an [*InputError] if the request is invalid.
func (s *Service) ListChanges(ctx context.Context, req ListChangesRequest) (ChangePage, error) {
	if err := req.Validate(); err != nil {
		return ChangePage{}, err
	}
	req.Limit = cmp.Or(req.Limit, DefaultLimit)
	found, err := s.store.Changes(ctx, req)
	page := ChangePage{Changes: found.Items}
	if found.More {
		page.NextCursor = found.Last().Cursor()
	}
	return page, err
}

// Changes yields every change that matches the filter, newest first. It reads page by
// page: it keeps one page in memory and holds no resource of the store while the loop
// body runs. Changes that are recorded after the first page was read may be missing. No
// change is yielded twice.
//
// An error ends the sequence. It is an [*InputError] if the filter is invalid.
func (s *Service) Changes(ctx context.Context, filter ChangeFilter) iter.Seq2[Change, error] {
	if err := filter.Validate(); err != nil {
		return failed[Change](err)
	}
	return changes(ctx, s.store, filter)
}

// changes is [Service.Changes] for a valid filter.
func changes(ctx context.Context, store Store, filter ChangeFilter) iter.Seq2[Change, error] {
	return step.Pages(ChangeCursor{}, Change.Cursor, func(after ChangeCursor, limit int) (step.Page[Change], error) {
		return store.Changes(ctx, ListChangesRequest{Filter: filter, Cursor: after, Limit: limit})
	})
}

// ChangeCursor is a position in the changelog: right after the change with this time and
// ID, in the direction of reading. [Service.ListChanges] reads toward older changes, and
// [PruneCommand] toward newer ones. The zero value is the start.
type ChangeCursor struct {
	At time.Time `json:"updatedAt"`
	ID int64     `json:"id"`
}

// Cursor returns the position in the changelog right after c.
func (c Change) Cursor() ChangeCursor {
	return ChangeCursor{At: c.At, ID: c.ID}
}

// Precedes reports whether c comes after the cursor when the changelog is read from
// the newest change to the oldest.
func (after ChangeCursor) Precedes(c Change) bool {
	return after == ChangeCursor{} || c.Compare(after.change()) < 0
}

// change returns a change at the position of the cursor.
func (after ChangeCursor) change() Change {
	return Change{At: after.At, ID: after.ID}
}

// validateLimit returns an [*InputError] unless limit is a valid page size or 0.
func validateLimit(limit int) error {
	var issues Issues
	issues.CheckLimit(limit, MaxLimit)
	return issues.Err()
}

// failed is a sequence that yields only an error.
func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}
