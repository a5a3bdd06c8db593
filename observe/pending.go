package observe

import (
	"context"
	"time"

	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/step"
)

// AddAct implements [storage.Store].
func (s observedStore) AddAct(ctx context.Context, cmd pending.AddCommand) (pending.Act, error) {
	return call(ctx, s, "pending.add", s.Store.AddAct, cmd)
}

// ActByID implements [storage.Store].
func (s observedStore) ActByID(ctx context.Context, id int64) (pending.Act, error) {
	return call(ctx, s, "pending.get", s.Store.ActByID, id)
}

// Acts implements [storage.Store].
func (s observedStore) Acts(ctx context.Context, req pending.ListRequest, now time.Time) (step.Page[pending.Act], error) {
	return get(ctx, s, "pending.list", func(ctx context.Context) (step.Page[pending.Act], error) { return s.Store.Acts(ctx, req, now) })
}

// DecideAct implements [storage.Store].
func (s observedStore) DecideAct(ctx context.Context, cmd pending.DecideCommand) (pending.Act, error) {
	return change(ctx, s, "pending.decide", s.Store.DecideAct, cmd)
}
