package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/protect"
)

// AssetsNear implements protect.Store.
func (s *Store) AssetsNear(ctx context.Context, req protect.NearRequest) ([]asset.Identity, error) {
	return read(ctx, s, listing("assets near others"), func(ctx context.Context, on session) ([]asset.Identity, error) {
		if !req.Blocked {
			entries, err := collect(ctx, on, squirrel.Expr("SELECT asset_id FROM apguard_allowlist LIMIT 1"), scanID)
			if err != nil || len(entries) == 0 {
				return nil, err // as while a server is filled from lists
			}
		}
		hashes := make([][]byte, len(req.Identities))
		for i, identity := range req.Identities {
			hashes[i] = IdentityHash(identity)
		}
		first, last := bounds(sitesOf(siteRuns(req.Identities)))
		if err := on.set(ctx, s.dialect.RenewPlan); err != nil {
			return nil, err
		}
		var all []asset.Identity
		for _, assets := range []squirrel.Sqlizer{s.dialect.ByHash("a.*", hashes), s.dialect.InHashRanges("a.*", first, last, req.Limit)} {
			found, err := collect(ctx, on, selected(assets, req), scanIdentity)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
		return all, nil
	})
}

// selected returns the query for those of assets that the request selects.
func selected(assets squirrel.Sqlizer, req protect.NearRequest) squirrel.Sqlizer {
	if req.Blocked {
		return squirrel.Expr("SELECT a.type, a.canonical FROM (?) a WHERE a.status = ?", assets, StatusCode(asset.StatusBlocked))
	}
	return squirrel.Expr(`SELECT a.type, a.canonical FROM (?) a
		WHERE EXISTS (SELECT 1 FROM apguard_allowlist n WHERE n.asset_id = a.id AND ?)`, assets, lasting("n.", req.At))
}

func scanIdentity(row Row) (asset.Identity, error) {
	var identity asset.Identity
	err := row.Scan(scanType(&identity.Type), &identity.Canonical)
	return identity, err
}
