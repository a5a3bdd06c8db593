package httpapi

import (
	"errors"
	"net/http"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi/limit"
)

// maxBody is the maximum size of a request body in bytes, except for adding and checking
// batches.
const maxBody = 64 << 10

// readBody returns the body of a request, if it has at most maximum bytes. The caller must
// release into.
func readBody(w *responseWriter, r *http.Request, into *limit.Body, maximum int64) ([]byte, error) {
	if r.ContentLength > maximum {
		return nil, apiError{status: http.StatusRequestEntityTooLarge}
	}
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	w.setBodyDeadline()
	unread := r.Body // with the first read, a client that expects the status 100 gets it
	w.unread = nil
	body, err := into.Read(http.MaxBytesReader(w.ResponseWriter, r.Body, maximum), r.ContentLength, maximum)
	if err != nil {
		err = bodyError(err)
		if !errors.Is(err, asset.ErrInvalid) && r.ProtoMajor < 2 {
			w.unread = unread
		}
		return nil, err
	}
	w.info.Received = int64(len(body))
	return body, nil
}

// bodyError returns the error of the response for one of reading a body.
func bodyError(err error) error {
	var (
		exceeded *http.MaxBytesError
		refusal  *limit.Error
	)
	switch {
	case errors.As(err, &exceeded):
		return apiError{status: http.StatusRequestEntityTooLarge}
	case errors.As(err, &refusal):
		return refusal
	default:
		return asset.Issues{{Message: "the body ends too early"}}.Err()
	}
}
