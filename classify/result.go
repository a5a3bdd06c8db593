package classify

import "github.com/apguard/apguard/asset"

// Result is the result of [Classify].
type Result struct {
	// Identity is the type and canonical form of the asset. Two inputs with the same
	// identity are the same asset.
	asset.Identity
	// Network is the blockchain network of an ADDRESS. It is empty for every other type.
	Network Network `json:"network,omitempty"`
	// Content is the submitted content without outer white space. It may differ between
	// two results for the same asset.
	Content string `json:"-"`
}
