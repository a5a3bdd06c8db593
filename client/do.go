package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
)

// Request is a request for any operation of a server, such as one of the operators' API. The zero value is
// invalid.
type Request struct {
	// Method is GET or POST. Path is relative to the base URL, such as "/dispute/list".
	Method, Path string
	Query        url.Values
	// Body is nil for none. It is JSON if ContentType is empty.
	Body        []byte
	ContentType string
	// IdempotencyKey is the key of a request that changes something, for operations that take one.
	IdempotencyKey string
	// Repeatable says that the request can be executed twice. GET requests can, and those with an
	// IdempotencyKey. Others are not sent again if they may have been executed.
	Repeatable bool
}

// Response is a response with the status 200.
type Response struct {
	Header http.Header
	// Body must be closed. Its errors are of the type [*Error], except for [io.EOF].
	Body io.ReadCloser
}

// Do sends a request for an operation that has no method of its own, and repeats it as those do. The error is an
// [*Error].
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	sent := call{
		method: r.Method, path: r.Path, query: r.Query, body: r.Body, key: r.IdempotencyKey,
		once: r.Method != http.MethodGet && r.IdempotencyKey == "" && !r.Repeatable,
	}
	if r.ContentType != "" {
		sent.header = http.Header{"Content-Type": {r.ContentType}}
	}
	var opened *response
	sent.receive = func(r *response) error {
		opened = r
		return nil
	}
	if err := c.send(ctx, sent); err != nil {
		return nil, err
	}
	return &Response{opened.header, failingBody{opened}}, nil
}

// failingBody is the body of a response. It returns errors of the call.
type failingBody struct{ response *response }

// Read implements [io.Reader].
func (b failingBody) Read(p []byte) (int, error) {
	n, err := b.response.body.Read(p)
	if err != nil && err != io.EOF { //nolint:errorlint // it is not wrapped
		err = b.response.failed(err)
	}
	return n, err
}

// Close implements [io.Closer].
func (b failingBody) Close() error { return b.response.body.Close() }
