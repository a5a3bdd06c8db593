package report

import (
	"time"

	"github.com/apguard/apguard/asset"
)

// Options are the optional parts of a [Service] and a [ReviewService]. The zero value
// is ready to use.
type Options struct {
	// Clock returns the current time. It must not return the zero time. Nil means
	// time.Now.
	Clock func() time.Time
	// Protector finds the protected ones of assets that an approval would block. Nil means
	// [asset.SuffixProtector].
	Protector asset.Protector
	// Brake, unless nil, makes a confirmed approval that a protected asset is BLOCKED a pending act.
	Brake Brake
}

func (o Options) clock() func() time.Time {
	if o.Clock == nil {
		return time.Now
	}
	return o.Clock
}

// Service files, reads and lists reports. It is safe for concurrent use if its store
// is.
type Service struct {
	store Store
	clock func() time.Time
}

// NewService returns a Service on the store.
func NewService(store Store, opts Options) *Service {
	return &Service{store: store, clock: opts.clock()}
}

// ReviewService reviews and escalates reports, and withdraws reviews. It is safe for
// concurrent use if its store is.
type ReviewService struct {
	store     ReviewStore
	clock     func() time.Time
	protector asset.Protector
	brake     Brake
}

// NewReviewService returns a ReviewService on the store.
func NewReviewService(store ReviewStore, opts Options) *ReviewService {
	if opts.Protector == nil {
		opts.Protector = asset.SuffixProtector{}
	}
	return &ReviewService{store: store, clock: opts.clock(), protector: opts.Protector, brake: opts.Brake}
}
