package memory

import (
	"context"
	"slices"

	"github.com/apguard/apguard/allowlist"
)

// RemoveFromAllowlist implements [allowlist.Store].
func (s *Store) RemoveFromAllowlist(ctx context.Context, cmd allowlist.RemoveCommand) ([]int64, error) {
	return write(ctx, s, func(t *tables) ([]int64, error) {
		return t.removeEntries(cmd), nil
	})
}

// removeEntries removes the entries of the command and returns the IDs of their assets.
func (t *tables) removeEntries(cmd allowlist.RemoveCommand) []int64 {
	entries := t.allowlists[cmd.OrganizationID]
	removed := make(map[int64]bool)
	for _, id := range cmd.AssetIDs {
		if _, listed := findEntry(entries, id); listed {
			removed[id] = true
		}
	}
	t.allowlists[cmd.OrganizationID] = slices.DeleteFunc(entries, func(row *entryRow) bool { return removed[row.asset.ID] })
	ids := slices.DeleteFunc(slices.Clone(cmd.AssetIDs), func(id int64) bool { return !removed[id] })
	for _, id := range ids {
		t.restoreStatus(t.assetsByID[id], cmd)
	}
	return ids
}

// restoreStatus restores the status of an asset after the removal of its entry, if the rule
// says so.
func (t *tables) restoreStatus(row *assetRow, cmd allowlist.RemoveCommand) {
	removal := allowlist.Removal{
		Listed:     t.listed(row.ID),
		Status:     row.Status,
		LastChange: row.changes.lastRecorded(),
	}
	if removal.RestoresStatus() {
		t.setStatus(row, removal.LastChange.From, cmd.At, cmd.Origin)
	}
}

// listed reports whether any allowlist contains the asset.
func (t *tables) listed(assetID int64) bool {
	for _, entries := range t.allowlists {
		if _, found := findEntry(entries, assetID); found {
			return true
		}
	}
	return false
}
