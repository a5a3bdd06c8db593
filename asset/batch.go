package asset

import "slices"

// Batch has the items of a request, with one item for each asset that they name. [NewBatch]
// returns one.
type Batch[T any] struct {
	// Unique has the first item of each asset, in their order.
	Unique []T
	// Places has the place of every item of the request, in their order.
	Places []Place

	indexes map[Identity]int // in Unique
}

// Place says what became of an item of a [Batch].
type Place struct {
	// Index is the index in Unique of the item's asset.
	Index int
	// Duplicate reports whether an earlier item names the same asset.
	Duplicate bool
	// Err, unless nil, refuses the item. The other fields are then zero.
	Err error
}

// NewBatch returns an empty batch with room for n items.
func NewBatch[T any](n int) Batch[T] {
	return Batch[T]{
		Unique:  make([]T, 0, n),
		Places:  make([]Place, 0, n),
		indexes: make(map[Identity]int, n),
	}
}

// First returns the first item with the asset, or false if the batch has none.
func (b *Batch[T]) First(identity Identity) (T, bool) {
	index, found := b.indexes[identity]
	if !found {
		var none T
		return none, false
	}
	return b.Unique[index], true
}

// Add adds an item of an asset. If the batch has one with this asset already, the item is a
// duplicate.
func (b *Batch[T]) Add(identity Identity, item T) {
	index, duplicate := b.indexes[identity]
	if !duplicate {
		index = len(b.Unique)
		b.indexes[identity] = index
		b.Unique = append(b.Unique, item)
	}
	b.Places = append(b.Places, Place{Index: index, Duplicate: duplicate})
}

// Refuse adds an item that is refused.
func (b *Batch[T]) Refuse(err error) {
	b.Places = append(b.Places, Place{Err: err})
}

// without returns the batch with the unique items, and their duplicates, refused for which refused returns true.
func (b *Batch[T]) without(refused func(T) bool, err error) Batch[T] {
	rest := Batch[T]{Unique: make([]T, 0, len(b.Unique)), Places: slices.Clone(b.Places)}
	indexes := make(map[int]int, len(b.Unique))
	for i, item := range b.Unique {
		if !refused(item) {
			indexes[i] = len(rest.Unique)
			rest.Unique = append(rest.Unique, item)
		}
	}
	for i, place := range rest.Places {
		index, stays := indexes[place.Index]
		switch {
		case place.Err != nil:
		case stays:
			rest.Places[i].Index = index
		default:
			rest.Places[i] = Place{Err: err}
		}
	}
	return rest
}
