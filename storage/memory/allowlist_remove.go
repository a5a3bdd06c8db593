package memory

import (
	"context"
	"slices"

	"github.com/apguard/apguard/allowlist"
)

// RemoveFromAllowlist implements [allowlist.Store].
func (s *Store) RemoveFromAllowlist(ctx context.Context, cmd allowlist.RemoveCommand) ([]int64, error) {
	return writeOnce(ctx, s, cmd.Claim, cmd.Record, func(t *tables) ([]int64, error) {
		ids := slices.DeleteFunc(slices.Clone(cmd.AssetIDs), func(id int64) bool {
			return t.entryAt(cmd.OrganizationID, id, cmd.At) == nil
		})
		t.removeEntries(cmd, ids)
		return ids, nil
	})
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
