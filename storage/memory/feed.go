package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/apguard/apguard/asset"
)

// feed holds all changes in the order of their recording, which is that of their
// IDs: one step writes at a time.
type feed []*changeRow

func compareIDs(row *changeRow, id int64) int {
	return cmp.Compare(row.change.ID, id)
}

// behind returns the changes with larger IDs.
func (f feed) behind(id int64) feed {
	at, found := slices.BinarySearchFunc(f, id, compareIDs)
	if found {
		at++
	}
	return f[at:]
}

// remove takes out the changes with those IDs, all of which are there.
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
	kept := slices.DeleteFunc((*f)[start:end], func(row *changeRow) bool { return ids[row.change.ID] })
	*f = slices.Delete(*f, start+len(kept), end)
}

// Since implements [asset.Store].
func (s *Store) Since(ctx context.Context, after asset.FeedCursor, limit int) ([]asset.Followed, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	known := s.knownFeed()
	position, err := known.Position(after)
	if err != nil {
		return nil, err
	}
	next := s.tables.feed.behind(position)
	page := make([]asset.Followed, min(max(limit, 0), len(next)))
	for i := range page {
		page[i] = asset.Followed{Change: next[i].change, Cursor: known.Cursor(next[i].change.ID)}
	}
	return page, nil
}

// Feed implements [asset.Store].
func (s *Store) Feed(ctx context.Context) (asset.Feed, error) {
	if err := s.beginRead(ctx); err != nil {
		return asset.Feed{}, err
	}
	defer s.mu.RUnlock()

	return s.knownFeed(), nil
}

func (s *Store) knownFeed() asset.Feed {
	return asset.Feed{Store: s.id, Last: s.tables.lastChange}
}
