package hashwire

import (
	"fmt"
	"math/bits"
)

// coding is the Rice-delta coding of numbers of one size.
type coding struct {
	largest uint64
	// least and most are the limits of the parameter.
	least, most uint
}

// The codings of the protocol.
var (
	additionsCoding = coding{largest: 1<<64 - 1, least: 35, most: 62}
	removalsCoding  = coding{largest: 1<<32 - 1, least: 3, most: 30}
)

// Rice is a set of at least one number, in Rice-delta coding. It has the smallest number and
// differences. Of each difference, the lowest bits are written as they are, and the rest as so many
// ones and a zero before them.
type Rice struct {
	first uint64
	// parameter is the number of the bits that are written as they are.
	parameter uint
	deltas    int
	data      []byte
	largest   uint64
}

// NewAdditions returns sorted, different hashes in the coding of the protocol. It returns nil if there
// are none.
func NewAdditions(hashes []uint64) *Rice { return encode(hashes, additionsCoding) }

// NewRemovals returns sorted, different indices in the coding of the protocol. It returns nil if there
// are none.
func NewRemovals(indices []uint32) *Rice { return encode(indices, removalsCoding) }

func encode[Number uint32 | uint64](numbers []Number, of coding) *Rice {
	if len(numbers) == 0 {
		return nil
	}
	first, last := uint64(numbers[0]), uint64(numbers[len(numbers)-1])
	r := &Rice{first: first, deltas: len(numbers) - 1, largest: of.largest}
	if r.deltas == 0 {
		return r
	}
	r.parameter = of.parameter((last - first) / uint64(r.deltas)) //nolint:gosec // it is not negative
	w := bitWriter{data: make([]byte, 0, (uint(r.deltas)*(r.parameter+1)+uint((last-first)>>r.parameter)+7)/8)}
	for i, number := range numbers[1:] {
		w.writeDelta(uint64(number)-uint64(numbers[i]), r.parameter)
	}
	r.data = w.end()
	return r
}

// parameter returns the parameter that makes random numbers with the mean difference shortest: the next
// one above the logarithm to base 2 of the mean times 0.48, which is the natural logarithm of the golden
// ratio.
func (c coding) parameter(mean uint64) uint {
	length := bits.Len64(mean / 25 * 12)
	return min(max(uint(length), c.least), c.most)
}

func (w *bitWriter) writeDelta(delta uint64, parameter uint) {
	rest := delta >> parameter
	for ; rest >= 32; rest -= 32 {
		w.write(1<<32-1, 32)
	}
	w.write(1<<rest-1, uint(rest)+1)
	low := delta & (1<<parameter - 1)
	w.write(low&(1<<32-1), min(parameter, 32))
	if parameter > 32 {
		w.write(low>>32, parameter-32)
	}
}

// validate returns an error unless the parameter has the limits of the coding and the data can have all
// differences. So the data limits what a reader must store.
func (r *Rice) validate(of coding) error {
	r.largest = of.largest
	switch {
	case r.first > of.largest:
		return malformed("first value out of range")
	case r.deltas == 0:
		return nil
	case r.deltas < 0:
		return malformed("negative number of entries")
	case r.parameter < of.least || r.parameter > of.most:
		return malformed("Rice parameter out of range")
	case uint64(r.deltas)*uint64(r.parameter+1) > 8*uint64(len(r.data)):
		return malformed("fewer data than entries")
	}
	return nil
}

// Len returns how many numbers there are. That of nil is 0.
func (r *Rice) Len() int {
	if r == nil {
		return 0
	}
	return r.deltas + 1
}

// Reader reads the numbers of a Rice, the smallest first.
type Reader struct {
	rice *Rice
	bits bitReader
	// read is how many numbers were read, and last is the last one of them.
	read int
	last uint64
}

// Reader returns a Reader of the numbers. That of nil has none.
func (r *Rice) Reader() Reader {
	if r == nil {
		return Reader{}
	}
	return Reader{rice: r, bits: bitReader{data: r.data}}
}

// Next returns the next number, which is larger than the one before. It reports false at the end. The
// error matches [ErrMalformed].
func (r *Reader) Next() (number uint64, ok bool, err error) {
	switch {
	case r.rice.Len() == r.read:
		return 0, false, nil
	case r.read == 0:
		r.read, r.last = 1, r.rice.first
		return r.last, true, nil
	}
	rest, complete := r.bits.ones()
	low, ok := r.bits.read(r.rice.parameter)
	if !complete || !ok {
		return 0, false, malformed("the data ends early")
	}
	delta := rest<<r.rice.parameter | low
	if rest > r.rice.largest>>r.rice.parameter || delta == 0 || delta > r.rice.largest-r.last {
		return 0, false, malformed("numbers are not ascending")
	}
	r.read++
	r.last += delta
	return r.last, true, nil
}

// malformed returns an error that matches [ErrMalformed].
func malformed(reason string) error { return fmt.Errorf("%w: %s", ErrMalformed, reason) }
