package memory

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/step"
)

// assetRow is an asset with its changes.
type assetRow struct {
	asset.Asset
	changes changelog
	// operators is the decision of the operators, or nil. It is never modified.
	operators *asset.Decision
	lists     []asset.ListDecision // ordered by ListID
	entries   []*entryRow          // in the order of addition
}

// AssetsByIdentity implements [asset.Store].
func (s *Store) AssetsByIdentity(ctx context.Context, identities []asset.Identity) ([]asset.Asset, error) {
	return read(ctx, s, func(t *tables) ([]asset.Asset, error) {
		var found []asset.Asset
		for _, identity := range identities {
			if row, known := t.assets[identity]; known {
				found = append(found, row.Asset)
			}
		}
		return found, nil
	})
}

// SiteAssets implements [asset.Store].
func (s *Store) SiteAssets(ctx context.Context, identity asset.Identity, limit int) ([]asset.Asset, error) {
	return read(ctx, s, func(t *tables) ([]asset.Asset, error) {
		var found []asset.Asset
		for i, row := range t.assetsInOrder {
			if err := checkScan(ctx, i); err != nil {
				return nil, err
			}
			if len(found) < limit && classify.Site(row.Identity) == classify.Site(identity) {
				found = append(found, row.Asset)
			}
		}
		return found, nil
	})
}

// Assets implements [asset.Store].
func (s *Store) Assets(ctx context.Context, req asset.ListRequest) (step.Page[asset.Listed], error) {
	return read(ctx, s, func(t *tables) (step.Page[asset.Listed], error) {
		rows := above(t.assetsInOrder, req.Cursor, func(row *assetRow) int64 { return row.ID })
		return step.ReadPage(req.Limit, func(yield func(asset.Listed, error) bool) {
			for i, row := range rows {
				if err := checkScan(ctx, i); err != nil {
					yield(asset.Listed{}, err)
					return
				}
				if one := row.listed(); req.Filter.Match(one) && !yield(one, nil) {
					return
				}
			}
		})
	})
}

func (r *assetRow) listed() asset.Listed {
	return asset.Listed{Asset: r.Asset, UpdatedAt: r.changes.last().At}
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

// addAsset adds an asset with an ID above all others.
func (t *tables) addAsset(a asset.Asset) *assetRow {
	row := &assetRow{Asset: a}
	t.assets[a.Identity] = row
	t.assetsByID[a.ID] = row
	t.assetsInOrder = append(t.assetsInOrder, row)
	return row
}
