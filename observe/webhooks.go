package observe

import (
	"context"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/webhook"
)

// AddEndpoint implements [storage.Store].
func (s observedStore) AddEndpoint(ctx context.Context, endpoint webhook.Endpoint, entry audit.Entry) (webhook.Endpoint, error) {
	return get(ctx, s, "webhook.create", func(ctx context.Context) (webhook.Endpoint, error) {
		return s.Store.AddEndpoint(ctx, endpoint, entry)
	})
}

// EndpointByID implements [storage.Store].
func (s observedStore) EndpointByID(ctx context.Context, id int64) (webhook.Endpoint, error) {
	return call(ctx, s, "webhook.get", s.Store.EndpointByID, id)
}

// Endpoints implements [storage.Store].
func (s observedStore) Endpoints(ctx context.Context, after int64, limit int) (step.Page[webhook.Endpoint], error) {
	return get(ctx, s, "webhook.list", func(ctx context.Context) (step.Page[webhook.Endpoint], error) {
		return s.Store.Endpoints(ctx, after, limit)
	})
}

// UpdateEndpoint implements [storage.Store]. Updates by senders have no entry and are not observed.
func (s observedStore) UpdateEndpoint(ctx context.Context, id int64, update func(old webhook.Endpoint) (webhook.Endpoint, error), entry audit.Entry) (webhook.Endpoint, error) {
	if entry == (audit.Entry{}) {
		return s.Store.UpdateEndpoint(ctx, id, update, entry)
	}
	return get(ctx, s, "webhook.update", func(ctx context.Context) (webhook.Endpoint, error) {
		return s.Store.UpdateEndpoint(ctx, id, update, entry)
	})
}

// RemoveEndpoint implements [storage.Store].
func (s observedStore) RemoveEndpoint(ctx context.Context, id int64, entry audit.Entry) error {
	return s.do(ctx, "webhook.remove", func(ctx context.Context) error { return s.Store.RemoveEndpoint(ctx, id, entry) })
}
