package observe

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
)

// CreateDispute implements [storage.Store].
func (s observedStore) CreateDispute(ctx context.Context, cmd dispute.CreateCommand) (dispute.Dispute, error) {
	return call(ctx, s, "dispute.create", s.Store.CreateDispute, cmd)
}

// DisputeByID implements [storage.Store].
func (s observedStore) DisputeByID(ctx context.Context, id int64) (dispute.Dispute, error) {
	return call(ctx, s, "dispute.get", s.Store.DisputeByID, id)
}

// DisputeWithAsset implements [storage.Store].
func (s observedStore) DisputeWithAsset(ctx context.Context, id int64) (dispute.WithAsset, error) {
	return call(ctx, s, "dispute.get_with_asset", s.Store.DisputeWithAsset, id)
}

// Disputes implements [storage.Store].
func (s observedStore) Disputes(ctx context.Context, req dispute.ListRequest) (step.Page[dispute.Dispute], error) {
	return call(ctx, s, "dispute.list", s.Store.Disputes, req)
}

// DisputeBacklog implements [storage.Store].
func (s observedStore) DisputeBacklog(ctx context.Context) (dispute.Backlog, error) {
	return get(ctx, s, "dispute.backlog", func(ctx context.Context) (dispute.Backlog, error) {
		return s.Store.DisputeBacklog(ctx)
	})
}

// DecidedDisputes implements [storage.Store].
func (s observedStore) DecidedDisputes(ctx context.Context, period asset.Period) (dispute.Decided, error) {
	return call(ctx, s, "dispute.decided", s.Store.DecidedDisputes, period)
}

// UpdateDispute implements [storage.Store].
func (s observedStore) UpdateDispute(ctx context.Context, cmd dispute.UpdateCommand) (dispute.Dispute, error) {
	return change(ctx, s, "dispute.update", s.Store.UpdateDispute, cmd)
}

// EraseDisputes implements [storage.Store].
func (s observedStore) EraseDisputes(ctx context.Context, cmd dispute.EraseCommand) (int, error) {
	return call(ctx, s, "dispute.erase", s.Store.EraseDisputes, cmd)
}

// PruneDisputes implements [storage.Store].
func (s observedStore) PruneDisputes(ctx context.Context, cmd dispute.PruneCommand) (step.Pruned[int64], error) {
	return call(ctx, s, "dispute.prune", s.Store.PruneDisputes, cmd)
}
