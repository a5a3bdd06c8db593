package sqlstore

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/asset"
)

const (
	selectAsset = `SELECT id, status FROM apguard_assets WHERE type = ? AND canonical_hash = ?`

	// InsertAsset registers an asset that does not exist.
	InsertAsset = `INSERT INTO apguard_assets (type, canonical_hash, canonical, status) VALUES (?, ?, ?, ?)
		ON CONFLICT (type, canonical_hash) DO NOTHING`

	// UpdateStatus gives an asset a status.
	UpdateStatus = `UPDATE apguard_assets SET status = ? WHERE id = ?`

	insertChange = `INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		VALUES (?, (SELECT type FROM apguard_assets WHERE id = ?), ?, ?, ?, ?, ?, ?)`
)

// AssetByIdentity implements asset.Store.
func (s *Store) AssetByIdentity(ctx context.Context, identity asset.Identity) (asset.Asset, error) {
	return read(ctx, s, "asset by identity", func(ctx context.Context, on session) (asset.Asset, error) {
		found, err := on.asset(ctx, selectAsset, identity)
		return found, orContractError(err, asset.ErrNotFound)
	})
}

// SetAssetStatus implements asset.Store.
func (s *Store) SetAssetStatus(ctx context.Context, w asset.StatusWrite) (asset.Asset, error) {
	return write(ctx, s, "set asset status", func(ctx context.Context, on session) (asset.Asset, error) {
		known, err := on.register(ctx, selectAsset+on.dialect.Lock, w.Identity)
		if err != nil {
			return asset.Asset{}, err
		}
		_, err = on.setStatus(ctx, known.ID, known.Status, w.Status, w.At, w.Origin)
		known.Status = w.Status
		return known, err
	})
}

// asset returns the asset with that identity, or errNoRow. The query is
// selectAsset, with or without a lock.
func (s session) asset(ctx context.Context, query string, identity asset.Identity) (asset.Asset, error) {
	found := asset.Asset{Identity: identity}
	err := s.get(ctx, query, []any{string(identity.Type), Hash(identity.Canonical)}, &found.ID, &found.Status)
	return found, err
}

// register returns the asset with that identity, which is a new one with the
// status UNKNOWN when there was none. The query is the one of asset.
func (s session) register(ctx context.Context, query string, identity asset.Identity) (asset.Asset, error) {
	found, err := s.asset(ctx, query, identity)
	if !errors.Is(err, errNoRow) {
		return found, err
	}
	made := asset.Asset{Identity: identity, Status: asset.StatusUnknown}
	made.ID, err = s.insert(ctx, InsertAsset,
		string(identity.Type), Hash(identity.Canonical), identity.Canonical, string(made.Status))
	if err == nil && made.ID == 0 {
		// Another transaction has registered it in between.
		return s.asset(ctx, query, identity)
	}
	return made, err
}

// setStatus gives an asset a status and records the change, if it is one. It returns
// the identifier of the change, or 0.
func (s session) setStatus(ctx context.Context, assetID int64, from, to asset.Status, at time.Time, origin asset.Origin) (int64, error) {
	if from == to {
		return 0, nil
	}
	if err := s.exec(ctx, UpdateStatus, string(to), assetID); err != nil {
		return 0, err
	}
	return s.insert(ctx, insertChange,
		assetID, assetID, string(from), string(to), Millis(at), string(origin.Cause), origin.Actor, origin.Reference)
}
