package hashwire

import (
	"encoding/binary"
	"math/bits"
)

// bitWriter appends bits to bytes. The first bit is the lowest one of the first byte.
type bitWriter struct {
	data []byte
	// pending has the bits that do not fill a byte yet, and used is their number.
	pending uint64
	used    uint
}

// write appends the lowest n bits of a value, the lowest one first. n is at most 32, and the other
// bits of the value are 0.
func (w *bitWriter) write(value uint64, n uint) {
	w.pending |= value << w.used
	w.used += n
	if w.used >= 32 {
		w.data = binary.LittleEndian.AppendUint32(w.data, uint32(w.pending)) //nolint:gosec // the rest stays pending
		w.pending >>= 32
		w.used -= 32
	}
}

// end appends the pending bits. It fills the last byte with zeros.
func (w *bitWriter) end() []byte {
	for ; w.used > 0; w.used -= min(w.used, 8) {
		w.data = append(w.data, byte(w.pending)) //nolint:gosec // the rest stays pending
		w.pending >>= 8
	}
	return w.data
}

// bitReader reads what a bitWriter has written.
type bitReader struct {
	data []byte
	at   uint // the position of the next bit
}

// peek returns the next bits, and how many these are: at least 57, unless the data ends before.
func (r *bitReader) peek() (next uint64, n uint) {
	rest := r.data[min(r.at/8, uint(len(r.data))):]
	n = 64
	if len(rest) >= 8 {
		next = binary.LittleEndian.Uint64(rest)
	} else {
		n = 8 * uint(len(rest))
		for i, b := range rest {
			next |= uint64(b) << (8 * i)
		}
	}
	skipped := min(r.at%8, n)
	return next >> skipped, n - skipped
}

// ones reads ones up to a zero, and the zero. It returns the number of ones, and reports false if the
// data ends before.
func (r *bitReader) ones() (count uint64, ok bool) {
	for {
		next, n := r.peek()
		ones := min(uint(bits.TrailingZeros64(^next)), n)
		count += uint64(ones)
		if n == 0 {
			return count, false
		}
		if ones < n {
			r.at += ones + 1
			return count, true
		}
		r.at += n
	}
}

// read reads a number of n bits, which is at most 64. It reports false if the data ends before.
func (r *bitReader) read(n uint) (value uint64, ok bool) {
	for done := uint(0); done < n; {
		next, got := r.peek()
		got = min(got, n-done)
		if got == 0 {
			return 0, false
		}
		value |= next & (1<<got - 1) << done
		done += got
		r.at += got
	}
	return value, true
}
