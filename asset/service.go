package asset

import (
	"context"
	"fmt"
	"iter"
	"time"
)

// MaxChangePage is the largest number of changes that one call of
// [Service.ChangePage] or [Service.Since] returns.
const MaxChangePage = 1000

// Options are the optional parts of a [Service]. The zero value works.
type Options struct {
	// Clock tells the time of a change. Nil means time.Now.
	Clock func() time.Time
}

// Service lists the changelog, lets others follow it, and sets statuses. It is safe
// for concurrent use when its store is.
type Service struct {
	store Store
	clock func() time.Time
}

// NewService returns a Service on the store.
func NewService(store Store, opts Options) *Service {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Service{store: store, clock: opts.Clock}
}

// Get returns the asset with that identity, or [ErrNotFound], also for an identity
// that no asset can have.
func (s *Service) Get(ctx context.Context, identity Identity) (Asset, error) {
	if !identity.Type.Valid() || !ValidText(identity.Canonical) {
		return Asset{}, ErrNotFound
	}
	return s.store.AssetByIdentity(ctx, identity)
}

// StatusRequest asks for an asset to have a status.
type StatusRequest struct {
	// Identity is what package classify finds for the content.
	Identity Identity
	Status   Status
	// Origin says why. An empty Cause means CauseManual.
	Origin Origin
}

// SetStatus gives an asset a status and returns the asset as it is afterwards.
// An asset that is not known yet is registered. A change is recorded only when
// the status was another one before; a new asset was UNKNOWN.
//
// The error is an [*InputError] when the request cannot be right.
func (s *Service) SetStatus(ctx context.Context, req StatusRequest) (Asset, error) {
	if req.Origin.Cause == "" {
		req.Origin.Cause = CauseManual
	}
	if err := req.validate(); err != nil {
		return Asset{}, err
	}
	return s.store.SetAssetStatus(ctx, StatusWrite{
		Identity: req.Identity,
		Status:   req.Status,
		At:       TruncateTime(s.clock()),
		Origin:   req.Origin,
	})
}

func (req StatusRequest) validate() error {
	var issues Issues
	issues.Check(req.Identity.Type.Valid(), "type", "must be an asset type")
	issues.Check(req.Identity.Canonical != "", "content", "is required")
	issues.CheckText("content", req.Identity.Canonical)
	issues.Check(req.Status.Valid(), "status", "must be UNKNOWN, ALLOWED or BLOCKED")
	issues.Check(req.Origin.Cause.Valid(), "cause", "must be a known cause")
	issues.CheckUser("actor", req.Origin.Actor)
	issues.CheckText("reference", req.Origin.Reference)
	return issues.Err()
}

// ChangePage returns a page of the changelog: at most limit changes that the
// filter matches, newest first, beginning after the cursor. The zero cursor
// begins with the newest; the next page begins after [Change.Cursor] of the
// last one. A page with fewer changes than limit is the last.
//
// The error is an [*InputError] when the filter is wrong, or the limit not from
// 1 to [MaxChangePage].
func (s *Service) ChangePage(ctx context.Context, filter ChangeFilter, after ChangeCursor, limit int) ([]Change, error) {
	if err := JoinInput(checkPageLimit(limit), filter.Validate()); err != nil {
		return nil, err
	}
	return s.store.Changes(ctx, filter, after, limit)
}

// checkPageLimit returns an [*InputError] when a page may not have that limit.
func checkPageLimit(limit int) error {
	var issues Issues
	issues.Check(1 <= limit && limit <= MaxChangePage, "limit", fmt.Sprintf("must be from 1 to %d", MaxChangePage))
	return issues.Err()
}

// Changes yields every change that the filter matches, newest first. It reads
// page by page as the caller goes on, so it needs the memory of one page and
// holds nothing of the store while the caller is busy. Changes recorded after
// it began may be missing from it; none comes twice.
//
// An error, of the kinds that [Service.ChangePage] has, is yielded once and last.
func (s *Service) Changes(ctx context.Context, filter ChangeFilter) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		var after ChangeCursor
		for {
			page, err := s.ChangePage(ctx, filter, after, MaxChangePage)
			if err != nil {
				yield(Change{}, err)
				return
			}
			for _, change := range page {
				if !yield(change, nil) {
					return
				}
			}
			if len(page) < MaxChangePage {
				return
			}
			after = page[len(page)-1].Cursor()
		}
	}
}
