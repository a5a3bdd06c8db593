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

// Expiry returns the value of the end of an entry, which is nil for none.
func Expiry(at time.Time) *int64 {
	if at.IsZero() {
		return nil
	}
	millis := Millis(at)
	return &millis
}

// SetEntryExpiry implements allowlist.Store.
func (s *Store) SetEntryExpiry(ctx context.Context, req allowlist.SetExpiryRequest, at time.Time) error {
	return s.do(ctx, "set entry expiry", func(ctx context.Context, on session) error {
		if err := on.lockAssets(ctx, []int64{req.AssetID}); err != nil {
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
		var assetIDs []int64
		byOrganization := make(map[int64][]int64)
		for _, key := range found {
			assetIDs = append(assetIDs, key.assetID)
			byOrganization[key.organizationID] = append(byOrganization[key.organizationID], key.assetID)
		}
		if err := on.lockAssets(ctx, assetIDs); err != nil {
			return 0, err
		}
		removed := 0
		for _, id := range slices.Sorted(maps.Keys(byOrganization)) {
			// An entry may have got another end before its asset was locked.
			ids, err := on.removeEntries(ctx, cmd.Removal(id, byOrganization[id]), ended("e.", cmd.At))
			if err != nil {
				return 0, err
			}
			removed += len(ids)
		}
		return removed, nil
	})
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
