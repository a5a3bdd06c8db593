package httpapi_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/httpapi/limit"
)

func TestCheckContentType_Accepted(t *testing.T) {
	t.Parallel()
	for path, body := range posts {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			for _, contentType := range []string{
				"application/json", "application/json; charset=utf-8", "APPLICATION/JSON ;charset=\"UTF-8\"", "application/json;x=y",
			} {
				s := start(t)
				r := newPost(path, acmeKey, strings.NewReader(body))
				r.Header.Set("Content-Type", contentType)
				r.Header.Set("Content-Encoding", "Identity")
				got := s.do(r)
				require.Equal(t, http.StatusOK, got.Status, got.Body)
				require.Equal(t, "application/json", got.Header.Get("Content-Type"))
				require.Equal(t, "nosniff", got.Header.Get("X-Content-Type-Options"))
				require.Equal(t, "no-store", got.Header.Get("Cache-Control"))
			}
		})
	}
}

func TestCheckContentType_Refused(t *testing.T) {
	t.Parallel()
	s := start(t)
	for reason, header := range map[string]http.Header{
		"missing":             {},
		"empty":               {"Content-Type": {""}},
		"another type":        {"Content-Type": {"text/plain"}},
		"form":                {"Content-Type": {"application/x-www-form-urlencoded"}},
		"longer name":         {"Content-Type": {"application/jsonp"}},
		"suffix":              {"Content-Type": {"application/problem+json"}},
		"list":                {"Content-Type": {"application/json, text/plain"}},
		"malformed parameter": {"Content-Type": {"application/json; charset"}},
		"repeated parameter":  {"Content-Type": {"application/json; charset=utf-8; charset=utf-16"}},
		"repeated":            {"Content-Type": {"application/json", "application/json"}},
		"malformed":           {"Content-Type": {"/"}},
		"no-break space":      {"Content-Type": {"application\u00a0json"}},
	} {
		for path, body := range posts {
			r := newPost(path, acmeKey, strings.NewReader(body))
			r.Header.Del("Content-Type")
			for name, values := range header {
				r.Header[name] = values
			}
			got := s.do(r)
			require.Equal(t, http.StatusUnsupportedMediaType, got.Status, reason)
			requireError(t, got, path, http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/json")
		}
	}
	for _, encodings := range [][]string{{"gzip"}, {"br"}, {"identity", "gzip"}, {"identity, gzip"}} {
		for path, body := range posts {
			r := newPost(path, acmeKey, strings.NewReader(body))
			r.Header["Content-Encoding"] = encodings
			requireError(t, s.do(r), path, http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", "Content-Encoding must be identity")
		}
	}
}

func TestCheckContentType_CompressedBodies(t *testing.T) {
	t.Parallel()
	const inflated = 8 << 20
	bomb := `{"x":"` + strings.Repeat("a", inflated) + `"}`
	var zipped, deflated bytes.Buffer
	for _, to := range []func() (io.WriteCloser, error){
		func() (io.WriteCloser, error) { return gzip.NewWriterLevel(&zipped, gzip.BestSpeed) },
		func() (io.WriteCloser, error) { return flate.NewWriter(&deflated, flate.BestSpeed) },
	} {
		w, err := to()
		require.NoError(t, err)
		_, err = io.WriteString(w, bomb)
		require.NoError(t, err)
		require.NoError(t, w.Close())
	}
	require.Less(t, zipped.Len(), inflated/100)
	for reason, c := range map[string]struct {
		encoding string
		body     []byte
		status   int
	}{
		"gzip":                   {"gzip", zipped.Bytes(), 415},
		"x-gzip":                 {"x-gzip", zipped.Bytes(), 415},
		"gzip in upper case":     {"GZIP", zipped.Bytes(), 415},
		"deflate":                {"deflate", deflated.Bytes(), 415},
		"br":                     {"br", deflated.Bytes(), 415},
		"zstd":                   {"zstd", deflated.Bytes(), 415},
		"gzip without header":    {"", zipped.Bytes(), 400},
		"gzip as identity":       {"identity", zipped.Bytes(), 400},
		"deflate without header": {"", deflated.Bytes(), 400},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			e := serveLive(t)
			got := e.send(t, head(changelogPath, acmeKey)+"Connection: close\r\nContent-Encoding: "+c.encoding+
				"\r\nContent-Length: "+strconv.Itoa(len(c.body))+"\r\n\r\n"+string(c.body))
			require.Equal(t, []int{c.status}, got)
			e.requireNoFailures(t, 1)
			if c.status == http.StatusUnsupportedMediaType {
				require.Zero(t, e.observer.requests[0].Received, "the body is not read")
			}
		})
	}
}

// Each request fails its own check and all later ones.
func TestServe_OrderOfChecks(t *testing.T) {
	t.Parallel()
	const failing, refused = "192.0.2.7", "192.0.2.8"
	s, hold := startPaused(t, httpapi.Options{
		MaxBodyBytes: 4 * httpapi.DefaultMaxBatchBody,
		MaxCostly:    8,
		Failures:     failuresOf(netip.MustParseAddr(failing)),
		Admission: []limit.Admission{admissionFunc(func(req limit.Request) (func(), error) {
			if req.ClientAddr == netip.MustParseAddr(refused) {
				return nil, &limit.Error{Policy: "admission"}
			}
			return nil, nil
		})},
	}, false)
	for range 2 { // a quarter
		hold(newPost(changelogPath, acmeKey, strings.NewReader("{}"+strings.Repeat(" ", httpapi.MaxBody-2))))
	}
	large := strings.Repeat("[", httpapi.MaxBody+1)
	const other = "192.0.2.9"
	steps := []struct {
		want                           int
		client, method, key, mediaType string
		body                           string
	}{
		{405, failing, "PUT", unknownKey, "text/plain", large},
		{429, failing, "POST", unknownKey, "text/plain", large},
		{401, refused, "POST", unknownKey, "text/plain", large},
		{403, refused, "POST", powerlessKey, "text/plain", large},
		{429, refused, "POST", acmeKey, "text/plain", large},
		{415, other, "POST", acmeKey, "text/plain", large},
		{413, other, "POST", acmeKey, "application/json", large},
		{429, other, "POST", acmeKey, "application/json", "[["},
		{400, other, "POST", globexKey, "application/json", "[["},
		{200, other, "POST", globexKey, "application/json", "{}"},
	}
	for _, step := range steps {
		r := newPost(changelogPath, step.key, strings.NewReader(step.body))
		r.Method = step.method
		r.RemoteAddr = step.client + ":1234"
		r.Header.Set("Content-Type", step.mediaType)
		require.Equal(t, step.want, s.do(r).Status, "%.100v", step)
	}
	// The memory of bodies is checked before the costly requests at the same time.
	r := newPost(assetsPath, acmeKey, strings.NewReader("["+strings.Repeat(" ", httpapi.DefaultMaxBatchBody-1)))
	require.Empty(t, s.do(r).Header.Get("RateLimit"))
}

// failuresOf refuses one client.
type failuresOf netip.Addr

func (f failuresOf) Allow(_ context.Context, client netip.Addr) error {
	if client == netip.Addr(f) {
		return &limit.Error{Policy: "failures"}
	}
	return nil
}

func (failuresOf) Failed(context.Context, netip.Addr) {}
