package memory

import (
	"context"
	"slices"

	"github.com/apguard/apguard/allowlist"
)

// RemoveFromAllowlist implements [allowlist.Store].
func (s *Store) RemoveFromAllowlist(ctx context.Context, cmd allowlist.RemoveCommand) ([]allowlist.RemovedEntry, error) {
	if cmd.DryRun {
		return read(ctx, s, func(t *tables) ([]allowlist.RemovedEntry, error) { return t.removable(cmd), nil })
	}
	return writeOnce(ctx, s, cmd.Claim, cmd.Record, func(t *tables) ([]allowlist.RemovedEntry, error) {
		removed := t.removable(cmd)
		ids := make([]int64, len(removed))
		for i, one := range removed {
			ids[i] = one.AssetID
		}
		t.removeEntries(cmd, ids)
		t.record(cmd.Entry(removed))
		return removed, nil
	})
}

// removable returns the entries that the command removes.
func (t *tables) removable(cmd allowlist.RemoveCommand) []allowlist.RemovedEntry {
	var removed []allowlist.RemovedEntry
	for _, id := range cmd.AssetIDs {
		if t.entryAt(cmd.OrganizationID, id, cmd.At) == nil {
			continue
		}
		row := t.assetsByID[id]
		without := *row
		without.entries = slices.Clone(row.entries)
		without.removeEntry(cmd.OrganizationID)
		settled, _, _ := without.held(cmd.At).Settle(cmd.At, cmd.Origin)
		removed = append(removed, allowlist.RemovedEntry{AssetID: id, From: row.Status, To: settled.Status})
	}
	return removed
}

// removeEntries removes the organization's entries for the assets.
func (t *tables) removeEntries(cmd allowlist.RemoveCommand, assetIDs []int64) {
	removed := make(map[int64]bool, len(assetIDs))
	for _, id := range assetIDs {
		removed[id] = true
	}
	t.allowlists[cmd.OrganizationID] = slices.DeleteFunc(t.allowlists[cmd.OrganizationID], func(row *entryRow) bool {
		return removed[row.asset.ID]
	})
	for _, id := range assetIDs {
		row := t.assetsByID[id]
		row.removeEntry(cmd.OrganizationID)
		t.settle(row, row.held(cmd.At), cmd.At, cmd.Origin)
	}
}
