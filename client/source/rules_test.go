package source_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/client/source"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
)

// withRules makes all requests pass through a proxy that replaces the version of the rules in the responses once other
// is true, or removes it if it is empty.
func (o *origin) withRules(tb testing.TB, version string) (other *atomic.Bool) {
	tb.Helper()
	server, err := url.Parse(o.url)
	require.NoError(tb, err)
	proxy := httputil.NewSingleHostReverseProxy(server)
	other = new(atomic.Bool)
	proxy.ModifyResponse = func(r *http.Response) error {
		if r.Header.Get("Rules-Version") != "" && other.Load() {
			r.Header["Rules-Version"] = []string{version}
			if version == "" {
				r.Header.Del("Rules-Version")
			}
		}
		return nil
	}
	front := httptest.NewServer(proxy)
	tb.Cleanup(front.Close)
	o.url = front.URL
	return other
}

// untilRefused returns at the event that the rules are refused, and requires its error.
func (e events) untilRefused(t *testing.T, want source.RulesError) {
	t.Helper()
	for event := range e {
		var refused *source.RulesError
		if event.Kind == feed.EventFailed && !strings.Contains(event.Err.Error(), "cursor") {
			require.ErrorAs(t, event.Err, &refused)
			require.Equal(t, want, *refused)
			return
		}
	}
}

// A mirror takes nothing of a server with other rules. It keeps its copy, and says that it grows old.
func TestSource_rules(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		version string
		have    int
		remedy  string
	}{
		"a newer server":                {strconv.Itoa(classify.Version + 1), classify.Version + 1, "use a newer program"},
		"an older server":               {strconv.Itoa(classify.Version - 1), classify.Version - 1, "upgrade the server"},
		"a server that does not say it": {"", 0, "upgrade the server"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			want := source.RulesError{Have: c.have, Want: classify.Version}
			require.EqualError(t, &want, fmt.Sprintf("server has rules version %d, this program has %d: %s", c.have, classify.Version, c.remedy))
			o, events := newOrigin(t, newStore(t)), newEvents()
			o.set(t, "one.dev", asset.StatusBlocked)
			other := o.withRules(t, c.version)
			m := newReplica(t, o, feed.Options{Interval: time.Millisecond, OnEvent: events.report})
			start(t, m)
			events.until(feed.EventFilled, nil)

			other.Store(true)
			o.set(t, "two.dev", asset.StatusBlocked)
			events.untilRefused(t, want)
			readAt := m.State().ReadAt
			requireKept := func() {
				require.Equal(t, asset.StatusBlocked, statusOf(t, m, "one.dev"))
				require.Equal(t, asset.StatusUnknown, statusOf(t, m, "two.dev"))
				require.Equal(t, readAt, m.State().ReadAt)
				require.Error(t, m.State().Err)
			}
			requireKept()

			// As after assets were moved, the cursor is that of another store.
			o.serve(t, newStore(t))
			o.set(t, "two.dev", asset.StatusAllowed)
			events.until(feed.EventFailed, client.ErrCursor)
			events.untilRefused(t, want)
			requireKept()

			late := newEvents()
			empty := newReplica(t, o, feed.Options{Interval: time.Millisecond, OnEvent: late.report})
			start(t, empty)
			late.untilRefused(t, want)
			_, err := empty.Check(t.Context(), "one.dev")
			require.ErrorIs(t, err, mirror.ErrNotFilled)

			other.Store(false)
			events.until(feed.EventFilled, nil)
			require.Equal(t, asset.StatusUnknown, statusOf(t, m, "one.dev"))
			require.Equal(t, asset.StatusAllowed, statusOf(t, m, "two.dev"))
		})
	}
}

// The connection of a list that is refused is closed. Each attempt of a mirror would leave one.
func TestSource_refusedList(t *testing.T) {
	t.Parallel()
	for reason, header := range map[string][2]string{
		"other rules":        {"Rules-Version", "999"},
		"a malformed cursor": {"Feed-Cursor", "c"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			o := newOrigin(t, newStore(t))
			var closed atomic.Bool
			o.intercept(func(w http.ResponseWriter, r *http.Request) bool {
				setHeader(w, "application/x-ndjson")
				w.Header().Set(header[0], header[1])
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
				closed.Store(true)
				return false
			})
			c, err := client.New(o.url, client.Options{Key: key, Retries: -1})
			require.NoError(t, err)
			_, err = source.New(c).List(t.Context(), 0)
			require.Error(t, err)
			require.NotErrorIs(t, err, client.ErrUnavailable)
			require.Eventually(t, closed.Load, time.Minute, time.Millisecond)
		})
	}
}
