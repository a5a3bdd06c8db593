package limit

import (
	"errors"
	"io"
	"time"
)

// The size of the first buffer for a body. Later ones are twice as large, so that a body
// that does not arrive takes little memory.
const (
	firstBuffer        = 64 << 10
	firstUnknownBuffer = 4 << 10 // if the length of the body is unknown
)

// ReadBody reads the body of the request to its end. Its memory counts until [Place.Leave]. The length is
// that which the client has announced, or negative. The reader must fail after maximum bytes. ReadBody
// returns its error, or an [*Error] if the body exceeds a limit.
func (p *Place) ReadBody(from io.Reader, length, maximum int64) ([]byte, error) {
	size := min(length, firstBuffer)
	if length < 0 {
		size = min(firstUnknownBuffer, maximum)
	}
	if err := p.hold(size); err != nil {
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
		if err := p.hold(larger - size); err != nil {
			return nil, err
		}
		size = larger
		body = append(make([]byte, 0, size+1), body...)
	}
}

// hold takes memory for a body.
func (p *Place) hold(bytes int64) error {
	p.load.mu.Lock()
	defer p.load.mu.Unlock()
	return p.take(bodies, bytes)
}

// Pace is how slowly a client may send a body or read a response.
type Pace struct {
	// Timeout is the time that the client has for a part.
	Timeout time.Duration
	// MinRate is the number of bytes a second that it must send or accept on average, as soon as that
	// has taken longer than Timeout.
	MinRate int64
}

// TimeFor returns the time that the client has for the next part. total is the number of bytes
// with that part, and spent is the time that the parts before it have taken.
func (p Pace) TimeFor(total int64, spent time.Duration) time.Duration {
	// In seconds, because the rate may allow more time than a Duration can hold.
	timeout := p.Timeout.Seconds()
	whole := max(timeout, float64(total)/float64(p.MinRate))
	return time.Duration(min(timeout, whole-spent.Seconds()) * float64(time.Second))
}
