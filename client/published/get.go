package published

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/apguard/apguard/publish/manifest"
)

// Open requests a file of a manifest. The caller must close it. Reading it ends with [io.EOF] only if it is the file
// of the manifest, so callers must read to the end before they believe any of it. It never returns more bytes than
// the file has.
//
// The error, also that of reading, matches [ErrUnavailable] or [manifest.ErrFile], or is that of the context.
func (f *Folder) Open(ctx context.Context, file manifest.File) (io.ReadCloser, error) {
	address := f.url.ResolveReference(&url.URL{Path: "./" + file.Name})
	r, err := f.get(ctx, address, file.Name, limits{f.options.Timeout, minPace}, nil)
	if err == nil {
		err = r.requireOK()
	}
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{file.Reader(r), r}, nil
}

// errTooLarge reports a file that a client does not read.
var errTooLarge = errors.New("file is too large for this client")

// Read is [Folder.Open] for a whole file, which must not have more bytes than the limit.
func (f *Folder) Read(ctx context.Context, file manifest.File, limit int64) ([]byte, error) {
	if file.Size > limit {
		return nil, fmt.Errorf("%s: %w: it has %d bytes", file.Name, errTooLarge, file.Size)
	}
	r, err := f.Open(ctx, file)
	if err != nil {
		return nil, err
	}
	defer r.Close() //nolint:errcheck // it is only read
	return io.ReadAll(r)
}

// response is a response whose body must be closed.
type response struct {
	name   string
	status int
	etag   string
	body   io.ReadCloser
	stall  *stall
}

// get sends a request for the file with a name, which the errors have, and ends it at the limits. The error matches
// [ErrUnavailable] or is that of the context.
func (f *Folder) get(ctx context.Context, address *url.URL, name string, ends limits, header http.Header) (*response, error) {
	ctx, stall := newStall(ctx, ends)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), http.NoBody)
	if err != nil {
		defer stall.end()
		return nil, stall.failed(name, err)
	}
	for name, values := range header {
		request.Header[name] = values
	}
	answer, err := f.options.HTTPClient.Do(request) //nolint:bodyclose // the response closes it
	if err != nil {
		defer stall.end()
		return nil, stall.failed(name, err)
	}
	return &response{name, answer.StatusCode, answer.Header.Get("ETag"), answer.Body, stall}, nil
}

// requireOK closes the response and returns an error unless the status is 200.
func (r *response) requireOK() error {
	if r.status == http.StatusOK {
		return nil
	}
	_ = r.Close() // it is only read
	advice := "try again later"
	if r.status == http.StatusNotFound || r.status == http.StatusForbidden {
		advice = "check the URL of the manifest, and that all files are published"
	}
	return fmt.Errorf("%s: %w: the server answered with %d; %s", r.name, ErrUnavailable, r.status, advice)
}

// Read implements [io.Reader].
func (r *response) Read(p []byte) (int, error) {
	n, err := r.body.Read(p)
	if err != nil && err != io.EOF {
		return n, r.stall.failed(r.name, err)
	}
	r.stall.received(n)
	return n, err
}

// Close implements [io.Closer].
func (r *response) Close() error {
	r.stall.end()
	return r.body.Close()
}
