package hotlist

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/apguard/apguard/asset"
)

const (
	// stampBits is the number of bits of the largest integer that a client reads exactly.
	stampBits = 53
	// identityBits is the number of bits of a time stamp, the lowest ones, that identify the store.
	identityBits = 18
	// maxPosition is the largest position that a time stamp can have.
	maxPosition = 1<<(stampBits-identityBits) - 2
)

// newStamp returns the time stamp of a position of a store. The position must be at most maxPosition.
func newStamp(store asset.StoreID, position int64) int64 {
	return (position+1)<<identityBits | identityOf(store)
}

// positionOf returns the position of a time stamp. It reports false if that is one of another store.
func positionOf(store asset.StoreID, stamp int64) (position int64, ok bool) {
	if stamp == 0 || stamp == 1 {
		return 0, true
	}
	position = stamp>>identityBits - 1
	return position, position >= 0 && stamp&(1<<identityBits-1) == identityOf(store)
}

// identityOf returns the bits that identify a store. They are from a hash, because not every byte of an ID
// has to be random.
func identityOf(store asset.StoreID) int64 {
	sum := sha256.Sum256(store[:])
	return int64(binary.BigEndian.Uint64(sum[:]) >> (64 - identityBits))
}
