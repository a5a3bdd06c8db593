package memory

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/step"
)

// assetRow is an asset with its changes.
type assetRow struct {
	asset.Known // without the name of a list
	changes     changelog
	// operators is the decision of the operators, or nil. It is never modified.
	operators *asset.Decision
	lists     []asset.ListDecision // ordered by ListID
	entries   []*entryRow          // in the order of addition
}

// AssetsByIdentity implements [asset.Store].
func (s *Store) AssetsByIdentity(ctx context.Context, identities []asset.Identity) ([]asset.Known, error) {
	return read(ctx, s, func(t *tables) ([]asset.Known, error) {
		var found []asset.Known
		for _, identity := range identities {
			if row, known := t.assets[identity]; known {
				found = append(found, t.known(row))
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
				if one := t.listed(row); req.Filter.Match(one) && !yield(one, nil) {
					return
				}
			}
		})
	})
}

func (t *tables) listed(row *assetRow) asset.Listed {
	return asset.Listed{Known: t.known(row), UpdatedAt: row.changes.last().At}
}

// known returns the asset with the name of the list that is its basis.
func (t *tables) known(row *assetRow) asset.Known {
	known := row.Known
	known.Basis = t.named(known.Basis)
	return known
}

// named returns the basis with the name of its list.
func (t *tables) named(basis asset.Basis) asset.Basis {
	if row, known := t.lists[basis.ListID]; known {
		basis.List = row.list.Name
	}
	return basis
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
	row := &assetRow{Known: asset.Known{Asset: a}}
	t.assets[a.Identity] = row
	t.assetsByID[a.ID] = row
	t.assetsInOrder = append(t.assetsInOrder, row)
	return row
}
