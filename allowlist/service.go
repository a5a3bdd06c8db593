package allowlist

import (
	"time"

	"github.com/apguard/apguard/check"
)

// Options configures a [Service]. The zero value is ready to use.
type Options struct {
	// RefuseBlocked refuses with [ErrBlocked] what is BLOCKED: an asset with that status, and
	// one that is UNKNOWN while a cover of it, such as its domain, is BLOCKED. Without it they
	// become ALLOWED.
	RefuseBlocked bool
	// ExternalLists are asked for the verdicts of dry runs, in this order.
	ExternalLists check.ExternalLists
	// Clock returns the current time. Nil means time.Now.
	Clock func() time.Time
}

// Service adds assets to allowlists, removes them and lists them. It is safe for concurrent use.
type Service struct {
	store Store
	// checks answers as a check does, and covers without the external lists.
	checks, covers *check.Service
	refuseBlocked  bool
	clock          func() time.Time
}

// NewService returns a Service that uses the store.
func NewService(store Store, opts Options) *Service {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Service{
		store:         store,
		checks:        check.NewService(store, check.Options{ExternalLists: opts.ExternalLists}),
		covers:        check.NewService(store, check.Options{}),
		refuseBlocked: opts.RefuseBlocked,
		clock:         opts.Clock,
	}
}
