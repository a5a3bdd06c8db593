package asset

import (
	"context"
	"time"
)

// Options configure a [Service]. The zero value is ready to use.
type Options struct {
	// Clock returns the present time. Nil means time.Now.
	Clock func() time.Time
	// Protector finds the protected ones of assets that are to be blocked. Nil means [SuffixProtector].
	Protector Protector
	// Brake, unless nil, makes the confirmed blocking of a protected asset a pending act.
	Brake Brake
}

// Service reads and lists assets, sets their status and lists the changelog. It is safe for
// concurrent use.
type Service struct {
	store     Store
	clock     func() time.Time
	protector Protector
	brake     Brake
}

// NewService returns a Service on the store.
func NewService(store Store, opts Options) *Service {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	if opts.Protector == nil {
		opts.Protector = SuffixProtector{}
	}
	return &Service{store: store, clock: opts.Clock, protector: opts.Protector, brake: opts.Brake}
}

// Get returns the asset with the identity. The error is [ErrNotFound] if there is none,
// or if the identity is invalid.
func (s *Service) Get(ctx context.Context, identity Identity) (Asset, error) {
	return get(ctx, s.store, identity)
}

func get(ctx context.Context, store Store, identity Identity) (Asset, error) {
	if !identity.Type.Valid() || !ValidText(identity.Canonical) {
		return Asset{}, ErrNotFound
	}
	found, err := store.AssetsByIdentity(ctx, []Identity{identity})
	if err != nil {
		return Asset{}, err
	}
	if len(found) == 0 {
		return Asset{}, ErrNotFound
	}
	return found[0].Asset, nil
}
