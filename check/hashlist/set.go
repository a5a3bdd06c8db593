package hashlist

import (
	"math/bits"
	"slices"
)

// perBucket is about the number of hashes that share their highest bits. A look-up reads one or two
// cache lines of them.
const perBucket = 8

// set is a sorted set of hashes. The zero set is empty.
type set struct {
	hashes []uint64
	// starts has, for each value of the highest bits, the index of the first hash that is not less,
	// and then the number of hashes.
	starts []uint32
	// shift leaves the highest bits.
	shift int
}

// newSet returns the set of sorted, different hashes. There are less than 2^32.
func newSet(hashes []uint64) set {
	high := bits.Len(uint(len(hashes) / perBucket))
	s := set{hashes: hashes, starts: make([]uint32, 1<<high+1), shift: 64 - high}
	next := 0
	for i, hash := range hashes {
		for ; next <= int(hash>>s.shift); next++ { //nolint:gosec // it is an index of starts
			s.starts[next] = uint32(i)
		}
	}
	for ; next < len(s.starts); next++ {
		s.starts[next] = uint32(len(hashes)) //nolint:gosec // the number of hashes is limited
	}
	return s
}

// has reports whether the set has the hash.
func (s *set) has(hash uint64) bool {
	if len(s.hashes) == 0 {
		return false
	}
	bucket := hash >> s.shift
	_, found := slices.BinarySearch(s.hashes[s.starts[bucket]:s.starts[bucket+1]], hash)
	return found
}
