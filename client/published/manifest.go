package published

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/apguard/apguard/publish/manifest"
)

// Manifest is a manifest that a [Folder] has accepted.
type Manifest struct {
	manifest.Manifest
	// AsOf is its time by the clock of the client, which is never later than the request: every change that was
	// committed before it is in the files.
	AsOf time.Time
}

// Manifest requests the manifest and verifies it. If the server says that it has not changed, it is the last one. Calls
// wait for each other, so that none takes an answer for older than it is.
//
// The error matches [ErrUnavailable], is that of [manifest.Open] or of [manifest.Manifest.Refusal], or is that of the
// context.
func (f *Folder) Manifest(ctx context.Context) (Manifest, error) {
	select {
	case <-ctx.Done():
		return Manifest{}, ctx.Err()
	case <-f.turn:
		defer func() { f.turn <- struct{}{} }()
	}
	began := f.options.Now()
	m, etag, err := f.request(ctx)
	if err != nil {
		return Manifest{}, err
	}
	if err := m.Refusal(f.last, began, f.options.MaxAge); err != nil {
		return Manifest{}, err
	}
	f.last, f.etag = m, etag
	return Manifest{m, began.Add(-max(0, began.Sub(m.Time)))}, nil
}

// request returns the manifest that the server has, and its ETag.
func (f *Folder) request(ctx context.Context) (manifest.Manifest, string, error) {
	header := http.Header{"Cache-Control": {"no-cache"}}
	if f.etag != "" {
		header.Set("If-None-Match", f.etag)
	}
	r, err := f.get(ctx, f.url, "manifest", limits{timeout: f.options.Timeout}, header)
	if err != nil {
		return manifest.Manifest{}, "", err
	}
	defer r.Close() //nolint:errcheck // it is only read
	if r.status == http.StatusNotModified && f.etag != "" {
		return f.last, f.etag, nil
	}
	if err := r.requireOK(); err != nil {
		return manifest.Manifest{}, "", err
	}
	data, err := io.ReadAll(io.LimitReader(r, manifest.MaxSize+1))
	if err != nil {
		return manifest.Manifest{}, "", err
	}
	m, err := manifest.Open(data, f.verifiers)
	return m, r.etag, err
}
