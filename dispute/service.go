package dispute

import (
	"slices"
	"time"

	"github.com/apguard/apguard/check"
)

// Options configures a [Service]. The zero value is ready to use.
type Options struct {
	// ExternalLists are asked about disputed assets.
	ExternalLists check.ExternalLists
	// Clock returns the time at which a dispute is created. Nil means time.Now.
	Clock func() time.Time
}

// Service creates disputes and shows them to their creators. It is safe for concurrent use if its store is.
type Service struct {
	store Store
	lists check.ExternalLists
	clock func() time.Time
}

// NewService returns a Service on the store.
func NewService(store Store, opts Options) *Service {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Service{store: store, lists: slices.Clone(opts.ExternalLists), clock: opts.Clock}
}
