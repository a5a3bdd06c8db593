package routers_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/examples/embed/routers"
	"github.com/apguard/apguard/httpapi"
)

// mounting mounts the operations on a router.
type mounting func(api *httpapi.API, base string) http.Handler

// mountings returns the hosts, each without middleware and behind middleware with its own
// writer.
func mountings() map[string]mounting {
	all := streaming()
	chi := hosts()["ChiBeside"].mount
	all["ChiBeside behind a writer with Unwrap"] = behind(chi, unwraps)
	all["ChiBeside behind a writer without"] = behind(chi, hides)
	return all
}

// streaming returns the mountings that send a changelog while it is read. Chi's Compress
// flushes only a writer with a Flush method, so it needs another writer than the others.
// TestEcho_WriterWithoutUnwrap has the mounting that is in neither list.
func streaming() map[string]mounting {
	all := make(map[string]mounting)
	for name, h := range hosts() {
		all[name] = h.mount
		if name == "ChiBeside" {
			all[name+" behind a writer with Flush"] = behind(h.mount, flushes)
			continue
		}
		all[name+" behind a writer with Unwrap"] = behind(h.mount, unwraps)
		if name != "Echo" {
			all[name+" behind a writer without"] = behind(h.mount, hides)
		}
	}
	return all
}

// behind puts a writer between the connection and the host.
func behind(mount mounting, wrap func(http.ResponseWriter) http.ResponseWriter) mounting {
	return func(api *httpapi.API, base string) http.Handler {
		host := mount(api, base)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { host.ServeHTTP(wrap(w), r) })
	}
}

// closed is a writer without Unwrap and Flush.
type closed struct{ http.ResponseWriter }

// open is a writer with Unwrap.
type open struct{ http.ResponseWriter }

func (o open) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// flusher is a writer with Unwrap and Flush.
type flusher struct{ open }

func (f flusher) Flush() { _ = http.NewResponseController(f.ResponseWriter).Flush() }

func hides(w http.ResponseWriter) http.ResponseWriter   { return closed{w} }
func unwraps(w http.ResponseWriter) http.ResponseWriter { return open{w} }
func flushes(w http.ResponseWriter) http.ResponseWriter { return flusher{open{w}} }

func TestMiddleware_EveryOperation(t *testing.T) {
	t.Parallel()
	for name, mount := range mountings() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, mount(newAPI(t, seeded(t)), "/api/v2"))
			for _, e := range exchanges("/api/v2") {
				requireExchange(t, s, "/api/v2", e)
			}
		})
	}
}

// connection counts deadlines and flushes.
type connection struct {
	http.ResponseWriter
	deadlines, flushes *atomic.Int64
}

func (c connection) SetWriteDeadline(deadline time.Time) error {
	if !deadline.IsZero() { // zero removes the deadline
		c.deadlines.Add(1)
	}
	return http.NewResponseController(c.ResponseWriter).SetWriteDeadline(deadline)
}

func (c connection) Flush() {
	c.flushes.Add(1)
	_ = http.NewResponseController(c.ResponseWriter).Flush()
}

func (c connection) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func TestMiddleware_DeadlinesAndFlushes(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		wrap               func(http.ResponseWriter) http.ResponseWriter
		deadlines, flushes bool
		// compressed reports whether chi's Compress flushes.
		compressed bool
	}{
		"a writer with Unwrap":           {wrap: unwraps, deadlines: true, flushes: true},
		"a writer with Unwrap and Flush": {wrap: flushes, deadlines: true, flushes: true, compressed: true},
		"a writer with neither":          {wrap: hides},
	} {
		for name, h := range hosts() {
			if name == "Echo" && !test.flushes {
				continue // see TestEcho_WriterWithoutUnwrap
			}
			t.Run(name+" behind "+reason, func(t *testing.T) {
				t.Parallel()
				var deadlines, flushed atomic.Int64
				mount := behind(behind(h.mount, test.wrap), func(w http.ResponseWriter) http.ResponseWriter {
					return connection{w, &deadlines, &flushed}
				})
				s := serve(t, mount(newAPI(t, seeded(t)), "/api/v2"))
				do(t, s.request(t, http.MethodPost, "/api/v2/asset/changelog", "{}"))
				require.Equal(t, test.deadlines, deadlines.Load() > 0, "deadlines")
				want := test.flushes
				if name == "ChiBeside" {
					want = test.compressed
				}
				require.Equal(t, want, flushed.Load() > 0, "flushes")
			})
		}
	}
}

// Echo's writer panics at the first flush, and its Recover turns that into a normal end of
// the reply.
func TestEcho_WriterWithoutUnwrap(t *testing.T) {
	t.Parallel()
	got := changelog(t, behind(routers.Echo, hides), func(context.Context) error { return nil })
	body, err := io.ReadAll(got)
	require.NoError(t, err)
	require.False(t, json.Valid(body), "the reply is truncated")
}
