package webhook

import (
	"context"
	"iter"

	"github.com/apguard/apguard/asset"
)

// Get returns the endpoint without its secrets, or [ErrNotFound].
func (s *Service) Get(ctx context.Context, id int64) (Endpoint, error) {
	e, err := s.store.EndpointByID(ctx, id)
	return e.withoutSecrets(), err
}

// All yields every endpoint without its secrets, ordered by ID. It reads them in pages and holds
// no connection or lock between pages. An endpoint that is created after the iteration began may
// be missing. An error comes with a zero Endpoint and ends the sequence.
func (s *Service) All(ctx context.Context) iter.Seq2[Endpoint, error] {
	return asset.Pages(0, func(e Endpoint) int64 { return e.ID }, func(after int64, limit int) (asset.Page[Endpoint], error) {
		page, err := s.store.Endpoints(ctx, after, limit)
		for i, e := range page.Items {
			page.Items[i] = e.withoutSecrets()
		}
		return page, err
	})
}
