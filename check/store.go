package check

import (
	"context"

	"github.com/apguard/apguard/asset"
)

// Store is the storage that a [Service] needs, a part of [asset.Store]. Its method must be
// safe for concurrent use. It is one atomic step and returns the error of ctx if ctx ends
// first.
type Store interface {
	// AssetsByIdentity returns the assets that have one of the identities, in any order.
	// Identities without an asset are left out. There is at least one identity. If one is
	// repeated, its asset may be.
	AssetsByIdentity(ctx context.Context, identities []asset.Identity) ([]asset.Known, error)
}
