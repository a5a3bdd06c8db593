package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
)

// The limits of what a Client reads.
const (
	// MaxBody is the maximum size of a response that is not a stream, in bytes.
	MaxBody = 64 << 20
	// MaxItem is the maximum size of an item in a stream, in bytes.
	MaxItem = 256 << 10
	// maxErrorBody is the maximum size of the body of an error.
	maxErrorBody = 256 << 10
	// maxAct is the maximum size of a response that a request became an act.
	maxAct = 8 << 20
)

// validator is a response that knows whether it is what the operation returns.
type validator interface {
	validate() error
}

// item is a pointer to a response.
type item[T any] interface {
	*T
	validator
}

// receiveJSON returns a function that reads a response into a value.
func receiveJSON(into validator) func(*response) error { return receiveUpTo(MaxBody, into) }

// receiveUpTo returns a function that reads a response of a limited size into a value.
func receiveUpTo(limit int64, into validator) func(*response) error {
	return func(r *response) error {
		defer r.body.Close() //nolint:errcheck // it is only read
		if !isMediaType(r.header, "application/json") {
			return responseError("unexpected media type")
		}
		text, err := readAll(r.body, limit)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(text, into); err != nil {
			return decodingError(err)
		}
		return into.validate()
	}
}

// fetch sends a call and returns its response. begin returns the value into which a response is decoded,
// anew for each attempt, as a failed one may have left something.
func fetch[T any, P item[T]](ctx context.Context, s *sender, call call, begin func(*response) T) (T, error) {
	var answer, none T
	call.receive = func(r *response) error {
		answer = begin(r)
		return receiveJSON(P(&answer))(r)
	}
	if err := s.send(ctx, call); err != nil {
		return none, err
	}
	return answer, nil
}

// isMediaType reports whether a response has the media type.
func isMediaType(header http.Header, want string) bool {
	got, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	return err == nil && got == want
}

// readAll reads a body. A body that is larger than the limit is an error.
func readAll(body io.Reader, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(body, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, responseError("it is too large")
	}
	return text, err
}

// responseError returns an error that matches [ErrResponse].
func responseError(message string) error {
	return fmt.Errorf("%w: %s", ErrResponse, message)
}

// decodingError returns the error for JSON text that cannot be decoded. What encoding/json says could
// quote the text.
func decodingError(err error) error {
	var (
		syntax   *json.SyntaxError
		mismatch *json.UnmarshalTypeError
	)
	switch {
	case errors.As(err, &mismatch):
		return responseError(fmt.Sprintf("wrong type of field %q", mismatch.Field))
	case errors.As(err, &syntax), errors.Is(err, io.EOF):
		return responseError("malformed JSON")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, ErrResponse):
		return err
	default:
		return responseError("invalid value")
	}
}
