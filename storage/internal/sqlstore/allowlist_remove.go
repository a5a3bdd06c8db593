package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/allowlist"
)

// RemoveFromAllowlist implements allowlist.Store.
func (s *Store) RemoveFromAllowlist(ctx context.Context, cmd allowlist.RemoveCommand) ([]int64, error) {
	return writeOnce(ctx, s, "remove from allowlist", cmd.Claim, cmd.Record, func(ctx context.Context, on session) ([]int64, error) {
		assets, err := on.lockAll(ctx, cmd.AssetIDs, heldFor{organizationID: cmd.OrganizationID, at: cmd.At})
		if err != nil {
			return nil, err
		}
		return on.removeEntries(ctx, cmd, assets, func(one *Locked) bool { return one.Listed })
	})
}

// removeEntries removes the entries of the command's organization that are selected, and returns the IDs of
// their assets. What is held on the assets is read without them.
func (s session) removeEntries(ctx context.Context, cmd allowlist.RemoveCommand, assets []*Locked, selected func(*Locked) bool) ([]int64, error) {
	var (
		removed []int64
		left    []*Locked
	)
	for _, one := range assets {
		if selected(one) {
			removed, left = append(removed, one.ID), append(left, one)
		}
	}
	if len(removed) == 0 {
		return nil, nil
	}
	if err := s.deleteEntries(ctx, cmd.OrganizationID, removed); err != nil {
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
