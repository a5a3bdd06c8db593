package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const (
	selectAsset = `SELECT id, content, status FROM apguard_assets WHERE type = ? AND canonical_hash = ?`

	insertAsset = `INSERT INTO apguard_assets (type, canonical_hash, canonical, content, status) VALUES (?, ?, ?, ?, ?)`

	updateStatus = `UPDATE apguard_assets SET status = ? WHERE id = ?`

	insertChange = `INSERT INTO apguard_changes (asset_id, from_status, to_status, changed_at, cause, actor, reference)
		VALUES (?, ?, ?, ?, ?, ?, ?)`
)

// AssetByIdentity implements asset.Store.
func (s *Store) AssetByIdentity(ctx context.Context, identity asset.Identity) (asset.Asset, error) {
	return read(ctx, s, "asset by identity", func(db *sql.DB) (asset.Asset, error) {
		row := db.QueryRowContext(ctx, selectAsset, identity.Type, sqlstore.Hash(identity.Canonical))
		found, err := scanAsset(row, identity)
		if errors.Is(err, sql.ErrNoRows) {
			return asset.Asset{}, answer{asset.ErrNotFound}
		}
		return found, err
	})
}

// SetAssetStatus implements asset.Store.
func (s *Store) SetAssetStatus(ctx context.Context, w asset.StatusWrite) (asset.Asset, error) {
	return write(ctx, s, "set asset status", func(ctx context.Context, tx *transaction) (asset.Asset, error) {
		known, err := tx.register(ctx, w.Identity, w.Content)
		if err != nil {
			return asset.Asset{}, err
		}
		err = tx.setStatus(ctx, known.ID, known.Status, w.Status, w.At, w.Origin)
		known.Status = w.Status
		return known, err
	})
}

// Changes implements asset.Store.
func (s *Store) Changes(ctx context.Context, filter asset.ChangeFilter, after asset.ChangeCursor, limit int) ([]asset.Change, error) {
	return read(ctx, s, "changes", func(db *sql.DB) ([]asset.Change, error) {
		return collectBuilt(ctx, db, dialect().Changes(filter, after, limit), sqlstore.ScanChange)
	})
}

// asset returns the asset with that identity, or sql.ErrNoRows.
func (t *transaction) asset(ctx context.Context, identity asset.Identity) (asset.Asset, error) {
	prepared, err := t.prepare(ctx, selectAsset)
	if err != nil {
		return asset.Asset{}, err
	}
	return scanAsset(prepared.QueryRowContext(ctx, identity.Type, sqlstore.Hash(identity.Canonical)), identity)
}

func scanAsset(row sqlstore.Row, identity asset.Identity) (asset.Asset, error) {
	found := asset.Asset{Identity: identity}
	err := row.Scan(&found.ID, &found.Content, &found.Status)
	return found, err
}

// register returns the asset with that identity, which is a new one with the
// status UNKNOWN when there was none.
func (t *transaction) register(ctx context.Context, identity asset.Identity, content string) (asset.Asset, error) {
	found, err := t.asset(ctx, identity)
	if !errors.Is(err, sql.ErrNoRows) {
		return found, err
	}
	made := asset.Asset{Identity: identity, Content: content, Status: asset.StatusUnknown}
	made.ID, err = t.insert(ctx, insertAsset,
		identity.Type, sqlstore.Hash(identity.Canonical), identity.Canonical, content, made.Status)
	return made, err
}

// setStatus gives an asset a status and records the change, if it is one.
func (t *transaction) setStatus(ctx context.Context, assetID int64, from, to asset.Status, at time.Time, origin asset.Origin) error {
	if from == to {
		return nil
	}
	if err := t.exec(ctx, updateStatus, to, assetID); err != nil {
		return err
	}
	return t.recordChange(ctx, assetID, from, to, at, origin)
}

func (t *transaction) recordChange(ctx context.Context, assetID int64, from, to asset.Status, at time.Time, origin asset.Origin) error {
	_, err := t.insert(ctx, insertChange, assetID, from, to, sqlstore.Millis(at), origin.Cause, origin.Actor, origin.Reference)
	return err
}
