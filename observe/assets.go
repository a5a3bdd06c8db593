package observe

import (
	"context"

	"github.com/apguard/apguard/asset"
)

// Assets implements [storage.Store].
func (s observedStore) Assets(ctx context.Context, req asset.ListRequest) (asset.Page[asset.Listed], error) {
	return step(ctx, s, "asset.list", s.Store.Assets, req)
}

// SiteAssets implements [storage.Store].
func (s observedStore) SiteAssets(ctx context.Context, identity asset.Identity, limit int) ([]asset.Asset, error) {
	return get(ctx, s, "asset.find_site", func(ctx context.Context) ([]asset.Asset, error) {
		return s.Store.SiteAssets(ctx, identity, limit)
	})
}

// SetAssetStatuses implements [storage.Store].
func (s observedStore) SetAssetStatuses(ctx context.Context, cmd asset.SetStatusesCommand) ([]asset.Asset, error) {
	return change(ctx, s, "asset.set_status", s.Store.SetAssetStatuses, cmd)
}

// Changes implements [storage.Store].
func (s observedStore) Changes(ctx context.Context, req asset.ListChangesRequest) (asset.Page[asset.Change], error) {
	return step(ctx, s, "asset.changelog", s.Store.Changes, req)
}

// PruneChanges implements [storage.Store].
func (s observedStore) PruneChanges(ctx context.Context, cmd asset.PruneCommand) (asset.Pruned[asset.ChangeCursor], error) {
	return step(ctx, s, "asset.prune_changelog", s.Store.PruneChanges, cmd)
}
