package sqlstore

import (
	"context"
	"errors"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

const (
	// SelectAsset finds an asset by its identity.
	SelectAsset = `SELECT id, status FROM apguard_assets WHERE identity_hash = ?`

	// InsertAsset registers an asset unless it exists.
	InsertAsset = `INSERT INTO apguard_assets (identity_hash, type, status, canonical) VALUES (?, ?, ?, ?)
		ON CONFLICT (identity_hash) DO NOTHING`
)

func scanAsset(row Row) (asset.Asset, error) {
	var found asset.Asset
	err := row.Scan(&found.ID, scanType(&found.Type), &found.Canonical, ScanStatus(&found.Status))
	return found, err
}

// ofAsset returns the condition that a row belongs to the asset with the identity. With a
// subquery instead of a join, PostgreSQL knows that the index of the column is in order.
func ofAsset(column string, identity asset.Identity) squirrel.Sqlizer {
	return squirrel.Expr(column+" = (SELECT i.id FROM apguard_assets i WHERE i.identity_hash = ?)", IdentityHash(identity))
}

// asset returns the asset with the identity, or errNoRow. The query is SelectAsset, with
// or without a lock.
func (s session) asset(ctx context.Context, query string, identity asset.Identity) (asset.Asset, error) {
	found := asset.Asset{Identity: identity}
	err := s.get(ctx, query, []any{IdentityHash(identity)}, &found.ID, ScanStatus(&found.Status))
	return found, err
}

// register returns the asset with the identity. It inserts one with the status UNKNOWN if
// there is none. The query is that of asset.
func (s session) register(ctx context.Context, query string, identity asset.Identity) (asset.Asset, error) {
	found, err := s.asset(ctx, query, identity)
	if !errors.Is(err, errNoRow) {
		return found, err
	}
	created := asset.Asset{Identity: identity, Status: asset.StatusUnknown}
	created.ID, err = s.insert(ctx, InsertAsset,
		IdentityHash(identity), TypeCode(identity.Type), StatusCode(created.Status), identity.Canonical)
	if err == nil && created.ID == 0 {
		// Another transaction has registered it in between.
		return s.asset(ctx, query, identity)
	}
	return created, err
}
