package memory

import (
	"context"
	"slices"
	"sort"

	"github.com/apguard/apguard/asset"
)

// PruneChanges implements [asset.HistoryStore].
func (s *Store) PruneChanges(ctx context.Context, cmd asset.PruneCommand) (asset.PruneResult, error) {
	if err := s.beginWrite(ctx); err != nil {
		return asset.PruneResult{}, err
	}
	defer s.mu.Unlock()

	start, end := s.tables.changes.matching(cmd)
	result := asset.PruneResult{Next: cmd.After, Done: end-start < cmd.Limit}
	if start < end {
		result.Next = s.tables.changes[end-1].Cursor()
		result.Removed = s.tables.prune(cmd, start, end)
	}
	return result, nil
}

// matching returns the index of the first change that the command looks at, and the index
// after the last one.
func (l changelog) matching(cmd asset.PruneCommand) (start, end int) {
	after := asset.Change{At: cmd.After.At, ID: cmd.After.ID}
	start = sort.Search(len(l), func(i int) bool { return l[i].Compare(after) > 0 })
	end = start
	for end < len(l) && end-start < cmd.Limit && cmd.Match(*l[end]) {
		end++
	}
	return start, end
}

// prune removes the changes from start to end that the command removes, and returns their
// number.
func (t *tables) prune(cmd asset.PruneCommand, start, end int) int {
	removed := make(map[int64]bool)
	affected := make(map[*assetRow]bool)
	for _, change := range t.changes[start:end] {
		row := t.assetsByID[change.AssetID]
		if cmd.Removes(*change, *row.changes.latest()) {
			removed[change.ID], affected[row] = true, true
		}
	}
	isRemoved := func(c *asset.Change) bool { return removed[c.ID] }
	kept := slices.DeleteFunc(t.changes[start:end], isRemoved)
	t.changes = slices.Delete(t.changes, start+len(kept), end)
	for row := range affected {
		row.changes = slices.DeleteFunc(row.changes, isRemoved)
	}
	t.feed.remove(removed)
	return len(removed)
}
