package mirror

import (
	"math"
	"time"

	"github.com/apguard/apguard/asset"
)

// bases has what a mirror keeps of the bases of assets beside their reasons: in the slot of an asset, a time
// and the index of the rest, which assets share. Those of a list have the same one.
type bases struct {
	// since has times in milliseconds.
	since []int64
	parts []uint32
	pool  *basisPool
}

func newBases() *bases { return &bases{pool: &basisPool{index: make(map[basisPart]uint32)}} }

// sized returns bases of a number of slots, with the same pool. It returns nil for nil.
func (b *bases) sized(slots int) *bases {
	if b == nil {
		return nil
	}
	return &bases{since: make([]int64, slots), parts: make([]uint32, slots), pool: b.pool}
}

// never is the time of a basis without one.
const never = math.MinInt64

// complete sets what a basis has beside its reason to that of a slot.
func (b *bases) complete(slot int, basis *asset.Basis) {
	part := b.pool.all[b.parts[slot]]
	basis.By, basis.ListID, basis.List, basis.Note = part.by, part.listID, part.list, part.note
	basis.Since = timeOf(b.since[slot])
}

// timeOf returns the time in milliseconds, which can be never.
func timeOf(millis int64) time.Time {
	if millis == never {
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
}

// put sets the basis of a slot that has none.
func (b *bases) put(slot int, basis asset.Basis) {
	b.since[slot] = never
	if !basis.Since.IsZero() {
		b.since[slot] = basis.Since.UnixMilli()
	}
	b.parts[slot] = b.pool.use(basisPart{basis.By, basis.ListID, basis.List, basis.Note})
}

// remove removes the basis of a slot.
func (b *bases) remove(slot int) { b.pool.release(b.parts[slot]) }

// move copies the basis of a slot of bases with the same pool, which loses it.
func (b *bases) move(to int, source *bases, from int) {
	b.since[to], b.parts[to] = source.since[from], source.parts[from]
}

// basisPart is what bases of several assets have in common.
type basisPart struct {
	by     asset.Source
	listID int64
	list   string
	note   string
}

// basisPool has each part of bases once.
type basisPool struct {
	all   []basisPart
	index map[basisPart]uint32
	// uses has the number of slots with each part, and free the indices of parts without any.
	uses []int
	free []uint32
}

// use returns the index of a part for another slot.
func (p *basisPool) use(part basisPart) uint32 {
	i, ok := p.index[part]
	if !ok {
		if n := len(p.free); n > 0 {
			i, p.free = p.free[n-1], p.free[:n-1]
			p.all[i] = part
		} else {
			i = uint32(len(p.all)) //nolint:gosec // a table has fewer slots
			p.all, p.uses = append(p.all, part), append(p.uses, 0)
		}
		p.index[part] = i
	}
	p.uses[i]++
	return i
}

// release ends the use of a part by a slot.
func (p *basisPool) release(i uint32) {
	if p.uses[i]--; p.uses[i] > 0 {
		return
	}
	delete(p.index, p.all[i])
	p.all[i] = basisPart{} // which releases the texts
	p.free = append(p.free, i)
}
