package published_test

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/client/published"
	"github.com/apguard/apguard/publish/manifest"
)

func TestFolder_Read(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("content\n", 1000)
	write := func(text string) func(http.ResponseWriter, *http.Request) bool { return answer(http.StatusOK, text) }
	for reason, c := range map[string]struct {
		intercept func(http.ResponseWriter, *http.Request) bool
		want      error
	}{
		"the file": {nil, nil},
		"the file, compressed": {func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Encoding", "gzip")
			zip := gzip.NewWriter(w)
			_, _ = io.WriteString(zip, content)
			_ = zip.Close()
			return true
		}, nil},
		"after a redirect": {func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Has("there") {
				return false
			}
			http.Redirect(w, r, r.URL.Path+"?there", http.StatusFound)
			return true
		}, nil},
		"redirects without an end": {func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return true
		}, published.ErrUnavailable},
		"missing":                {answer(http.StatusNotFound, ""), published.ErrUnavailable},
		"gone":                   {answer(http.StatusGone, content), published.ErrUnavailable},
		"empty":                  {write(""), manifest.ErrFile},
		"cut":                    {write(content[:999]), manifest.ErrFile},
		"longer":                 {write(content + "x"), manifest.ErrFile},
		"without an end":         {endless, manifest.ErrFile},
		"changed":                {write(strings.Replace(content, "c", "C", 1)), manifest.ErrFile},
		"a connection that ends": {abort, published.ErrUnavailable},
		"a connection that ends in between": {func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = io.WriteString(w, content[:999])
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, published.ErrUnavailable},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			p := newPublisher(t)
			file := p.add(manifest.File{Kind: manifest.KindExport}, []byte(content))
			p.set(c.intercept)
			data, err := p.open(t, published.Options{}).Read(t.Context(), file, 8000)
			require.ErrorIs(t, err, c.want)
			if c.want == nil {
				require.Equal(t, content, string(data))
				return
			}
			require.ErrorContains(t, err, file.Name)
		})
	}
	_, err := newPublisher(t).open(t, published.Options{}).Read(t.Context(), manifest.File{Name: "x", Size: 8001}, 8000)
	require.ErrorContains(t, err, "x: file is too large for this client: it has 8001 bytes")
}

// A server that sends nothing more is given up, before a response and within one.
func TestFolder_Open_stalled(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		begin func(http.ResponseWriter)
		want  string
	}{
		"no response": {func(http.ResponseWriter) {}, "the server sends nothing for 1s"},
		"a response that stops": {func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, "cont")
			_ = http.NewResponseController(w).Flush()
		}, "the server has stopped, or sends too slowly"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			p := newPublisher(t)
			file := p.add(manifest.File{Kind: manifest.KindExport}, []byte("content"))
			p.set(func(w http.ResponseWriter, r *http.Request) bool {
				c.begin(w)
				<-r.Context().Done()
				return true
			})
			_, err := p.open(t, published.Options{Timeout: time.Second}).Read(t.Context(), file, 100)
			require.ErrorIs(t, err, published.ErrUnavailable)
			require.ErrorContains(t, err, c.want)

			ctx, cancel := context.WithCancel(t.Context())
			p.set(func(w http.ResponseWriter, r *http.Request) bool {
				c.begin(w)
				cancel()
				<-r.Context().Done()
				return true
			})
			_, err = p.open(t, published.Options{}).Read(ctx, file, 100)
			require.ErrorIs(t, err, context.Canceled)
			require.NotErrorIs(t, err, published.ErrUnavailable)
		})
	}
}

// drip sends a byte now and then until the client has gone.
func drip(w http.ResponseWriter, r *http.Request) bool {
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for {
		_, _ = w.Write([]byte{'x'})
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
			return true
		case <-ticker.C:
		}
	}
}

// A server that sends a byte now and then cannot keep a client waiting.
func TestFolder_drip(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	file := p.add(manifest.File{Kind: manifest.KindExport}, make([]byte, 1<<20))
	p.publish(t, time.Now())
	folder := p.open(t, published.Options{Timeout: time.Second})
	p.set(drip)
	_, err := folder.Manifest(t.Context())
	require.ErrorIs(t, err, published.ErrUnavailable)
	require.ErrorContains(t, err, "manifest: ")
	require.ErrorContains(t, err, "too slowly")
	_, err = folder.Read(t.Context(), file, 1<<20)
	require.ErrorIs(t, err, published.ErrUnavailable)
	require.ErrorContains(t, err, "too slowly")
}

// The time for a file grows with what was received of it, and that for a manifest does not.
func TestTimeLeft(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		pace, bytes int64
		taken, want time.Duration
	}{
		"a manifest":                {0, 0, 10 * time.Second, 20 * time.Second},
		"a part of a manifest":      {0, 1 << 20, 10 * time.Second, 20 * time.Second},
		"a manifest that is late":   {0, 1 << 20, 40 * time.Second, -10 * time.Second},
		"a file":                    {published.MinPace, 0, 10 * time.Second, 20 * time.Second},
		"a file at the pace":        {published.MinPace, 3600 * published.MinPace, time.Hour, 30 * time.Second},
		"a file at half of it":      {published.MinPace, 60 * published.MinPace, 2 * time.Minute, -30 * time.Second},
		"a file that is very large": {published.MinPace, 1 << 40, 0, 30*time.Second + (1<<25)*time.Second},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, published.TimeLeft(30*time.Second, c.pace, c.bytes, c.taken))
		})
	}
}
