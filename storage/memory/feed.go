package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/apguard/apguard/asset"
)

// feed holds all changes by ID. One step writes at a time, so this is the order in which
// they were recorded, and IDs serve as positions.
type feed []*asset.Change

func compareIDs(change *asset.Change, id int64) int {
	return cmp.Compare(change.ID, id)
}

// after returns the changes with larger IDs.
func (f feed) after(id int64) feed {
	at, found := slices.BinarySearchFunc(f, id, compareIDs)
	if found {
		at++
	}
	return f[at:]
}

// remove removes the changes with the IDs, all of which are in the feed.
func (f *feed) remove(ids map[int64]bool) {
	if len(ids) == 0 {
		return
	}
	lowest, highest := int64(asset.MaxID), int64(0)
	for id := range ids {
		lowest, highest = min(lowest, id), max(highest, id)
	}
	start, _ := slices.BinarySearchFunc(*f, lowest, compareIDs)
	end, _ := slices.BinarySearchFunc(*f, highest+1, compareIDs)
	kept := slices.DeleteFunc((*f)[start:end], func(change *asset.Change) bool { return ids[change.ID] })
	*f = slices.Delete(*f, start+len(kept), end)
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
	next := s.tables.feed.after(position)
	page := make([]asset.FeedEntry, min(max(limit, 0), len(next)))
	for i := range page {
		page[i] = asset.FeedEntry{Change: *next[i], Cursor: described.Cursor(next[i].ID)}
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
