package account

import (
	"cmp"
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// The limits of a page of organizations, users or keys.
const (
	// MaxLimit is the maximum number of items on a page.
	MaxLimit = 100
	// DefaultLimit is the limit of a request whose limit is 0.
	DefaultLimit = 50
)

// ListRequest is the request of [Service.ListOrganizations] and [Service.ListUsers].
type ListRequest struct {
	// After is the ID of the last item of the previous page, or 0 for the first page.
	After int64
	// Limit is the maximum number of items in the page, from 1 to [MaxLimit]. 0 means
	// [DefaultLimit].
	Limit int
}

// Validate returns an [*asset.InputError] that names every invalid field, or nil.
func (req ListRequest) Validate() error {
	var issues asset.Issues
	issues.CheckLimit(req.Limit, MaxLimit)
	return issues.Err()
}

// ListOrganizations returns a page of organizations, ordered by ID. The error is an
// [*asset.InputError] if the request is invalid.
func (s *Service) ListOrganizations(ctx context.Context, req ListRequest) (step.Page[Organization], error) {
	return list(ctx, req, s.store.Organizations)
}

// ListUsers returns a page of users, ordered by ID. The error is an [*asset.InputError] if the
// request is invalid.
func (s *Service) ListUsers(ctx context.Context, req ListRequest) (step.Page[User], error) {
	return list(ctx, req, s.store.Users)
}

func list[T step.PageItem](
	ctx context.Context, req ListRequest, read func(ctx context.Context, after int64, limit int) (step.Page[T], error),
) (step.Page[T], error) {
	if err := req.Validate(); err != nil {
		return step.Page[T]{}, err
	}
	return read(ctx, req.After, cmp.Or(req.Limit, DefaultLimit))
}

// one returns the record with the ID, or missing.
func one[T any](ctx context.Context, id int64, read func(context.Context, []int64) ([]T, error), missing error) (T, error) {
	var none T
	found, err := read(ctx, []int64{id})
	switch {
	case err != nil:
		return none, err
	case len(found) == 0:
		return none, missing
	default:
		return found[0], nil
	}
}

// some returns the records with the IDs. It reads nothing if there are no IDs.
func some[T any](ctx context.Context, ids []int64, read func(context.Context, []int64) ([]T, error)) ([]T, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return read(ctx, ids)
}
