package webhook

import (
	"cmp"
	"context"
	"iter"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// The limits of a page of endpoints.
const (
	// MaxLimit is the maximum number of endpoints on a page.
	MaxLimit = 100
	// DefaultLimit is the limit of a request whose limit is 0.
	DefaultLimit = 50
)

// Get returns the endpoint without its secrets, or [ErrNotFound].
func (s *Service) Get(ctx context.Context, id int64) (Endpoint, error) {
	e, err := s.store.EndpointByID(ctx, id)
	return e.withoutSecrets(), err
}

// ListRequest is the input of [Service.List].
type ListRequest struct {
	// After is the ID of the last endpoint of the previous page, or 0 for the first page.
	After int64
	// Limit is the maximum number of endpoints in the page, from 1 to [MaxLimit]. 0 means
	// [DefaultLimit].
	Limit int
}

// Validate returns an [*asset.InputError] that lists every invalid field, or nil.
func (req ListRequest) Validate() error {
	var issues asset.Issues
	issues.CheckLimit(req.Limit, MaxLimit)
	return issues.Err()
}

// List returns a page of endpoints without their secrets, ordered by ID. The error is an
// [*asset.InputError] if the request is invalid.
func (s *Service) List(ctx context.Context, req ListRequest) (step.Page[Endpoint], error) {
	if err := req.Validate(); err != nil {
		return step.Page[Endpoint]{}, err
	}
	return s.page(ctx, req.After, cmp.Or(req.Limit, DefaultLimit))
}

// All yields every endpoint without its secrets, ordered by ID. It reads them in pages and holds
// no connection or lock between pages. An endpoint that is created after the iteration began may
// be missing. An error comes with a zero Endpoint and ends the sequence.
func (s *Service) All(ctx context.Context) iter.Seq2[Endpoint, error] {
	return step.Pages(0, func(e Endpoint) int64 { return e.ID }, func(after int64, limit int) (step.Page[Endpoint], error) {
		return s.page(ctx, after, limit)
	})
}

func (s *Service) page(ctx context.Context, after int64, limit int) (step.Page[Endpoint], error) {
	page, err := s.store.Endpoints(ctx, after, limit)
	for i, e := range page.Items {
		page.Items[i] = e.withoutSecrets()
	}
	return page, err
}
