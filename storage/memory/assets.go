package memory

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// assetRow is an asset with its own part of the changelog.
type assetRow struct {
	asset   asset.Asset
	changes changelog
}

// AssetByIdentity implements [asset.Store].
func (s *Store) AssetByIdentity(ctx context.Context, identity asset.Identity) (asset.Asset, error) {
	if err := s.beginRead(ctx); err != nil {
		return asset.Asset{}, err
	}
	defer s.mu.RUnlock()

	row, known := s.tables.assets[identity]
	if !known {
		return asset.Asset{}, asset.ErrNotFound
	}
	return row.asset, nil
}

// SetAssetStatus implements [asset.Store].
func (s *Store) SetAssetStatus(ctx context.Context, write asset.StatusWrite) (asset.Asset, error) {
	if err := s.beginWrite(ctx); err != nil {
		return asset.Asset{}, err
	}
	defer s.mu.Unlock()

	row := s.tables.register(write.Identity)
	s.tables.setStatus(row, write.Status, write.At, write.Origin)
	return row.asset, nil
}

// register returns the asset with that identity, which it makes when there is
// none.
func (t *tables) register(identity asset.Identity) *assetRow {
	if row, known := t.assets[identity]; known {
		return row
	}
	return t.addAsset(asset.Asset{
		ID:       int64(len(t.assets)) + 1,
		Identity: identity,
		Status:   asset.StatusUnknown,
	})
}

func (t *tables) addAsset(a asset.Asset) *assetRow {
	row := &assetRow{asset: a}
	t.assets[a.Identity] = row
	t.assetsByID[a.ID] = row
	return row
}

// setStatus gives the asset the status and records the change, if it is one. It
// returns the ID of the change, or 0.
func (t *tables) setStatus(row *assetRow, status asset.Status, at time.Time, origin asset.Origin) int64 {
	from := row.asset.Status
	if from == status {
		return 0
	}
	row.asset.Status = status
	t.lastChange++
	change := &changeRow{asset: row, change: asset.Change{
		ID:      t.lastChange,
		AssetID: row.asset.ID,
		Type:    row.asset.Type,
		Content: row.asset.Canonical,
		From:    from,
		To:      status,
		At:      asset.TruncateTime(at),
		Origin:  origin,
	}}
	t.changes.insert(change)
	t.feed = append(t.feed, change)
	row.changes.insert(change)
	return change.change.ID
}
