package report

import (
	"context"
	"time"
)

// Backlog says how many reports wait for reviews.
type Backlog struct {
	// Todo and InProgress are the numbers of reports with these statuses.
	Todo       int `json:"todo"`
	InProgress int `json:"inProgress"`
	// OldestAt is when the oldest of them was filed. It is zero if there are none.
	OldestAt time.Time `json:"oldestAt,omitzero"`
}

// Add counts reports with a status, of which the oldest was filed at that time. Closed reports do not
// count. Stores call it.
func (b *Backlog) Add(status Status, count int, oldest time.Time) {
	switch status {
	case StatusTodo:
		b.Todo += count
	case StatusInProgress:
		b.InProgress += count
	default:
		return
	}
	if count > 0 && (b.OldestAt.IsZero() || oldest.Before(b.OldestAt)) {
		b.OldestAt = oldest
	}
}

// Backlog returns how many reports of the scope wait for reviews. The error is an [*asset.InputError] if
// the scope is invalid.
func (s *ReviewService) Backlog(ctx context.Context, scope Scope) (Backlog, error) {
	if err := scope.Validate(); err != nil {
		return Backlog{}, err
	}
	return s.store.ReportBacklog(ctx, scope)
}
