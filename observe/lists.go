package observe

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/step"
)

// Lists implements [storage.Store].
func (s observedStore) Lists(ctx context.Context) ([]lists.List, error) {
	return get(ctx, s, "list.list", s.Store.Lists)
}

// PutList implements [storage.Store].
func (s observedStore) PutList(ctx context.Context, name string, put func(old lists.List, lists int) (lists.List, audit.Entry, error)) (lists.List, error) {
	return get(ctx, s, "list.put", func(ctx context.Context) (lists.List, error) { return s.Store.PutList(ctx, name, put) })
}

// RemoveList implements [storage.Store].
func (s observedStore) RemoveList(ctx context.Context, id int64, entry audit.Entry) error {
	return s.do(ctx, "list.remove", func(ctx context.Context) error { return s.Store.RemoveList(ctx, id, entry) })
}

// ListEntries implements [storage.Store].
func (s observedStore) ListEntries(ctx context.Context, listID, after int64, limit int) (step.Page[lists.HeldEntry], error) {
	return get(ctx, s, "list.entries", func(ctx context.Context) (step.Page[lists.HeldEntry], error) {
		return s.Store.ListEntries(ctx, listID, after, limit)
	})
}

// DecideEntries implements [storage.Store].
func (s observedStore) DecideEntries(ctx context.Context, cmd lists.DecideCommand) ([]asset.Asset, error) {
	return change(ctx, s, "list.decide", s.Store.DecideEntries, cmd)
}

// WithdrawEntries implements [storage.Store].
func (s observedStore) WithdrawEntries(ctx context.Context, cmd lists.WithdrawCommand) error {
	_, err := change(ctx, s, "list.withdraw", func(ctx context.Context, cmd lists.WithdrawCommand) (struct{}, error) {
		return struct{}{}, s.Store.WithdrawEntries(ctx, cmd)
	}, cmd)
	return err
}
