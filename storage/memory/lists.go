package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/step"
)

// listRow is a list with the assets on which it holds something.
type listRow struct {
	list   lists.List
	assets []*assetRow // ordered by ID
}

// Lists implements [lists.Store].
func (s *Store) Lists(ctx context.Context) ([]lists.List, error) {
	return read(ctx, s, func(t *tables) ([]lists.List, error) {
		all := make([]lists.List, 0, len(t.lists))
		for _, row := range t.lists {
			all = append(all, row.list)
		}
		slices.SortFunc(all, func(a, b lists.List) int { return strings.Compare(a.Name, b.Name) })
		return all, nil
	})
}

// PutList implements [lists.Store].
func (s *Store) PutList(ctx context.Context, name string, put func(old lists.List, lists int) (lists.List, audit.Entry, error)) (lists.List, error) {
	return write(ctx, s, func(t *tables) (lists.List, error) {
		row := t.listNamed(name)
		list, entry, err := put(row.list, len(t.lists))
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return lists.List{}, err
		}
		list.ID, list.Name = row.list.ID, name
		if list.ID == 0 {
			if t.lastList == asset.MaxID {
				return lists.List{}, errNoID
			}
			t.lastList++
			list.ID = t.lastList
			t.lists[list.ID] = row
		}
		for _, at := range []*time.Time{&list.CreatedAt, &list.SyncedAt, &list.FailedAt, &list.NextAt} {
			*at = step.TruncateTime(*at)
		}
		row.list = list
		t.record(entry.On(list.ID))
		return list, nil
	})
}

// listNamed returns the list with the name, or a new one that is not stored.
func (t *tables) listNamed(name string) *listRow {
	for _, row := range t.lists {
		if row.list.Name == name {
			return row
		}
	}
	return new(listRow)
}

// listByID returns the list with the ID, or an empty one that is not stored.
func (t *tables) listByID(id int64) *listRow {
	if row, known := t.lists[id]; known {
		return row
	}
	return new(listRow)
}

// RemoveList implements [lists.Store].
func (s *Store) RemoveList(ctx context.Context, id int64, entry audit.Entry) error {
	return s.do(ctx, func(t *tables) error {
		if _, known := t.lists[id]; !known {
			return lists.ErrNotFound
		}
		delete(t.lists, id)
		t.record(entry)
		return nil
	})
}

// ListEntries implements [lists.Store].
func (s *Store) ListEntries(ctx context.Context, listID, after int64, limit int) (step.Page[lists.HeldEntry], error) {
	return read(ctx, s, func(t *tables) (step.Page[lists.HeldEntry], error) {
		rows := above(t.listByID(listID).assets, after, func(row *assetRow) int64 { return row.ID })
		return page(rows, limit, func(row *assetRow) lists.HeldEntry {
			i, _ := row.findList(listID)
			return lists.HeldEntry{Asset: row.Asset, Decision: row.lists[i]}
		})
	})
}
