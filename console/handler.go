package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
)

// handler serves a site from memory, compressed if the client accepts it.
type handler struct {
	policy policy
	files  map[string]file
}

// file is a file with what its response needs.
type file struct {
	contentType string
	etag        string
	content     []byte
	gzipped     []byte
	gzippedETag string
}

// NewHandler returns a handler that serves a site of [Build] from memory, at the root of its URL paths.
// Each response has a Content-Security-Policy, which allows the page only its own files and the two APIs,
// and other headers that protect the page. The contents of the site must not change afterwards. It
// returns the error of [Site.Addresses].
func NewHandler(site Site) (http.Handler, error) {
	_, policy, err := site.config()
	if err != nil {
		return nil, err
	}
	h := &handler{policy, make(map[string]file, len(site))}
	for name, content := range site {
		if h.files[name], err = newFile(name, content); err != nil {
			return nil, err
		}
	}
	return h, nil
}

func newFile(name string, content []byte) (file, error) {
	gzipped, err := compress(content)
	if err != nil {
		return file{}, err
	}
	sum := sha256.Sum256(content)
	tag := hex.EncodeToString(sum[:16])
	return file{
		contentType: contentType(name),
		content:     content,
		etag:        `"` + tag + `"`,
		gzipped:     gzipped,
		gzippedETag: `"` + tag + `-gzip"`,
	}, nil
}

func compress(content []byte) ([]byte, error) {
	var buffer bytes.Buffer
	writer, err := gzip.NewWriterLevel(&buffer, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := writer.Write(content); err != nil {
		return nil, err
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	return buffer.Bytes(), nil
}

// contentType does not ask the system, whose tables differ.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".json":
		return "application/json"
	case ".svg":
		return "image/svg+xml"
	case ".wasm":
		return "application/wasm"
	default:
		return "application/octet-stream"
	}
}

// ServeHTTP serves a file. Browsers ask each time whether it has changed.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.secure(w.Header())
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	found, ok := h.files[name]
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	case !ok:
		http.Error(w, "not found", http.StatusNotFound)
	default:
		found.serve(w, r)
	}
}

func (f file) serve(w http.ResponseWriter, r *http.Request) {
	content, etag := f.content, f.etag
	if acceptsGzip(r) {
		content, etag = f.gzipped, f.gzippedETag
	}
	header := w.Header()
	header.Set("Content-Type", f.contentType)
	header.Set("Vary", "Accept-Encoding")
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", etag)
	if r.Header.Get("If-None-Match") == etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if etag == f.gzippedETag {
		header.Set("Content-Encoding", "gzip")
	}
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(content) // the client has gone
}

// acceptsGzip reports whether the client names gzip without a weight, as all browsers do.
func acceptsGzip(r *http.Request) bool {
	for _, coding := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		if strings.TrimSpace(coding) == "gzip" {
			return true
		}
	}
	return false
}

// secure sets the headers that protect the page.
func (h *handler) secure(header http.Header) {
	header.Set("Content-Security-Policy", h.policy.forHeader())
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
}
