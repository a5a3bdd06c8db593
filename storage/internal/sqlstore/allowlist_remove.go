package sqlstore

import (
	"context"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/allowlist"
)

// RemoveFromAllowlist implements allowlist.Store.
func (s *Store) RemoveFromAllowlist(ctx context.Context, cmd allowlist.RemoveCommand) ([]allowlist.RemovedEntry, error) {
	of := heldFor{organizationID: cmd.OrganizationID, at: cmd.At}
	listed := func(one *Locked) bool { return one.Listed }
	if cmd.DryRun {
		return read(ctx, s, listing("preview of removals"), func(ctx context.Context, on session) ([]allowlist.RemovedEntry, error) {
			assets, err := on.heldOn(ctx, cmd.AssetIDs, of)
			return removedEntries(cmd, slices.DeleteFunc(assets, func(one *Locked) bool { return !one.Listed })), err
		})
	}
	return writeOnce(ctx, s, "remove from allowlist", cmd.Claim, cmd.Record, func(ctx context.Context, on session) ([]allowlist.RemovedEntry, error) {
		assets, err := on.lockAll(ctx, cmd.AssetIDs, of)
		if err != nil {
			return nil, err
		}
		removed, err := on.removeEntries(ctx, cmd, assets, listed)
		if err != nil {
			return nil, err
		}
		return removed, on.record(ctx, cmd.Entry(removed))
	})
}

// removedEntries returns what the command removes, which are the entries of the assets. What is held on the assets
// was read without them.
func removedEntries(cmd allowlist.RemoveCommand, assets []*Locked) []allowlist.RemovedEntry {
	removed := make([]allowlist.RemovedEntry, len(assets))
	for i, one := range assets {
		held, _, _ := one.Settle(cmd.At, cmd.Origin)
		removed[i] = allowlist.RemovedEntry{AssetID: one.ID, From: one.Status, To: held.Status}
	}
	return removed
}

// removeEntries removes the entries of the command's organization that are selected, and returns them. What is
// held on the assets was read without them.
func (s session) removeEntries(
	ctx context.Context, cmd allowlist.RemoveCommand, assets []*Locked, selected func(*Locked) bool,
) ([]allowlist.RemovedEntry, error) {
	var (
		ids  []int64
		left []*Locked
	)
	for _, one := range assets {
		if selected(one) {
			ids, left = append(ids, one.ID), append(left, one)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	removed := removedEntries(cmd, left)
	if err := s.deleteEntries(ctx, cmd.OrganizationID, ids); err != nil {
		return nil, err
	}
	return removed, s.settleAll(ctx, left, cmd.At, cmd.Origin)
}

// deleteEntries deletes the organization's entries of assets, which are locked.
func (s session) deleteEntries(ctx context.Context, organizationID int64, assetIDs []int64) error {
	return s.deleteWhere(ctx, "apguard_allowlist", squirrel.And{
		squirrel.Eq{"organization_id": organizationID}, s.dialect.AnyOf("asset_id", assetIDs),
	})
}
