package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/webhook"
)

// AddEndpoint implements [webhook.Store].
func (s *Store) AddEndpoint(ctx context.Context, endpoint webhook.Endpoint, entry audit.Entry) (webhook.Endpoint, error) {
	return write(ctx, s, func(t *tables) (webhook.Endpoint, error) {
		if t.lastEndpoint == asset.MaxID {
			return webhook.Endpoint{}, errNoID
		}
		t.lastEndpoint++
		endpoint.ID = t.lastEndpoint
		t.endpoints[endpoint.ID] = endpoint.Stored()
		t.record(entry.On(endpoint.ID))
		return t.endpoints[endpoint.ID].Stored(), nil
	})
}

// endpoint returns a copy of the endpoint, or ErrNotFound.
func (t *tables) endpoint(id int64) (webhook.Endpoint, error) {
	endpoint, known := t.endpoints[id]
	if !known {
		return webhook.Endpoint{}, webhook.ErrNotFound
	}
	return endpoint.Stored(), nil
}

// EndpointByID implements [webhook.Store].
func (s *Store) EndpointByID(ctx context.Context, id int64) (webhook.Endpoint, error) {
	return read(ctx, s, func(t *tables) (webhook.Endpoint, error) { return t.endpoint(id) })
}

// Endpoints implements [webhook.Store].
func (s *Store) Endpoints(ctx context.Context, after int64, limit int) (step.Page[webhook.Endpoint], error) {
	return read(ctx, s, func(t *tables) (step.Page[webhook.Endpoint], error) {
		found := t.endpointsWith(func(e webhook.Endpoint) bool { return e.ID > after })
		slices.SortFunc(found, func(a, b webhook.Endpoint) int { return cmp.Compare(a.ID, b.ID) })
		return page(found, limit, webhook.Endpoint.Stored)
	})
}

// DueEndpoints implements [webhook.Store].
func (s *Store) DueEndpoints(ctx context.Context, after webhook.DueCursor, until time.Time, limit int) (step.Page[webhook.Endpoint], error) {
	return read(ctx, s, func(t *tables) (step.Page[webhook.Endpoint], error) {
		found := t.endpointsWith(func(e webhook.Endpoint) bool {
			return e.State == webhook.StateActive && !e.DueAt.After(until) && after.Precedes(e)
		})
		slices.SortFunc(found, func(a, b webhook.Endpoint) int {
			return cmp.Or(a.DueAt.Compare(b.DueAt), cmp.Compare(a.ID, b.ID))
		})
		return page(found, limit, webhook.Endpoint.Stored)
	})
}

// endpointsWith returns the endpoints for which the condition is true, in any order.
func (t *tables) endpointsWith(condition func(webhook.Endpoint) bool) []webhook.Endpoint {
	var found []webhook.Endpoint
	for _, endpoint := range t.endpoints {
		if condition(endpoint) {
			found = append(found, endpoint)
		}
	}
	return found
}

// UpdateEndpoint implements [webhook.Store].
func (s *Store) UpdateEndpoint(ctx context.Context, id int64, update func(old webhook.Endpoint) (webhook.Endpoint, error), entry audit.Entry) (webhook.Endpoint, error) {
	return write(ctx, s, func(t *tables) (webhook.Endpoint, error) {
		old, err := t.endpoint(id)
		if err != nil {
			return webhook.Endpoint{}, err
		}
		changed, err := update(old.Stored())
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return webhook.Endpoint{}, err
		}
		changed.ID, changed.CreatedAt = id, old.CreatedAt
		t.record(changed.Entry(entry, old))
		t.endpoints[id] = changed.Stored()
		return t.endpoint(id)
	})
}

// RemoveEndpoint implements [webhook.Store].
func (s *Store) RemoveEndpoint(ctx context.Context, id int64, entry audit.Entry) error {
	return s.do(ctx, func(t *tables) error {
		if _, err := t.endpoint(id); err != nil {
			return err
		}
		delete(t.endpoints, id)
		t.record(entry)
		return nil
	})
}
