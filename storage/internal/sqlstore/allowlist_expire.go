package sqlstore

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/allowlist"
)

// lasting returns the condition that an entry, whose columns have the prefix, has not ended.
func lasting(prefix string, at time.Time) squirrel.Sqlizer {
	return squirrel.Expr("("+prefix+"expires_at IS NULL OR "+prefix+"expires_at > ?)", Millis(at))
}

// ended returns the condition that an entry, whose columns have the prefix, has ended.
func ended(prefix string, at time.Time) squirrel.Sqlizer {
	return squirrel.Expr(prefix+"expires_at <= ?", Millis(at))
}

// SetEntryExpiry implements allowlist.Store.
func (s *Store) SetEntryExpiry(ctx context.Context, req allowlist.SetExpiryRequest, at time.Time) error {
	return s.do(ctx, "set entry expiry", func(ctx context.Context, on session) error {
		if err := on.LockAssets(ctx, []int64{req.AssetID}); err != nil {
			return err
		}
		statement, args, err := squirrel.Update("apguard_allowlist").Set("expires_at", Expiry(req.ExpiresAt)).
			Where(squirrel.Eq{"organization_id": req.OrganizationID, "asset_id": req.AssetID}).
			Where(lasting("", at)).ToSql()
		if err != nil {
			return err
		}
		return on.changeOne(ctx, allowlist.ErrNotListed, statement, args...)
	})
}

// ExpireEntries implements allowlist.Store.
func (s *Store) ExpireEntries(ctx context.Context, cmd allowlist.ExpireCommand) (int, error) {
	return write(ctx, s, "expire entries", func(ctx context.Context, on session) (int, error) {
		found, err := collect(ctx, on, s.dialect.EndedEntries(cmd), scanEntryKey)
		if err != nil {
			return 0, err
		}
		if len(found) == 0 {
			return 0, nil
		}
		var assetIDs []int64
		byOrganization := make(map[int64][]int64)
		for _, key := range found {
			assetIDs = append(assetIDs, key.assetID)
			byOrganization[key.organizationID] = append(byOrganization[key.organizationID], key.assetID)
		}
		if err := on.LockAssets(ctx, assetIDs); err != nil {
			return 0, err
		}
		removed := 0
		for _, id := range slices.Sorted(maps.Keys(byOrganization)) {
			n, err := on.expireEntries(ctx, cmd, id, byOrganization[id])
			if err != nil {
				return 0, err
			}
			removed += n
		}
		return removed, nil
	})
}

// expireEntries removes the entries of the organization that have ended. An entry may have got another
// end before its asset was locked.
func (s session) expireEntries(ctx context.Context, cmd allowlist.ExpireCommand, organizationID int64, assetIDs []int64) (int, error) {
	assets, err := s.heldOn(ctx, assetIDs, heldFor{organizationID: organizationID, at: cmd.At})
	if err != nil {
		return 0, err
	}
	removed, err := s.removeEntries(ctx, cmd.Removal(organizationID, nil), assets, func(one *Locked) bool { return one.Ended })
	return len(removed), err
}

// EndedEntries returns the query for the entries that a step of expiry removes.
func (d Dialect) EndedEntries(cmd allowlist.ExpireCommand) squirrel.SelectBuilder {
	return d.selectFrom("apguard_allowlist", "organization_id", "asset_id").
		Where(ended("", cmd.At)).
		OrderBy("expires_at", "organization_id", "asset_id").
		Limit(uint64(max(cmd.Limit, 0)))
}

// entryKey identifies an entry.
type entryKey struct{ organizationID, assetID int64 }

func scanEntryKey(row Row) (entryKey, error) {
	var key entryKey
	err := row.Scan(&key.organizationID, &key.assetID)
	return key, err
}
