package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

// DecideEntries implements [lists.Store].
func (s *Store) DecideEntries(ctx context.Context, cmd lists.DecideCommand) ([]asset.Asset, error) {
	return write(ctx, s, func(t *tables) ([]asset.Asset, error) {
		list := t.listByID(cmd.ListID)
		if err := cmd.Check(list.list); err != nil {
			return nil, err
		}
		var (
			assets = make([]asset.Asset, len(cmd.Entries))
			added  []*assetRow
		)
		for i, entry := range cmd.Entries {
			row := t.register(entry.Identity)
			if _, known := row.findList(cmd.ListID); !known {
				added = append(added, row)
			}
			held, stores := cmd.Apply(i, row.held(cmd.At))
			row.storeLists(held, stores)
			t.settle(row, held, cmd.At, cmd.Origin)
			assets[i] = row.Asset
		}
		list.add(added)
		return assets, nil
	})
}

// WithdrawEntries implements [lists.Store].
func (s *Store) WithdrawEntries(ctx context.Context, cmd lists.WithdrawCommand) error {
	return s.do(ctx, func(t *tables) error {
		list := t.listByID(cmd.ListID)
		if err := cmd.Check(list.list); err != nil {
			return err
		}
		for _, id := range slices.Sorted(slices.Values(cmd.AssetIDs)) {
			if row, known := t.assetsByID[id]; known {
				held, stores := cmd.Apply(row.held(cmd.At))
				row.storeLists(held, stores)
				t.settle(row, held, cmd.At, cmd.Origin)
			}
		}
		list.removeEnded()
		return nil
	})
}

// add adds assets on which the list begins to hold something.
func (r *listRow) add(assets []*assetRow) {
	r.assets = append(r.assets, assets...)
	byID := func(a, b *assetRow) int { return cmp.Compare(a.ID, b.ID) }
	if !slices.IsSortedFunc(r.assets, byID) {
		slices.SortFunc(r.assets, byID)
	}
}

// removeEnded removes the assets on which the list does not hold anything any more.
func (r *listRow) removeEnded() {
	r.assets = slices.DeleteFunc(r.assets, func(row *assetRow) bool {
		_, holds := row.findList(r.list.ID)
		return !holds
	})
}

// storeLists stores the decisions of lists, if the step does.
func (r *assetRow) storeLists(held asset.Held, stores bool) {
	if stores {
		r.lists = slices.SortedFunc(slices.Values(held.Lists), func(a, b asset.ListDecision) int { return cmp.Compare(a.ListID, b.ListID) })
	}
}

// findList returns the index of the decision of the list on the asset, and whether there is one.
func (r *assetRow) findList(id int64) (int, bool) {
	return slices.BinarySearchFunc(r.lists, id, func(d asset.ListDecision, id int64) int { return cmp.Compare(d.ListID, id) })
}
