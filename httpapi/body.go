package httpapi

import (
	"errors"
	"io"
	"net/http"

	"github.com/apguard/apguard/asset"
)

// maxBody is the maximum size of a request body in bytes, except for adding and checking
// batches.
const maxBody = 64 << 10

// The size of the first buffer for a body. Later ones are twice as large, so that a body
// that does not arrive takes little memory.
const (
	firstBuffer        = 64 << 10
	firstUnknownBuffer = 4 << 10 // if the length of the body is unknown
)

// bodyReader reads a request body. The memory that it uses counts against the budget of
// the caller until release.
type bodyReader struct {
	budget *bound[string]
	caller string
	// held is the number of bytes that it has taken from the budget.
	held int64
}

func (b *bodyReader) release() { b.budget.giveBack(b.caller, b.held) }

// read returns the body of a request, if it has at most limit bytes.
func (b *bodyReader) read(w *responseWriter, r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, apiError{status: http.StatusRequestEntityTooLarge}
	}
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	w.setBodyDeadline()
	body, err := b.readAll(http.MaxBytesReader(w.ResponseWriter, r.Body, limit), r.ContentLength, limit)
	if err != nil {
		return nil, bodyError(err)
	}
	w.info.Received = int64(len(body))
	return body, nil
}

// bodyError returns the error of the response for one of reading a body.
func bodyError(err error) error {
	var (
		exceeded *http.MaxBytesError
		noRoom   *LimitError
	)
	switch {
	case errors.As(err, &exceeded):
		return apiError{status: http.StatusRequestEntityTooLarge}
	case errors.As(err, &noRoom):
		return noRoom
	default:
		return asset.Issues{{Message: "the body ends too early"}}.Err()
	}
}

// readAll reads to the end. The length is negative if it is unknown. A buffer has room for
// one byte more than its size, because the end may need a read of its own.
func (b *bodyReader) readAll(from io.Reader, length, limit int64) ([]byte, error) {
	size := min(length, firstBuffer)
	if length < 0 {
		size = min(firstUnknownBuffer, limit)
	}
	if err := b.hold(size); err != nil {
		return nil, err
	}
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
		larger := min(max(2*size, firstUnknownBuffer), limit)
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

// hold takes bytes from the budget.
func (b *bodyReader) hold(bytes int64) error {
	if beyond := b.budget.take(b.caller, bytes); beyond != noExcess {
		return beyond.refusal(policyBodies, 0)
	}
	b.held += bytes
	return nil
}
