package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

const (
	// selectLeaving finds the last changes too. The sum is that of LastChange.
	selectLeaving = `SELECT e.asset_id, a.confirmed <> 0,
			EXISTS (SELECT 1 FROM apguard_allowlist o WHERE o.asset_id = e.asset_id AND o.organization_id <> ? AND ?),
			COALESCE((SELECT max(c.id + 0) FROM apguard_changes c WHERE c.asset_id = e.asset_id), 0)
		FROM apguard_allowlist e JOIN apguard_assets a ON a.id = e.asset_id
		WHERE e.organization_id = ? AND ? AND ? ORDER BY e.asset_id`

	selectLastChanges = `SELECT asset_id, type, id, from_status, to_status, cause FROM apguard_changes WHERE ?`
)

// RemoveFromAllowlist implements allowlist.Store.
func (s *Store) RemoveFromAllowlist(ctx context.Context, cmd allowlist.RemoveCommand) ([]int64, error) {
	return writeOnce(ctx, s, "remove from allowlist", cmd.Claim, cmd.Record, func(ctx context.Context, on session) ([]int64, error) {
		if err := on.lockAssets(ctx, cmd.AssetIDs); err != nil {
			return nil, err
		}
		return on.removeEntries(ctx, cmd, lasting("e.", cmd.At))
	})
}

// lockAssets locks the assets with the IDs until the end of the transaction, in the order of
// their IDs, as all transactions do. Whoever adds or removes an entry has locked its asset.
func (s session) lockAssets(ctx context.Context, ids []int64) error {
	if s.dialect.Lock == "" || len(ids) == 0 {
		return nil
	}
	_, err := collect(ctx, s, s.dialect.selectFrom("apguard_assets", "id").
		Where(s.dialect.AnyOf("id", ids)).OrderBy("id").Suffix(s.dialect.Lock), scanID)
	return err
}

// leaving is an entry that is removed.
type leaving struct {
	assetID int64
	allowlist.Removal
}

// removeEntries removes those entries of the command that meet the condition, and returns the
// IDs of their assets. The assets are locked.
func (s session) removeEntries(ctx context.Context, cmd allowlist.RemoveCommand, condition squirrel.Sqlizer) ([]int64, error) {
	entries, err := s.leaving(ctx, cmd, condition)
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	removed := make([]int64, len(entries))
	for i, entry := range entries {
		removed[i] = entry.assetID
	}
	if err := s.deleteEntries(ctx, cmd.OrganizationID, removed); err != nil {
		return nil, err
	}
	return removed, s.restoreStatuses(ctx, cmd, entries)
}

// deleteEntries deletes the organization's entries of assets, which are locked.
func (s session) deleteEntries(ctx context.Context, organizationID int64, assetIDs []int64) error {
	return s.deleteWhere(ctx, "apguard_allowlist", squirrel.And{
		squirrel.Eq{"organization_id": organizationID}, s.dialect.AnyOf("asset_id", assetIDs),
	})
}

// leaving returns the entries that are removed, ordered by the IDs of their assets.
func (s session) leaving(ctx context.Context, cmd allowlist.RemoveCommand, condition squirrel.Sqlizer) ([]leaving, error) {
	ofAssets := s.dialect.AnyOf("e.asset_id", cmd.AssetIDs)
	query := squirrel.Expr(selectLeaving, cmd.OrganizationID, lasting("o.", cmd.At), cmd.OrganizationID, ofAssets, condition)
	entries, err := collect(ctx, s, query, scanLeaving)
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	last := make(map[int64]asset.Change, len(entries))
	ids := make([]int64, len(entries))
	for i, entry := range entries {
		ids[i] = entry.LastChange.ID
	}
	_, err = collect(ctx, s, squirrel.Expr(selectLastChanges, s.dialect.AnyOf("id", ids)), func(row Row) (c asset.Change, err error) {
		err = row.Scan(&c.AssetID, scanType(&c.Type), &c.ID, ScanStatus(&c.From), ScanStatus(&c.To), scanCause(&c.Origin.Cause))
		last[c.AssetID] = c
		return c, err
	})
	for i := range entries {
		entries[i].LastChange = last[entries[i].assetID]
	}
	return entries, err
}

func scanLeaving(row Row) (leaving, error) {
	var entry leaving
	err := row.Scan(&entry.assetID, &entry.Confirmed, &entry.Listed, &entry.LastChange.ID)
	return entry, err
}

// restoreStatuses restores the statuses of the assets for which the rule says so.
func (s session) restoreStatuses(ctx context.Context, cmd allowlist.RemoveCommand, entries []leaving) error {
	var restored []StatusChange
	for _, entry := range entries {
		if last := entry.LastChange; entry.RestoresStatus() {
			now := asset.Asset{ID: entry.assetID, Identity: asset.Identity{Type: last.Type}, Status: last.To}
			restored = append(restored, StatusChange{Asset: now, To: last.From})
		}
	}
	return s.RecordChanges(ctx, restored, cmd.At, cmd.Origin)
}
