package hotlist

import (
	"io"
	"iter"
)

// partSize is the number of bytes of a response that are written together, at least.
const partSize = 32 << 10

// Response is the body of a response, in JSON.
//
// It holds no list. Each part is made from what is published when it is written, so slow clients keep nothing
// in memory that was replaced. The data may have changes that were published since the call, or not. The next
// difference has all of them, because the time stamp in the data is that of the call.
//
// The zero Response has no data.
type Response struct {
	// Version identifies the lists at the time of the call: their store and their time stamp. A client
	// that has the response to the same request with the same Version needs no other.
	Version string

	hotlist *Hotlist
	begun   state
	// sections returns the sections, in order.
	sections func() []section
}

// section is a text, and the elements of a JSON array after it.
type section struct {
	text string
	// elements is nil if there are none.
	elements filler
}

// filler adds elements to a part until it is full, and reports whether there are more. The next call
// continues, even with another state.
type filler interface {
	fill(p *published, part []byte) (filled []byte, more bool, err error)
}

// newResponse returns a response that is based on a state.
func (h *Hotlist) newResponse(begun state, sections func() []section) Response {
	return Response{Version: begun.version(), hotlist: h, begun: begun, sections: sections}
}

// WriteTo writes the data in parts of 32 KiB. It can be called more than once.
//
// The error is that of w. It is [ErrTooOld] if the data cannot be completed, because the store was replaced
// or the history has moved on. The client must then repeat the request.
func (r Response) WriteTo(w io.Writer) (written int64, err error) {
	var part []byte
	flush := func() error {
		n, err := w.Write(part)
		written, part = written+int64(n), part[:0]
		return err
	}
	if r.sections == nil {
		return 0, nil
	}
	for _, s := range r.sections() {
		part = append(part, s.text...)
		for more := s.elements != nil; more; {
			if part, more, err = r.fill(s.elements, part); err != nil {
				return written, err
			}
			if len(part) < partSize {
				continue
			}
			if err := flush(); err != nil {
				return written, err
			}
		}
	}
	return written, flush()
}

// fill adds elements to a part. It keeps no reference to what is published.
func (r Response) fill(elements filler, part []byte) (filled []byte, more bool, err error) {
	p := r.hotlist.published.Load()
	if p.store != r.begun.store || p.position < r.begun.position {
		return part, false, ErrTooOld
	}
	return elements.fill(p, part)
}

// walk walks through a sorted list that can be replaced meanwhile.
type walk[T any] struct {
	// after yields the elements after one that is not necessarily there.
	after func(p *published, last T) iter.Seq[T]
	// add adds an element to a part, or nothing.
	add func(part []byte, one T) []byte
	// valid, unless nil, reports whether the list has everything after an element.
	valid func(p *published, last T) bool

	// last is the element after which the walk continues.
	last T
	// added says that a comma is needed.
	added bool
}

// fill implements filler.
func (w *walk[T]) fill(p *published, part []byte) (filled []byte, more bool, err error) {
	if w.valid != nil && !w.valid(p, w.last) {
		return part, false, ErrTooOld
	}
	for one := range w.after(p, w.last) {
		if len(part) >= partSize {
			return part, true, nil
		}
		w.last = one
		before := len(part)
		if w.added {
			part = append(part, ',')
		}
		element := len(part)
		if part = w.add(part, one); len(part) == element {
			part = part[:before]
		} else {
			w.added = true
		}
	}
	return part, false, nil
}
