package httpapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/internal/wire"
)

// briefTime is how long a client may take to accept a response for which it has no place, and how long
// net/http waits for a body that is not needed.
const briefTime = time.Second

// partSize is the number of bytes of a response that are sent together.
const partSize = 32 << 10

// responseWriter writes the response to a request and keeps its RequestInfo.
type responseWriter struct {
	http.ResponseWriter
	request *http.Request
	info    RequestInfo
	// began is the start of RequestInfo.Duration.
	began time.Time
	pace  limit.Pace
	// place is what the request holds.
	place *limit.Place
	// challenge is the default challenge of a 401 response.
	challenge string
	// unread is the body of a request, over HTTP/1, until it is read or fails. It is nil if there is none.
	unread io.Reader
	// sending is the time that the parts have taken so far.
	sending time.Duration
	// complete is true after the last part.
	complete bool
}

// newResponseWriter sets the headers that every response has.
func newResponseWriter(rw http.ResponseWriter, r *http.Request, id string, opts Options) *responseWriter {
	w := &responseWriter{
		ResponseWriter: rw,
		request:        r,
		began:          time.Now(),
		pace:           limit.Pace{Timeout: opts.ClientTimeout, MinRate: opts.MinClientRate},
		challenge:      opts.Challenge,
	}
	if r.ProtoMajor < 2 && r.ContentLength != 0 { // middleware may have wrapped an empty body
		w.unread = r.Body
	}
	header, values := w.Header(), []string{id, "application/json", "nosniff", "no-store"} // in one allocation
	header[requestIDHeader] = values[0:1:1]
	header[contentTypeHeader] = values[1:2:2]
	header["X-Content-Type-Options"] = values[2:3:3]
	header["Cache-Control"] = values[3:4:4]
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
// body: over HTTP/1, the status 100 for a client that expects it.
func (w *responseWriter) setBodyDeadline() {
	if w.request.ProtoMajor < 2 && len(w.request.Header[expectHeader]) > 0 {
		_ = w.setDeadline(time.Now().Add(w.pace.Timeout)) // not all writers support it
	}
}

// setDeadline sets the deadline for the next write.
func (w *responseWriter) setDeadline(at time.Time) error {
	return http.NewResponseController(w.ResponseWriter).SetWriteDeadline(at)
}

// beBrief makes the response end soon, and the connection with it, because nothing counts them.
func (w *responseWriter) beBrief() {
	w.pace.Timeout = min(w.pace.Timeout, briefTime)
	if w.request.ProtoMajor < 2 { // else it would end all requests of the connection
		w.Header().Set("Connection", "close")
	}
}

// WriteHeader implements [http.ResponseWriter].
func (w *responseWriter) WriteHeader(status int) {
	w.info.Status = status
	if w.unread != nil { // net/http waits for the body, before the response or after it
		w.Header().Set("Connection", "close")
		_ = http.NewResponseController(w.ResponseWriter).SetReadDeadline(time.Now().Add(briefTime)) // not all connections support it
	}
	w.ResponseWriter.WriteHeader(status)
}

// recordError records an error that the response does not include.
func (w *responseWriter) recordError(err error) {
	w.info.Err = errors.Join(w.info.Err, err)
}

// writeJSON answers with 200 and a body. If it returns an error, it has written
// nothing. A client that does not accept the response is not an error.
func (w *responseWriter) writeJSON(body any) error { return w.writeJSONWith(http.StatusOK, body) }

// writeJSONWith is writeJSON with another status.
func (w *responseWriter) writeJSONWith(status int, body any) error {
	var text parts
	if err := json.MarshalWrite(&text, body); err != nil {
		return fmt.Errorf("encode response: %w", err)
	}
	w.writeParts(status, text)
	return nil
}

// parts is a text in parts of partSize bytes. A text of megabytes in one slice takes several times its size
// while the slice grows.
type parts struct {
	full [][]byte
	// last is the part that is not full.
	last []byte
	size int
}

// Write implements [io.Writer]. It never fails.
func (p *parts) Write(text []byte) (int, error) {
	p.size += len(text)
	for rest := text; len(rest) > 0; {
		switch {
		case len(p.last) == partSize:
			p.full, p.last = append(p.full, p.last), make([]byte, 0, partSize)
		case len(p.last) == cap(p.last):
			p.last = append(make([]byte, 0, min(max(2*len(p.last), len(rest)), partSize)), p.last...)
		}
		n := min(len(rest), cap(p.last)-len(p.last))
		p.last, rest = append(p.last, rest[:n]...), rest[n:]
	}
	return len(text), nil
}

// partsOf returns a text in parts, which share its memory.
func partsOf(text []byte) parts {
	p := parts{size: len(text)}
	for len(text) > partSize {
		p.full, text = append(p.full, text[:partSize]), text[partSize:]
	}
	p.last = text
	return p
}

// writeError answers with an error, whose body the given function returns, or [standardBody] if
// it is nil.
func (w *responseWriter) writeError(answer apiError, body func(apiError) any) {
	if body == nil {
		body = standardBody
	}
	text, _ := json.Marshal(body(answer)) // fails on invalid UTF-8 only, which no error has
	if answer.status == http.StatusUnauthorized && w.Header().Get("WWW-Authenticate") == "" {
		w.Header().Set("WWW-Authenticate", w.challenge) // RFC 9110, section 15.5.2, requires a challenge
	}
	if answer.limit != nil {
		w.info.Limit = answer.limit.Policy
	}
	if answer.status == http.StatusTooManyRequests && answer.limit != nil {
		setRateHeaders(w.Header(), answer.limit)
	}
	if answer.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.FormatInt(wholeSeconds(answer.retryAfter), 10))
	}
	w.write(answer.status, text)
}

