package classify

import "github.com/apguard/apguard/asset"

// Result is what [Classify] found.
type Result struct {
	// Identity is the type of the asset and its canonical form.
	asset.Identity
	// Network is the blockchain network of an ADDRESS, and empty for every
	// other type.
	Network Network `json:"network,omitempty"`
}
