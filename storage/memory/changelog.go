package memory

import (
	"context"
	"iter"
	"slices"
	"sort"

	"github.com/apguard/apguard/asset"
)

// changelog holds changes from the oldest to the newest, as [asset.Change.Compare] orders
// them. Changes are never modified, so that all lists share them.
type changelog []*asset.Change

func compareChanges(a, b *asset.Change) int { return a.Compare(*b) }

// insert puts the change at its position. This is the end unless the clock was set back.
func (l *changelog) insert(change *asset.Change) {
	at, _ := slices.BinarySearchFunc(*l, change, compareChanges)
	*l = slices.Insert(*l, at, change)
}

// latest returns the last change. The changelog must not be empty.
func (l changelog) latest() *asset.Change { return l[len(l)-1] }

// all yields the changes from the oldest to the newest.
func (l changelog) all() iter.Seq[asset.Change] {
	return func(yield func(asset.Change) bool) {
		for _, change := range l {
			if !yield(*change) {
				return
			}
		}
	}
}

// Changes implements [asset.Store].
func (s *Store) Changes(ctx context.Context, filter asset.ChangeFilter, after asset.ChangeCursor, limit int) ([]asset.Change, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	log := s.tables.changes
	if filter.Identity != (asset.Identity{}) {
		log = s.tables.changesOf(filter.Identity)
	}
	return log.page(ctx, filter, after, limit)
}

func (t *tables) changesOf(identity asset.Identity) changelog {
	if row, known := t.assets[identity]; known {
		return row.changes
	}
	return nil
}

// page reads backwards, from the cursor or the end of the filter's period to the beginning
// of the period.
func (l changelog) page(ctx context.Context, filter asset.ChangeFilter, after asset.ChangeCursor, limit int) ([]asset.Change, error) {
	before := asset.Period{Before: filter.Period.Before}
	end := sort.Search(len(l), func(i int) bool {
		return !after.Precedes(*l[i]) || !before.Contains(l[i].At)
	})
	var page []asset.Change
	for i := end - 1; i >= 0 && len(page) < limit; i-- {
		if err := scanned(ctx, end-i); err != nil {
			return nil, err
		}
		if l[i].At.Before(filter.Period.Since) {
			break
		}
		if filter.Match(*l[i]) {
			page = append(page, *l[i])
		}
	}
	return page, nil
}

// lastRecorded returns the change with the largest ID, or the zero Change.
func (l changelog) lastRecorded() asset.Change {
	var last asset.Change
	for _, change := range l {
		if change.ID > last.ID {
			last = *change
		}
	}
	return last
}
