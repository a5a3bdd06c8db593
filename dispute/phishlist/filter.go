package phishlist

// filter is a Bloom filter of the hashes of all entries. It tells of most hosts that
// they are no entry, from one place in memory, where a search in a table that is well
// filled takes several steps, of which the processor can foresee none.
//
// All bits of a hash stand in one word. There are about eight bits for each entry, of
// which two are set, so that one host of twenty is searched for in vain. Which one
// depends on the seed, so that nobody can choose such hosts.
type filter []uint64

// newFilter returns a filter that is meant for so many hashes.
func newFilter(hashes int) filter { return make(filter, hashes/8+1) }

func (f filter) add(hash uint64) { f[scaled(hash, len(f))] |= filterBits(hash) }

// mayHave reports false if the hash was not added.
func (f filter) mayHave(hash uint64) bool {
	wanted := filterBits(hash)
	return f[scaled(hash, len(f))]&wanted == wanted
}

// filterBits returns the bits of a hash in its word. They come from bits of the hash
// that neither choose the word nor stand in a slot.
func filterBits(hash uint64) uint64 { return 1<<(hash>>8&63) | 1<<(hash>>16&63) }
