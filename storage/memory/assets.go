package memory

import (
	"context"

	"github.com/apguard/apguard/asset"
)

// assetRow is an asset with its changes.
type assetRow struct {
	asset.Asset
	changes changelog
}

// AssetByIdentity implements [asset.Store].
func (s *Store) AssetByIdentity(ctx context.Context, identity asset.Identity) (asset.Asset, error) {
	return read(ctx, s, func(t *tables) (asset.Asset, error) {
		row, known := t.assets[identity]
		if !known {
			return asset.Asset{}, asset.ErrNotFound
		}
		return row.Asset, nil
	})
}

// register returns the asset with the identity. If there is none, it adds one with the
// status UNKNOWN.
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
	row := &assetRow{Asset: a}
	t.assets[a.Identity] = row
	t.assetsByID[a.ID] = row
	return row
}
