package limit

import (
	"errors"
	"io"
)

// The size of the first buffer for a body. Later ones are twice as large, so that a body
// that does not arrive takes little memory.
const (
	firstBuffer        = 64 << 10
	firstUnknownBuffer = 4 << 10 // if the length of the body is unknown
)

// Body is the body of a request. Its memory counts until [Body.Release].
type Body struct {
	bodies *bound[string]
	caller string
	held   int64
}

// NewBody returns the body of a request of a caller.
func (l *Load) NewBody(caller string) *Body { return &Body{bodies: l.bodies, caller: caller} }

// Release gives back the memory.
func (b *Body) Release() { b.bodies.giveBack(b.caller, b.held) }

// Read reads to the end. The length is that which the client has announced, or negative. The
// reader must fail after maximum bytes. Read returns its error, or an [*Error] if the body
// exceeds a limit of the [Load].
func (b *Body) Read(from io.Reader, length, maximum int64) ([]byte, error) {
	size := min(length, firstBuffer)
	if length < 0 {
		size = min(firstUnknownBuffer, maximum)
	}
	if err := b.hold(size); err != nil {
		return nil, err
	}
	// A buffer has room for one byte more, because the end may need a read of its own.
	body := make([]byte, 0, size+1)
	for {
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			return nil, err
		case len(body) < cap(body):
			continue
		}
		larger := min(max(2*size, firstUnknownBuffer), maximum)
		if size < length {
			larger = min(larger, length)
		}
		if err := b.hold(larger - size); err != nil {
			return nil, err
		}
		size = larger
		body = append(make([]byte, 0, size+1), body...)
	}
}

// hold takes bytes from what the limits allow.
func (b *Body) hold(bytes int64) error {
	err := b.bodies.take(b.caller, bytes)
	if err == nil {
		b.held += bytes
	}
	return err
}
