package memory

import (
	"context"
	"slices"
	"time"

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
		t.restoreStatus(t.assetsByID[id], cmd)
	}
}

// restoreStatus restores the status of an asset after the removal of its entry, if the rule
// says so.
func (t *tables) restoreStatus(row *assetRow, cmd allowlist.RemoveCommand) {
	removal := allowlist.Removal{
		Listed:     t.listed(row.ID, cmd.At),
		Confirmed:  row.confirmed,
		LastChange: row.changes.last(),
	}
	if removal.RestoresStatus() {
		t.setStatus(row, removal.LastChange.From, cmd.At, cmd.Origin)
	}
}

// listed reports whether any allowlist contains the asset.
func (t *tables) listed(assetID int64, at time.Time) bool {
	for organizationID := range t.allowlists {
		if t.entryAt(organizationID, assetID, at) != nil {
			return true
		}
	}
	return false
}
