package observe

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/protect"
	"github.com/apguard/apguard/step"
)

// Assets implements [storage.Store].
func (s observedStore) Assets(ctx context.Context, req asset.ListRequest) (step.Page[asset.Listed], error) {
	return call(ctx, s, "asset.list", s.Store.Assets, req)
}

// AssetsNear implements [storage.Store].
func (s observedStore) AssetsNear(ctx context.Context, req protect.NearRequest) ([]asset.Identity, error) {
	return get(ctx, s, "asset.find_near", func(ctx context.Context) ([]asset.Identity, error) {
		return s.Store.AssetsNear(ctx, req)
	})
}

// SiteAssets implements [storage.Store].
func (s observedStore) SiteAssets(ctx context.Context, identity asset.Identity, limit int) ([]asset.Asset, error) {
	return get(ctx, s, "asset.find_site", func(ctx context.Context) ([]asset.Asset, error) {
		return s.Store.SiteAssets(ctx, identity, limit)
	})
}

// SetAssetStatuses implements [storage.Store].
func (s observedStore) SetAssetStatuses(ctx context.Context, cmd asset.SetStatusesCommand) ([]asset.Held, error) {
	return change(ctx, s, "asset.set_status", s.Store.SetAssetStatuses, cmd)
}

// Held implements [storage.Store].
func (s observedStore) Held(ctx context.Context, identity asset.Identity, at time.Time) (asset.Held, error) {
	return get(ctx, s, "asset.held", func(ctx context.Context) (asset.Held, error) { return s.Store.Held(ctx, identity, at) })
}

// ExpireDecisions implements [storage.Store].
func (s observedStore) ExpireDecisions(ctx context.Context, cmd asset.ExpireCommand) (int, error) {
	return change(ctx, s, "asset.expire", s.Store.ExpireDecisions, cmd)
}

// DueDecisions implements [storage.Store].
func (s observedStore) DueDecisions(ctx context.Context, req asset.DueRequest) (step.Page[asset.Due], error) {
	return call(ctx, s, "asset.due", s.Store.DueDecisions, req)
}

// CountDue implements [storage.Store].
func (s observedStore) CountDue(ctx context.Context, at time.Time) (asset.DueCount, error) {
	return call(ctx, s, "asset.count_due", s.Store.CountDue, at)
}

// CountBlocks implements [storage.Store].
func (s observedStore) CountBlocks(ctx context.Context, period asset.Period) ([]asset.BlockCount, error) {
	return call(ctx, s, "asset.count_blocks", s.Store.CountBlocks, period)
}

// Changes implements [storage.Store].
func (s observedStore) Changes(ctx context.Context, req asset.ListChangesRequest) (step.Page[asset.Change], error) {
	return call(ctx, s, "asset.changelog", s.Store.Changes, req)
}

// PruneChanges implements [storage.Store].
func (s observedStore) PruneChanges(ctx context.Context, cmd asset.PruneCommand) (step.Pruned[asset.ChangeCursor], error) {
	return call(ctx, s, "asset.prune_changelog", s.Store.PruneChanges, cmd)
}
