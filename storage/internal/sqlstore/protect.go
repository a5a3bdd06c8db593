package sqlstore

import (
	"context"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

// AllowlistedNear implements protect.Store.
func (s *Store) AllowlistedNear(ctx context.Context, identities []asset.Identity, at time.Time, limit int) ([]asset.Identity, error) {
	return read(ctx, s, listing("allowlisted assets"), func(ctx context.Context, on session) ([]asset.Identity, error) {
		entries, err := collect(ctx, on, squirrel.Expr("SELECT asset_id FROM apguard_allowlist LIMIT 1"), scanID)
		if err != nil || len(entries) == 0 {
			return nil, err // as while a server is filled from lists
		}
		hashes := make([][]byte, len(identities))
		for i, identity := range identities {
			hashes[i] = IdentityHash(identity)
		}
		first, last := bounds(sitesOf(siteRuns(identities)))
		if err := on.set(ctx, s.dialect.RenewPlan); err != nil {
			return nil, err
		}
		var all []asset.Identity
		for _, assets := range []squirrel.Sqlizer{s.dialect.ByHash("a.*", hashes), s.dialect.InHashRanges("a.*", first, last, limit)} {
			found, err := collect(ctx, on, allowlisted(assets, at), scanIdentity)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
		return all, nil
	})
}

// allowlisted returns the query for those of assets that have an entry which lasts.
func allowlisted(assets squirrel.Sqlizer, at time.Time) squirrel.Sqlizer {
	return squirrel.Expr(`SELECT a.type, a.canonical FROM (?) a
		WHERE EXISTS (SELECT 1 FROM apguard_allowlist n WHERE n.asset_id = a.id AND ?)`, assets, lasting("n.", at))
}

func scanIdentity(row Row) (asset.Identity, error) {
	var identity asset.Identity
	err := row.Scan(scanType(&identity.Type), &identity.Canonical)
	return identity, err
}
