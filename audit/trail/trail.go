// Package trail lists the audit trail. Package audit defines its entries.
package trail

import (
	"cmp"
	"context"
	"iter"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// Store is the storage of a [Service]. The methods of other stores that take an entry append it.
// Methods may be called concurrently. Each is one atomic step, and returns the error of the
// context if the context ends first.
type Store interface {
	// AuditEntries returns the page of step.ReadPage, with the limit, of the entries that the
	// filter matches and whose ID is below before, newest first. A before of 0 means no bound. The
	// limit is at least 1.
	AuditEntries(ctx context.Context, filter Filter, before int64, limit int) (step.Page[audit.Entry], error)
}

// Filter selects entries. Its fields combine with and; a zero field matches every entry.
type Filter struct {
	Kind audit.Kind
	// UserID is the user who acted.
	UserID int64
}

// Matches reports whether the filter selects the entry.
func (f Filter) Matches(e audit.Entry) bool {
	return (f.Kind == "" || e.Kind == f.Kind) && (f.UserID == 0 || e.Actor.UserID == f.UserID)
}

// check adds issues for invalid fields.
func (f Filter) check(issues *asset.Issues) {
	issues.Check(f.Kind == "" || f.Kind.Valid(), "kind", "unknown value")
	issues.CheckOptionalID("userId", f.UserID)
}

// The limits of a page of entries.
const (
	// MaxLimit is the maximum number of entries on a page.
	MaxLimit = 100
	// DefaultLimit is the limit of a request whose limit is 0.
	DefaultLimit = 50
)

// ListRequest is the request of [Service.List].
type ListRequest struct {
	Filter Filter
	// Before is the ID of the last entry of the previous page, or 0 for the first page.
	Before int64
	// Limit is the maximum number of entries in the page, from 1 to [MaxLimit]. 0 means
	// [DefaultLimit].
	Limit int
}

// Validate returns an [*asset.InputError] that names every invalid field, or nil.
func (req ListRequest) Validate() error {
	var issues asset.Issues
	req.Filter.check(&issues)
	issues.CheckOptionalID("cursor", req.Before)
	issues.CheckLimit(req.Limit, MaxLimit)
	return issues.Err()
}

// Service lists the audit trail. It is for operators, because the trail concerns all
// organizations. It is safe for concurrent use.
type Service struct {
	store Store
}

// NewService returns a Service on the store.
func NewService(store Store) *Service {
	return &Service{store: store}
}

// List returns a page of entries, newest first. The error is an [*asset.InputError] if the request
// is invalid.
func (s *Service) List(ctx context.Context, req ListRequest) (step.Page[audit.Entry], error) {
	if err := req.Validate(); err != nil {
		return step.Page[audit.Entry]{}, err
	}
	return s.store.AuditEntries(ctx, req.Filter, req.Before, cmp.Or(req.Limit, DefaultLimit))
}

// All yields every entry that the filter matches, newest first. It reads them in pages and holds
// no connection or lock between pages. An error comes with a zero Entry and ends the sequence.
func (s *Service) All(ctx context.Context, filter Filter) iter.Seq2[audit.Entry, error] {
	return step.Pages(0, func(e audit.Entry) int64 { return e.ID }, func(before int64, limit int) (step.Page[audit.Entry], error) {
		return s.store.AuditEntries(ctx, filter, before, limit)
	})
}
