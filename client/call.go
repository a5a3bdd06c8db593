package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
)

// call is a request for an operation.
type call struct {
	method, path string
	query        url.Values
	header       http.Header
	// body is nil for a GET request, and for one with a file.
	body []byte
	file *file
	// key is the idempotency key of a request that changes something, unless once is true.
	key string
	// once says that the request changes something and has no key, so that it must not be sent again if it may
	// have been executed.
	once bool
	// wait is how long the server may wait before it answers.
	wait time.Duration
	// receive reads a response with the status 200. It takes the response over, also if it fails.
	receive func(*response) error
}

// response is a response with the status 200.
type response struct {
	header http.Header
	// body is not nil.
	body io.ReadCloser
	// failed returns the error of the call for one of the body.
	failed func(error) *Error
	// endless reports whether nothing tells an end of the body from a connection that has broken.
	endless bool
}

func get(path string, query url.Values) call {
	return call{method: http.MethodGet, path: path, query: query}
}

// post returns a call with a JSON body.
func post(path string, body any) (call, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // it would make links longer than the server permits
	err := encoder.Encode(body)
	return call{method: http.MethodPost, path: path, body: text.Bytes()}, err
}

// write returns a call with a JSON body that changes something.
func write(path, key string, body any) (call, error) {
	made, err := post(path, body)
	if made.key = key; key == "" {
		made.key = rand.Text()
	}
	return made, err
}

// writeOnce returns a call with a JSON body that changes something and takes no idempotency key.
func writeOnce(path string, body any) (call, error) {
	made, err := post(path, body)
	made.once = true
	return made, err
}

// send sends a call until it succeeds or must not be sent again. The error is an [*Error].
func (s *sender) send(ctx context.Context, call call) error {
	began := time.Now()
	mayHaveRun := false
	for attempt := 0; ; attempt++ {
		failure := s.attempt(ctx, call)
		if failure == nil {
			return nil
		}
		if call.key != "" || call.once {
			mayHaveRun = failure.mayHaveRun() || mayHaveRun && !failure.decides()
			failure.IdempotencyKey, failure.OutcomeUnknown = call.key, mayHaveRun
		}
		delay, again := s.retry.delay(failure, attempt)
		if !again || call.once && mayHaveRun || !call.file.repeatable() || ctx.Err() != nil || !s.retry.permits(ctx, began, delay) {
			return failure
		}
		if err := s.sleep(ctx, delay); err != nil {
			failure.Err = errors.Join(failure.Err, err)
			return failure
		}
	}
}

// attempt sends a call once.
func (s *sender) attempt(parent context.Context, call call) *Error {
	failure := &Error{Operation: call.method + " " + call.path}
	if failure.Err = parent.Err(); failure.Err != nil {
		return failure
	}
	limit := s.timeout
	if call.file == nil { // whose end begins the wait
		limit += call.wait
	}
	ctx, watch := newWatch(parent, limit)
	request, err := s.newRequest(ctx, call, watch)
	if err != nil {
		watch.stop()
		failure.Err = err
		return failure
	}
	reply, err := s.http.Do(request) //nolint:bodyclose // those who read it close it
	if err != nil {
		watch.stop()
		failure.breakOff(parent, watch, err)
		if unread := call.file.err(); unread != nil { // so the server has not received it all
			failure.Err, failure.broken, failure.sent = unread, false, false
		}
		return failure
	}
	if request.Body != nil {
		_ = request.Body.Close() // an early response does not need the rest
	}
	watch.pause(s.timeout)
	failure.Status, failure.RequestID = reply.StatusCode, reply.Header.Get("X-Request-Id")
	body := watchedBody{reply.Body, watch}
	if reply.StatusCode != http.StatusOK && reply.StatusCode != http.StatusAccepted {
		failure.read(reply.Header, body)
		return failure
	}
	received := newResponse(reply, body)
	received.failed = func(err error) *Error {
		failure.breakOff(parent, watch, err)
		return failure
	}
	if reply.StatusCode == http.StatusAccepted {
		var act pendingAct
		if err := receiveUpTo(maxAct, &act)(received); err != nil {
			return received.failed(err)
		}
		failure.Act, failure.Message = act.Pending, asset.ErrPending.Error()
		return failure
	}
	if err := call.receive(received); err != nil {
		return received.failed(err)
	}
	return nil
}

// newRequest returns the HTTP request of a call.
func (s *sender) newRequest(ctx context.Context, call call, watch *watch) (*http.Request, error) {
	target := s.base.JoinPath(call.path)
	target.RawQuery = call.query.Encode()
	var (
		body      io.Reader
		mediaType string
	)
	switch {
	case call.body != nil:
		body, mediaType = bytes.NewReader(call.body), "application/json"
	case call.file != nil:
		opened, err := call.file.open(watch, s.timeout, call.wait)
		if err != nil {
			return nil, err
		}
		body, mediaType = opened, "text/plain"
	}
	request, err := http.NewRequestWithContext(ctx, call.method, target.String(), body)
	if err != nil {
		return nil, err
	}
	for name, values := range call.header {
		request.Header[name] = values
	}
	if body != nil && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", mediaType)
	}
	if call.key != "" {
		request.Header.Set("Idempotency-Key", call.key)
	}
	s.authorize(request.Header)
	return request, nil
}

// newResponse returns the response of a reply with the status 200.
func newResponse(reply *http.Response, body io.ReadCloser) *response {
	chunked := len(reply.TransferEncoding) > 0 || reply.Uncompressed
	return &response{
		header:  reply.Header,
		body:    body,
		endless: reply.ProtoMajor < 2 && reply.ContentLength < 0 && !chunked,
	}
}

// breakOff records an error of the connection, the context or the response.
func (e *Error) breakOff(ctx context.Context, watch *watch, err error) {
	if wrapped := new(url.Error); errors.As(err, &wrapped) {
		err = wrapped.Err // without the URL
	}
	var connection *net.OpError
	e.sent = !errors.As(err, &connection) || connection.Op != "dial"
	switch {
	case ctx.Err() != nil:
		e.Err = ctx.Err()
	case watch.expired():
		e.Err, e.broken = errSilent, true
	default:
		e.Err, e.broken = err, !errors.Is(err, ErrResponse)
	}
}

// read reads a response with another status than 200.
func (e *Error) read(header http.Header, body io.ReadCloser) {
	defer body.Close() //nolint:errcheck // it is only read
	if seconds, err := strconv.ParseUint(header.Get("Retry-After"), 10, 31); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	var answer struct {
		errorBody
		// Error is the body of the operations that change an allowlist.
		Error errorBody `json:"error"`
	}
	text, err := readAll(body, maxErrorBody)
	if err == nil && isMediaType(header, "application/json") {
		err = json.Unmarshal(text, &answer)
	}
	if err != nil {
		answer.errorBody, answer.Error = errorBody{}, errorBody{} // a proxy may have answered
	}
	if answer.Code == "" {
		answer.errorBody = answer.Error
	}
	e.Code, e.Message, e.Issues = answer.Code, answer.Message, answer.Issues
	switch {
	case e.Status >= 300 && e.Status < 400 && e.Status != http.StatusNotModified:
		e.Err = responseError("redirects are not followed")
	case e.Status < 300:
		e.Err, e.sent = responseError("unexpected status"), true
	case e.Message == "":
		e.Message = http.StatusText(e.Status)
	}
}

type errorBody struct {
	Code    string  `json:"code"`
	Message string  `json:"message"`
	Issues  []Issue `json:"issues"`
}
