package memory

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/apguard/apguard/asset"
)

// changeRow is a change with the asset that it belongs to. It never changes, so
// the changelog of everything and that of the asset share it.
type changeRow struct {
	asset  *assetRow
	change asset.Change
}

// changelog holds changes from the oldest to the newest, by time and ID. New
// ones nearly always belong to the end, where adding them is cheap.
type changelog []*changeRow

func compareChanges(a, b *changeRow) int {
	return cmp.Or(a.change.At.Compare(b.change.At), cmp.Compare(a.change.ID, b.change.ID))
}

// insert puts the change to its place, which is not the end when the clock was
// set back.
func (l *changelog) insert(change *changeRow) {
	at, _ := slices.BinarySearchFunc(*l, change, compareChanges)
	*l = slices.Insert(*l, at, change)
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

// page reads backwards from the cursor, or from the end of the filter's period
// if that is earlier, to the beginning of the period.
func (l changelog) page(ctx context.Context, filter asset.ChangeFilter, after asset.ChangeCursor, limit int) ([]asset.Change, error) {
	end := sort.Search(len(l), func(i int) bool {
		change := l[i].change
		before := asset.Period{Before: filter.Period.Before}
		return !after.Precedes(change) || !before.Contains(change.At)
	})
	var page []asset.Change
	for i := end - 1; i >= 0 && len(page) < limit; i-- {
		if err := scanned(ctx, end-i); err != nil {
			return nil, err
		}
		row := l[i]
		if row.change.At.Before(filter.Period.Since) {
			break
		}
		if filter.Match(row.change) {
			page = append(page, row.change)
		}
	}
	return page, nil
}

// last returns the change with the largest ID, or the zero Change.
func (l changelog) last() asset.Change {
	var last asset.Change
	for _, row := range l {
		if row.change.ID > last.ID {
			last = row.change
		}
	}
	return last
}
