package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
)

// PruneChanges implements [asset.Store].
func (s *Store) PruneChanges(ctx context.Context, step asset.PruneStep) (asset.Pruned, error) {
	if err := s.beginWrite(ctx); err != nil {
		return asset.Pruned{}, err
	}
	defer s.mu.Unlock()

	start, end := s.tables.changes.span(step)
	pruned := asset.Pruned{Next: step.After, Done: end-start < step.Limit}
	if start < end {
		pruned.Next = s.tables.changes[end-1].change.Cursor()
		pruned.Removed = s.tables.prune(start, end)
	}
	return pruned, nil
}

// span returns the place of the first change that the step looks at, and that
// behind the last one.
func (l changelog) span(step asset.PruneStep) (start, end int) {
	start, found := slices.BinarySearchFunc(l, step.After, func(row *changeRow, after asset.ChangeCursor) int {
		return cmp.Or(row.change.At.Compare(after.At), cmp.Compare(row.change.ID, after.ID))
	})
	if found {
		start++
	}
	end, _ = slices.BinarySearchFunc(l, step.Before, func(row *changeRow, before time.Time) int {
		return cmp.Or(row.change.At.Compare(before), 1)
	})
	return start, start + max(min(end-start, step.Limit), 0)
}

// prune removes the changes from start to end that are not the latest of their
// asset, and returns how many they were.
func (t *tables) prune(start, end int) int {
	old, gone := make(map[*assetRow]changelog), make(map[int64]bool)
	looked := t.changes[start:end]
	kept := slices.DeleteFunc(looked, func(row *changeRow) bool {
		isLatest := row == row.asset.changes[len(row.asset.changes)-1]
		if !isLatest {
			old[row.asset] = append(old[row.asset], row)
			gone[row.change.ID] = true
		}
		return !isLatest
	})
	t.changes = slices.Delete(t.changes, start+len(kept), end)
	t.feed.remove(gone)
	for row, changes := range old {
		// They follow each other in the changelog of the asset too.
		first, _ := slices.BinarySearchFunc(row.changes, changes[0], compareChanges)
		row.changes = slices.Delete(row.changes, first, first+len(changes))
	}
	return len(looked) - len(kept)
}
