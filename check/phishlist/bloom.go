package phishlist

// bloomFilter is a Bloom filter of the hashes of all entries. One memory access rules
// out most hosts that are not entries. A lookup in a well-filled hash table takes
// several steps with branches that the processor cannot predict.
//
// All bits of a hash are in one word. A filter has about eight bits per entry and sets
// two of them, so about one lookup in twenty is a false positive. Which ones depends
// on the seed, so clients cannot choose such hosts.
type bloomFilter []uint64

// newBloomFilter returns a filter that is sized for the given number of hashes.
func newBloomFilter(hashes int) bloomFilter { return make(bloomFilter, hashes/8+1) }

func (f bloomFilter) add(hash uint64) { f[scale(hash, len(f))] |= bloomBits(hash) }

// mayContain returns false only if the hash was not added.
func (f bloomFilter) mayContain(hash uint64) bool {
	wanted := bloomBits(hash)
	return f[scale(hash, len(f))]&wanted == wanted
}

// bloomBits returns the bits of a hash in its word. They are derived from bits of the
// hash that neither select the word nor are stored in a slot.
func bloomBits(hash uint64) uint64 { return 1<<(hash>>8&63) | 1<<(hash>>16&63) }
