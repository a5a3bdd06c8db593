package pending

import (
	"cmp"
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// The limits of a page of acts.
const (
	// MaxLimit is the maximum number of acts on a page.
	MaxLimit = 100
	// DefaultLimit is the limit of a request whose limit is 0.
	DefaultLimit = 50
)

// ListRequest is the request of [Service.List].
type ListRequest struct {
	// State is the state of the acts. Empty means any state.
	State State
	// After is the ID of the last act of the previous page, or 0 for the first page.
	After int64
	// Limit is the maximum number of acts in the page, from 1 to [MaxLimit]. 0 means [DefaultLimit].
	Limit int
}

// Validate returns an [*asset.InputError] that names every invalid field, or nil.
func (req ListRequest) Validate() error {
	var issues asset.Issues
	issues.Check(req.State == "" || req.State.Valid(), "state", "must be PENDING, APPROVED, REJECTED or EXPIRED")
	issues.CheckOptionalID("cursor", req.After)
	issues.CheckLimit(req.Limit, MaxLimit)
	return issues.Err()
}

// Selects reports whether the act has the state of the request at the time.
func (req ListRequest) Selects(act Act, now time.Time) bool {
	return req.State == "" || act.At(now).State == req.State
}

// List returns a page of acts, oldest first. The error is an [*asset.InputError] if the request is invalid.
func (s *Service) List(ctx context.Context, req ListRequest) (step.Page[Act], error) {
	if err := req.Validate(); err != nil {
		return step.Page[Act]{}, err
	}
	req.Limit = cmp.Or(req.Limit, DefaultLimit)
	now := s.clock()
	page, err := s.store.Acts(ctx, req, now)
	for i, act := range page.Items {
		page.Items[i] = act.At(now)
	}
	return page, err
}
