package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/apguard/apguard/asset"
)

// feed has all changes ordered by ID. Calls that write run one by one, so this is the
// order of recording, and the ID of a change is its position.
type feed []*asset.Change

func compareID(change *asset.Change, id int64) int { return cmp.Compare(change.ID, id) }

// after returns the changes with an ID above id.
func (f feed) after(id int64) feed {
	start, found := slices.BinarySearchFunc(f, id, compareID)
	if found {
		start++
	}
	return f[start:]
}

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
func (s *Store) Since(ctx context.Context, after asset.FeedCursor, limit int) ([]asset.FeedEntry, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	described := s.describeFeed()
	position, err := described.Position(after)
	if err != nil {
		return nil, err
	}
	var page []asset.FeedEntry
	for _, change := range first(s.tables.feed.after(position), limit) {
		page = append(page, asset.FeedEntry{Change: *change, Cursor: described.Cursor(change.ID)})
	}
	return page, nil
}

// Feed implements [asset.FeedStore].
func (s *Store) Feed(ctx context.Context) (asset.Feed, error) {
	if err := s.beginRead(ctx); err != nil {
		return asset.Feed{}, err
	}
	defer s.mu.RUnlock()

	return s.describeFeed(), nil
}

func (s *Store) describeFeed() asset.Feed {
	return asset.Feed{Store: s.id, Last: s.tables.lastChange}
}
