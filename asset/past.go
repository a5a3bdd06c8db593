package asset

import (
	"context"
	"iter"
	"time"
)

// StatusAt returns the status that the asset with that identity had at a moment,
// as the changelog tells it: by time, then ID. A change of exactly that moment
// counts; changes have whole milliseconds. Before the first change it is the status
// from which that change went, which is UNKNOWN unless older changes were pruned.
// An asset without any change has always had the status that it has now.
//
// At the latest moment it is the status that the asset has, unless the clock was
// set back between two of its changes.
//
// The error is [ErrNotFound] when there is no such asset, also for an identity that
// none can have.
func (s *Service) StatusAt(ctx context.Context, identity Identity, at time.Time) (Status, error) {
	known, err := s.Get(ctx, identity)
	if err != nil {
		return "", err
	}
	statuses, err := s.store.StatusesAt(ctx, []int64{known.ID}, at)
	return statuses[known.ID], err
}

// Difference is an asset that had one status at one moment and another at a later
// one.
type Difference struct {
	AssetID int64
	Type    Type
	Content string
	From    Status
	To      Status
	// At is the time of the last change up to the later moment. It is in UTC and has
	// whole milliseconds.
	At time.Time
}

// Diff yields the assets whose status at the moment to is another than at the moment
// from, as [Service.StatusAt] tells it at both. Those whose last change up to then
// is the newest come first (time, then ID, of that change). No asset comes twice.
//
// It goes through the changes between the two moments page by page as the caller
// goes on. It needs the memory of one page and, for each asset that was changed in
// between, that of its ID; it holds nothing of the store while the caller is busy.
// Changes of that span which are recorded, and history which is pruned, after it
// began may be taken into account or not.
//
// An error is yielded once and last. It is an [*InputError] when from is after to.
func (s *Service) Diff(ctx context.Context, from, to time.Time) iter.Seq2[Difference, error] {
	return func(yield func(Difference, error) bool) {
		var issues Issues
		issues.Check(!from.After(to), "from", "must not be after to")
		if err := issues.Err(); err != nil {
			yield(Difference{}, err)
			return
		}
		filter, ok := changesBetween(from, to)
		if !ok {
			return
		}
		seen := make(map[int64]bool)
		var after ChangeCursor
		for {
			page, err := s.ChangePage(ctx, filter, after, MaxChangePage)
			if err != nil {
				yield(Difference{}, err)
				return
			}
			differences, err := s.differences(ctx, lastOfEach(page, seen), from)
			if err != nil {
				yield(Difference{}, err)
				return
			}
			for _, difference := range differences {
				if !yield(difference, nil) {
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

// changesBetween returns the filter for the changes after the one moment, up to the
// other. It reports false when there can be none.
func changesBetween(from, to time.Time) (ChangeFilter, bool) {
	first, last := TruncateTime(from).Add(time.Millisecond), TruncateTime(to)
	if last.Before(first) || last.Before(time.Time{}) {
		return ChangeFilter{}, false
	}
	return ChangeFilter{Period: Period{Since: first, Before: last.Add(time.Millisecond)}}, true
}

// lastOfEach returns the first change of each asset that was not seen yet, which is
// its last one where the newest come first. It notes those assets as seen.
func lastOfEach(page []Change, seen map[int64]bool) []Change {
	var last []Change
	for _, change := range page {
		if !seen[change.AssetID] {
			seen[change.AssetID] = true
			last = append(last, change)
		}
	}
	return last
}

// differences returns those of the assets, whose last changes these are, that had
// another status at the earlier moment.
func (s *Service) differences(ctx context.Context, last []Change, from time.Time) ([]Difference, error) {
	ids := make([]int64, len(last))
	for i, change := range last {
		ids[i] = change.AssetID
	}
	before, err := s.store.StatusesAt(ctx, ids, from)
	if err != nil {
		return nil, err
	}
	var differences []Difference
	for _, c := range last {
		if status := before[c.AssetID]; status != c.To {
			differences = append(differences, Difference{
				AssetID: c.AssetID, Type: c.Type, Content: c.Content, From: status, To: c.To, At: c.At,
			})
		}
	}
	return differences, nil
}
