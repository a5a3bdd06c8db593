package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
)

// partSize is the number of bytes of a response that are sent together.
const partSize = 32 << 10

// responseWriter writes the response to a request and keeps its RequestInfo.
type responseWriter struct {
	http.ResponseWriter
	request *http.Request
	info    RequestInfo
	began   time.Time
	// timeout is the time that the client has to accept a part.
	timeout time.Duration
	// complete is true after the last part, and timedOut if the client did not accept
	// a part in time.
	complete, timedOut bool
}

// newResponseWriter sets the headers that every response has.
func newResponseWriter(rw http.ResponseWriter, r *http.Request, timeout time.Duration) *responseWriter {
	w := &responseWriter{ResponseWriter: rw, request: r, timeout: timeout, began: time.Now()}
	header := w.Header()
	header.Set(requestIDHeader, RequestID(r.Context()))
	header.Set("Content-Type", "application/json")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	w.clearDeadline()
	return w
}

// clearDeadline removes the deadline while there is nothing to send. Over HTTP/2, a
// deadline ends the stream even if nothing is being written, and the time that the
// service takes must not count against the client.
func (w *responseWriter) clearDeadline() {
	if w.request.ProtoMajor >= 2 {
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Time{}) // not all writers support it
	}
}

// setBodyDeadline sets the deadline for what net/http writes before it reads the
// body: over HTTP/1, the status 100.
func (w *responseWriter) setBodyDeadline() {
	if w.request.ProtoMajor < 2 {
		_ = w.setDeadline() // not all writers support it
	}
}

// setDeadline sets the deadline for the next write.
func (w *responseWriter) setDeadline() error {
	return http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.timeout))
}

// WriteHeader implements [http.ResponseWriter].
func (w *responseWriter) WriteHeader(status int) {
	w.info.Status = status
	w.ResponseWriter.WriteHeader(status)
}

// recordError records an error that the response does not include. If the client is
// gone, that is the likely cause of the error and is recorded instead.
func (w *responseWriter) recordError(err error) {
	if clientGone(w.request) {
		w.info.ClientGone = true
		return
	}
	w.info.Err = errors.Join(w.info.Err, err)
}

// writeJSON answers with 200 and a body. If it returns an error, it has written
// nothing. A client that does not accept the response is not an error.
func (w *responseWriter) writeJSON(body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode response: %w", err)
	}
	w.write(http.StatusOK, text)
	return nil
}

// writeError answers with an error, whose body the given function returns.
func (w *responseWriter) writeError(answer apiError, body func(apiError) any) {
	text, _ := json.Marshal(body(answer)) // fails on invalid UTF-8 only, which no error has
	if answer.status == http.StatusUnauthorized && w.Header().Get("WWW-Authenticate") == "" {
		w.Header().Set("WWW-Authenticate", "ApiKey") // RFC 9110, section 15.5.2, requires a challenge
	}
	w.write(answer.status, text)
}

// write sends a complete response, unless the client stops reading.
func (w *responseWriter) write(status int, text []byte) {
	w.info.ClientGone = w.info.ClientGone || clientGone(w.request)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	for part := range slices.Chunk(text, partSize) {
		if w.send(part) != nil {
			return
		}
	}
	w.complete = true
}

// send writes a part of a response and flushes it. It returns an error if the
// connection fails or the client does not accept the part in time. The deadline of
// the last part remains, because net/http writes the end of a stream after it;
// net/http removes it before the next request on the connection.
func (w *responseWriter) send(part []byte) error {
	if err := w.setDeadline(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	n, err := w.Write(part)
	if w.request.Method != http.MethodHead {
		w.info.Sent += int64(n)
	}
	if err == nil {
		if err = http.NewResponseController(w.ResponseWriter).Flush(); errors.Is(err, http.ErrNotSupported) {
			return nil
		}
	}
	w.timedOut = errors.Is(err, os.ErrDeadlineExceeded)
	return err
}

// clientGone reports whether the request was canceled, which net/http does when
// the client leaves.
func clientGone(r *http.Request) bool {
	return errors.Is(r.Context().Err(), context.Canceled)
}

// timestamp formats t for a response: RFC 3339 in UTC with milliseconds.
func timestamp(t time.Time) string {
	return t.UTC().Format(timestampLayout)
}

const timestampLayout = "2006-01-02T15:04:05.000Z"