// wholeSeconds rounds up to seconds.
func wholeSeconds(d time.Duration) int64 {
	whole := int64(d / time.Second)
	if d%time.Second > 0 {
		whole++
	}
	return whole
}

// write sends a complete response, unless the client stops reading.
func (w *responseWriter) write(status int, text []byte) {
	w.writeParts(status, partsOf(text))
}

// writeParts is write for a text in parts. The request is costly only until the last part: a client that has it
// can send the next request before this one returns, and that must not count as one more.
func (w *responseWriter) writeParts(status int, text parts) {
	w.Header().Set("Content-Length", strconv.Itoa(text.size))
	w.WriteHeader(status)
	for i, part := range text.full {
		if w.send(part) != nil {
			return
		}
		text.full[i] = nil // a client that leaves the last part unread holds no more than that
	}
	w.place.Finish()
	w.complete = len(text.last) == 0 || w.send(text.last) == nil
}

// notModified answers a conditional request whose condition is false.
func (w *responseWriter) notModified() {
	w.Header().Del("Content-Type")
	w.writeHead(http.StatusNotModified)
}

// writeHead sends a response without a body.
func (w *responseWriter) writeHead(status int) {
	_ = w.setDeadline(time.Now().Add(w.pace.Timeout)) // not all writers support it
	w.WriteHeader(status)
	w.complete = true
}

// send writes a part of a response and flushes it. It returns an error if the
// connection fails or the client does not accept the part in time. The deadline of
// the last part remains, because net/http writes the end of a stream after it;
// net/http removes it before the next request on the connection.
func (w *responseWriter) send(part []byte) error {
	began := time.Now()
	if err := w.setDeadline(began.Add(w.pace.TimeFor(w.info.Sent+int64(len(part)), w.sending))); err != nil && !errors.Is(err, http.ErrNotSupported) {
		w.info.ClientGone = true
		return err
	}
	n, err := w.Write(part) //nolint:gosec // no response is HTML, and browsers must not guess its type
	if w.request.Method != http.MethodHead {
		w.info.Sent += int64(n)
	}
	if err == nil {
		if err = http.NewResponseController(w.ResponseWriter).Flush(); errors.Is(err, http.ErrNotSupported) {
			err = nil
		}
	}
	w.sending += time.Since(began)
	w.info.ClientGone = err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
	return err
}

// timestamp formats t for a response: RFC 3339 in UTC with milliseconds.
func timestamp(t time.Time) string {
	return string(wire.AppendTime(nil, t))
}

// mapped returns the responses for the elements of a list. It never returns nil, which would be null.
func mapped[T, Response any](list []T, form func(T) Response) []Response {
	responses := make([]Response, len(list))
	for i, one := range list {
		responses[i] = form(one)
	}
	return responses
}

// known returns a pointer to v, or nil if v is zero.
func known[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func knownTime(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := timestamp(t)
	return &text
}
