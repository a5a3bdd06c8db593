// Package saved writes and reads the numbers and texts of a copy that a view saves. A number is 8 bytes in big-endian
// order, and a text is its length and its bytes.
package saved

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// ErrDamaged reports that the data are not a saved copy.
var ErrDamaged = errors.New("the copy is damaged")

// maxText is the maximum length of a text, and the size of buffers.
const maxText = 64 << 10

// Writer writes a copy. [Writer.Flush] returns the first error.
type Writer struct{ out *bufio.Writer }

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) Writer { return Writer{bufio.NewWriterSize(w, maxText)} }

// Bytes writes data without their length.
func (w Writer) Bytes(data []byte) { _, _ = w.out.Write(data) }

// Number writes a number.
func (w Writer) Number(n uint64) { w.Bytes(binary.BigEndian.AppendUint64(w.out.AvailableBuffer(), n)) }

// Text writes a text of at most 64 KiB.
func (w Writer) Text(text string) {
	w.Number(uint64(len(text)))
	_, _ = w.out.WriteString(text)
}

// Flush writes what is left.
func (w Writer) Flush() error { return w.out.Flush() }

// Reader reads a copy. After an error, it returns zero values.
type Reader struct {
	from *bufio.Reader
	err  error
}

// NewReader returns a Reader of r.
func NewReader(r io.Reader) *Reader { return &Reader{from: bufio.NewReaderSize(r, maxText)} }

// Err returns the error, which matches [ErrDamaged], or nil.
func (r *Reader) Err() error { return r.err }

// Fail makes [ErrDamaged] the error, unless there is one.
func (r *Reader) Fail() {
	if r.err == nil {
		r.err = ErrDamaged
	}
}

// Bytes fills data.
func (r *Reader) Bytes(data []byte) {
	if r.err == nil {
		if _, err := io.ReadFull(r.from, data); err != nil {
			r.err = fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
	if r.err != nil {
		clear(data)
	}
}

// Number reads a number.
func (r *Reader) Number() uint64 {
	var data [8]byte
	r.Bytes(data[:])
	return binary.BigEndian.Uint64(data[:])
}

// Text reads a text.
func (r *Reader) Text() string {
	n := r.Number()
	if n > maxText {
		r.Fail()
		return ""
	}
	text := make([]byte, n)
	r.Bytes(text)
	return string(text)
}

// End requires that the data end here, and returns the error.
func (r *Reader) End() error {
	if _, err := r.from.Peek(1); !errors.Is(err, io.EOF) {
		r.Fail()
	}
	return r.err
}
