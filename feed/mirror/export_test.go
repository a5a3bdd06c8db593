package mirror

import "github.com/apguard/apguard/asset"

// SetHash sets the hash functions of the next copies, in this order.
func SetHash(m *Mirror, hashes ...func(asset.Identity) uint64) {
	m.newHash = func() func(asset.Identity) uint64 {
		hash := hashes[0]
		hashes = hashes[1:]
		return hash
	}
}
