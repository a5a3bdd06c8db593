package memory

import (
	"context"
	"slices"
	"sort"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// PruneChanges implements [asset.HistoryStore].
func (s *Store) PruneChanges(ctx context.Context, cmd asset.PruneCommand) (step.Pruned[asset.ChangeCursor], error) {
	return write(ctx, s, func(t *tables) (step.Pruned[asset.ChangeCursor], error) {
		start, end := t.changes.matching(cmd)
		result := step.Pruned[asset.ChangeCursor]{Next: cmd.After, Done: end-start < cmd.Limit}
		if start < end {
			result.Next = t.changes[end-1].Cursor()
			result.Removed = t.prune(cmd, start, end)
		}
		t.record(cmd.Entry(result.Removed))
		return result, nil
	})
}

// matching returns the index of the first change that the command matches, and the index
// after the last one.
func (l changelog) matching(cmd asset.PruneCommand) (start, end int) {
	after := &asset.Change{At: cmd.After.At, ID: cmd.After.ID}
	start = sort.Search(len(l), func(i int) bool { return compareChanges(l[i], after) > 0 })
	end = start
	for end < len(l) && end-start < cmd.Limit && cmd.Match(*l[end]) {
		end++
	}
	return start, end
}

// prune removes those of the changes from start to end that the command removes. It
// returns their number.
func (t *tables) prune(cmd asset.PruneCommand, start, end int) int {
	removed := make(map[int64]bool)
	assets := make(map[*assetRow]bool)
	for _, change := range t.changes[start:end] {
		row := t.assetsByID[change.AssetID]
		if cmd.Removes(*change, row.changes.newestFirst()) {
			removed[change.ID], assets[row] = true, true
			t.prunedChange = max(t.prunedChange, change.ID)
		}
	}
	t.changes = removeChanges(t.changes, start, end, removed)
	for row := range assets {
		row.changes = removeChanges(row.changes, 0, len(row.changes), removed)
	}
	t.feed.remove(removed)
	if len(removed) > 0 {
		t.prunings++
	}
	return len(removed)
}

// removeChanges removes the changes with the given IDs among those from start to end.
func removeChanges(changes []*asset.Change, start, end int, ids map[int64]bool) []*asset.Change {
	kept := slices.DeleteFunc(changes[start:end], func(change *asset.Change) bool { return ids[change.ID] })
	return slices.Delete(changes, start+len(kept), end)
}
