package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// feed has all changes ordered by ID. Calls that write run one by one, so this is the
// order of recording, and the ID of a change is its position.
type feed []*asset.Change

func compareID(change *asset.Change, id int64) int { return cmp.Compare(change.ID, id) }

// remove removes the changes with the given IDs.
func (f *feed) remove(ids map[int64]bool) {
	if len(ids) == 0 {
		return
	}
	sorted := slices.Sorted(maps.Keys(ids))
	start, _ := slices.BinarySearchFunc(*f, sorted[0], compareID)
	end, _ := slices.BinarySearchFunc(*f, sorted[len(sorted)-1]+1, compareID)
	*f = removeChanges(*f, start, end, ids)
}

// Since implements [asset.FeedStore].
func (s *Store) Since(ctx context.Context, after asset.FeedCursor, limit int) (step.Page[asset.FeedEntry], error) {
	return read(ctx, s, func(t *tables) (step.Page[asset.FeedEntry], error) {
		described := t.describeFeed()
		position, err := described.Position(after)
		if err != nil {
			return step.Page[asset.FeedEntry]{}, err
		}
		later := above(t.feed, position, func(change *asset.Change) int64 { return change.ID })
		return page(later, limit, func(change *asset.Change) asset.FeedEntry {
			entry := asset.FeedEntry{Change: *change, Cursor: described.Cursor(change.ID)}
			entry.Change.Basis = t.named(change.Basis)
			return entry
		})
	})
}

// Feed implements [asset.FeedStore].
func (s *Store) Feed(ctx context.Context) (asset.Feed, error) {
	return read(ctx, s, func(t *tables) (asset.Feed, error) {
		return t.describeFeed(), nil
	})
}

// PublishChanges implements [asset.FeedStore]. Positions are IDs, so it does nothing.
func (s *Store) PublishChanges(ctx context.Context, _ int) (bool, error) {
	return read(ctx, s, func(*tables) (bool, error) { return false, nil })
}

func (t *tables) describeFeed() asset.Feed {
	return asset.Feed{Store: t.storeID, Last: t.lastChange, Pruned: t.prunedChange, Prunings: t.prunings}
}
