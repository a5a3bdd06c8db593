package httpapi

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi/limit"
)

// maxBody is the maximum size of a request body in bytes, except for adding and checking
// batches.
const maxBody = 64 << 10

// readBody returns the body of a request, if it has at most maximum bytes.
func readBody(w *responseWriter, r *http.Request, maximum int64) (body []byte, err error) {
	err = receiveBody(w, r, maximum, func(from io.Reader) (err error) {
		body, err = w.place.ReadBody(from, r.ContentLength, maximum)
		return err
	})
	if err != nil {
		return nil, err
	}
	return body, nil
}

// receiveBody calls read for the body of a request, if there is one. The reader fails after maximum bytes,
// and if the client is too slow.
func receiveBody(w *responseWriter, r *http.Request, maximum int64, read func(io.Reader) error) error {
	if r.ContentLength > maximum {
		return apiError{status: http.StatusRequestEntityTooLarge}
	}
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	w.setBodyDeadline()
	unread := w.unread // with the first read, a client that expects the status 100 gets it
	w.unread = nil
	from := pacedReader{Reader: http.MaxBytesReader(w.ResponseWriter, r.Body, maximum), w: w.ResponseWriter, pace: w.pace}
	if err := read(&from); err != nil {
		err = bodyError(err)
		if !errors.Is(err, asset.ErrInvalid) {
			w.unread = unread
		}
		return err
	}
	from.end()
	w.info.Received = from.read
	return nil
}

// bodyError returns the error of the response for one of reading a body.
func bodyError(err error) error {
	var (
		exceeded *http.MaxBytesError
		refusal  *limit.Error
		file     *fs.PathError
	)
	switch {
	case errors.As(err, &exceeded):
		return apiError{status: http.StatusRequestEntityTooLarge}
	case errors.As(err, &refusal):
		return refusal
	case errors.As(err, &file):
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return asset.Issues{{Message: "the body is sent too slowly"}}.Err()
	default:
		return asset.Issues{{Message: "the body ends too early"}}.Err()
	}
}

// pacedReader reads a body from a client that must not be slow.
type pacedReader struct {
	io.Reader
	w    http.ResponseWriter
	pace limit.Pace
	// read is the number of bytes so far, and spent the time that they took.
	read  int64
	spent time.Duration
}

// Read implements [io.Reader].
func (r *pacedReader) Read(into []byte) (int, error) {
	began := time.Now()
	r.setDeadline(began.Add(r.pace.TimeFor(r.read+1, r.spent)))
	n, err := r.Reader.Read(into)
	r.read += int64(n)
	if err == nil { // else it is the last part
		r.spent += time.Since(began)
	}
	return n, err
}

// end removes the deadline, which would end the request while it is served.
func (r *pacedReader) end() { r.setDeadline(time.Time{}) }

func (r *pacedReader) setDeadline(at time.Time) {
	_ = http.NewResponseController(r.w).SetReadDeadline(at) // not all connections support it
}
