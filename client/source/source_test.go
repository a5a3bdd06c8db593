package source_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/client/source"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/sqlite"
)

const key = "apg_mirror"

// origin is a server whose store and connection a test replaces.
type origin struct {
	url    string
	guard  atomic.Pointer[apguard.Guard]
	api    atomic.Pointer[httpapi.API]
	before atomic.Pointer[func(w http.ResponseWriter, r *http.Request) bool]
}

// newOrigin starts a server on the store.
func newOrigin(tb testing.TB, store storage.Store) *origin {
	tb.Helper()
	o := new(origin)
	o.serve(tb, store)
	server := httptest.NewServer(o)
	tb.Cleanup(server.Close)
	o.url = server.URL
	return o
}

// ServeHTTP implements [http.Handler].
func (o *origin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if before := o.before.Load(); before == nil || (*before)(w, r) {
		o.api.Load().ServeHTTP(w, r)
	}
}

// serve replaces the store. Requests that are under way continue with the one before.
func (o *origin) serve(tb testing.TB, store storage.Store) {
	tb.Helper()
	guard := apguard.New(store, apguard.Options{})
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{RefusalDelay: -1})
	require.NoError(tb, err)
	o.guard.Store(guard)
	o.api.Store(api)
}

// intercept calls before with each request, which is served if it returns true.
func (o *origin) intercept(before func(w http.ResponseWriter, r *http.Request) bool) {
	o.before.Store(&before)
}

// abort breaks off each request.
func abort(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }

func (o *origin) set(tb testing.TB, content string, status asset.Status) {
	tb.Helper()
	_, err := o.guard.Load().SetStatus(tb.Context(), content, status, asset.Origin{})
	require.NoError(tb, err)
}

// newStore returns a store with the key.
func newStore(tb testing.TB) storage.Store {
	tb.Helper()
	return withKey(tb, memory.New())
}

func withKey(tb testing.TB, store storage.Store) storage.Store {
	tb.Helper()
	require.NoError(tb, store.Import(tb.Context(), storage.Seed{
		Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme", Name: "Acme"}},
		Keys:          []storage.SeedKey{{Key: key, Organization: "acme", Scopes: []account.Scope{account.ScopeChangelog}}},
	}))
	return store
}

// copied is a mirror with the Replica that fills it.
type copied struct {
	*mirror.Mirror
	*feed.Replica
}

// State returns the state of the Replica.
func (c copied) State() feed.State { return c.Replica.State() }

// newCopied returns a mirror of the source that does not run.
func newCopied(source feed.Source, opts feed.Options) copied {
	m := mirror.New(mirror.Options{})
	opts.Views = append(opts.Views, m)
	return copied{m, feed.NewReplica(source, opts)}
}

// newReplica returns a mirror of the origin that does not run.
func newReplica(tb testing.TB, o *origin, opts feed.Options) copied {
	tb.Helper()
	c, err := client.New(o.url, client.Options{Key: key, Retries: -1})
	require.NoError(tb, err)
	return newCopied(source.New(c), opts)
}

// start runs the mirror until the test ends or stop is called.
func start(tb testing.TB, m copied) (stop func()) {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		require.ErrorIs(tb, <-ended, context.Canceled)
	})
	tb.Cleanup(stop)
	return stop
}

// statusOf returns the status of a content in the mirror.
func statusOf(tb testing.TB, m copied, content string) asset.Status {
	tb.Helper()
	verdict, err := m.Check(tb.Context(), content)
	require.NoError(tb, err)
	return verdict.Status
}

// events collects events.
type events chan feed.Event

func newEvents() events { return make(events, 1000) }

func (e events) report(event feed.Event) { e <- event }

// until returns the next event of the kind, whose error matches err unless that is nil.
func (e events) until(kind feed.EventKind, err error) feed.Event {
	for {
		if event := <-e; event.Kind == kind && (err == nil || errors.Is(event.Err, err)) {
			return event
		}
	}
}

// Whatever happens to the origin and the connection, a mirror that has read the feed answers as the
// origin does.
func TestSource_law(t *testing.T) {
	t.Parallel()
	two := [2]storage.Store{newStore(t), openSQLite(t, filepath.Join(t.TempDir(), "assets.db"), true)}
	rapid.Check(t, func(rt *rapid.T) {
		o := newOrigin(t, two[0])
		m := newReplica(t, o, feed.Options{Interval: time.Millisecond})
		stop := start(t, m)
		defer func() { stop() }()
		compare := func(rt *rapid.T) {
			o.before.Store(nil)
			require.NoError(t, m.Sync(t.Context()))
			contents := make([]string, 20)
			for i := range contents {
				contents[i] = content(rt)
			}
			want, err := o.guard.Load().Checks.CheckBatch(t.Context(), contents)
			require.NoError(t, err)
			got, err := m.CheckBatch(t.Context(), contents)
			require.NoError(t, err)
			require.Equal(t, mirrored(want), got)
		}
		rt.Repeat(map[string]func(*rapid.T){
			"SetStatus": func(rt *rapid.T) {
				status := rapid.SampledFrom(asset.Statuses()).Draw(rt, "status")
				reason := rapid.SampledFrom([]asset.Reason{"", asset.ReasonOther, asset.ReasonScam, asset.ReasonLegitimate}).Draw(rt, "reason")
				classified, err := classify.Classify(content(rt))
				if err == nil {
					_, err = o.guard.Load().Assets.SetStatus(t.Context(), asset.SetStatusRequest{Identity: classified.Identity, Status: status, Reason: reason})
				}
				require.True(t, err == nil || errors.Is(err, asset.ErrInvalid), err)
			},
			"Prune": func(*rapid.T) {
				_, err := o.guard.Load().History.Prune(t.Context(), time.Now().Add(time.Hour))
				require.NoError(t, err)
			},
			"interrupt": func(rt *rapid.T) {
				o.intercept(rapid.SampledFrom([]func(http.ResponseWriter, *http.Request) bool{
					abort, cutOff, rubbish, unavailable,
				}).Draw(rt, "failure"))
			},
			"replace": func(rt *rapid.T) {
				compare(rt) // it cannot notice a replacement that is undone
				o.serve(t, two[rapid.IntRange(0, 1).Draw(rt, "store")])
			},
			"run again": func(*rapid.T) {
				stop()
				stop = start(t, m)
			},
			"compare": compare,
		})
		compare(rt)
	})
}

func content(rt *rapid.T) string {
	if rapid.IntRange(0, 9).Draw(rt, "any") == 0 {
		return classifytest.Content().Draw(rt, "content").Content
	}
	return rapid.SampledFrom([]string{"https://", ""}).Draw(rt, "scheme") + rapid.SampledFrom([]string{"", "a.", "b.a."}).Draw(rt, "sub") +
		"example.com" + rapid.SampledFrom([]string{"", "/x", "/x/y?q"}).Draw(rt, "path")
}

// cutOff begins each response and then breaks the connection.
func cutOff(w http.ResponseWriter, r *http.Request) bool {
	if strings.HasSuffix(r.URL.Path, "jsonl") {
		begin(w, "application/x-ndjson", line(1, "URL", "https://cut.example.com", "BLOCKED"))
	} else {
		begin(w, "application/json", `{"changes":[`)
	}
	panic(http.ErrAbortHandler)
}

func begin(w http.ResponseWriter, mediaType, body string) {
	setHeader(w, mediaType)
	_, _ = fmt.Fprint(w, body)
	_ = http.NewResponseController(w).Flush()
}

// setHeader sets the header of a response that is not refused for it.
func setHeader(w http.ResponseWriter, mediaType string) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Feed-Cursor", cursorAt(1))
	w.Header().Set("Rules-Version", strconv.Itoa(classify.Version))
	w.Header().Set("Age", "0")
}

func line(id int64, kind, canonical, status string) string {
	return fmt.Sprintf("{\"id\":%d,\"type\":%q,\"content\":%q,\"canonical\":%q,\"status\":%q,\"updatedAt\":null}\n", id, kind, canonical, canonical, status)
}

func rubbish(w http.ResponseWriter, _ *http.Request) bool {
	begin(w, "application/json", `{"changes":[],"cursor":7}`)
	return false
}

func unavailable(w http.ResponseWriter, _ *http.Request) bool {
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusServiceUnavailable)
	return false
}

func openSQLite(tb testing.TB, path string, isNew bool) storage.Store {
	tb.Helper()
	store, err := sqlite.Open(tb.Context(), path, sqlite.Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = store.Close() }) // a test may have closed it
	if isNew {
		withKey(tb, store)
	}
	return store
}

// The server restarts: its store is closed and opened again. The mirror answers meanwhile, says that it
// grows old, and then goes on without a new copy.
func TestSource_restart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "assets.db")
	store := openSQLite(t, path, true)
	o, events := newOrigin(t, store), newEvents()
	o.set(t, "one.dev", asset.StatusBlocked)
	m := newReplica(t, o, feed.Options{Interval: time.Millisecond, OnEvent: events.report})
	start(t, m)
	events.until(feed.EventFilled, nil)

	require.NoError(t, store.Close())
	o.intercept(abort)
	events.until(feed.EventFailed, client.ErrUnavailable)
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "one.dev"))
	require.Error(t, m.State().Err)
	readAt := m.State().ReadAt
	require.False(t, readAt.IsZero())

	o.serve(t, openSQLite(t, path, false))
	o.set(t, "two.dev", asset.StatusBlocked)
	require.Equal(t, asset.StatusUnknown, statusOf(t, m, "two.dev"))
	require.Equal(t, readAt, m.State().ReadAt)
	o.before.Store(nil)
	for event := range events {
		require.NotEqual(t, feed.EventFilled, event.Kind, "it goes on with its copy")
		if event.Kind == feed.EventRecovered {
			break
		}
	}
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "two.dev"))
	require.True(t, m.State().ReadAt.After(readAt))
}

// A feed of several pages is read to its end before Sync returns.
func TestSource_pages(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, newStore(t))
	o.set(t, "one.dev", asset.StatusBlocked)
	m := newReplica(t, o, feed.Options{Interval: time.Hour})
	start(t, m)
	require.NoError(t, m.Sync(t.Context()))
	const parts = 3
	for part := range parts {
		items := make([]asset.StatusItem, asset.MaxLimit)
		for i := range items {
			canonical := fmt.Sprintf("site-%d-%d.dev", part, i)
			items[i] = asset.StatusItem{Identity: asset.Identity{Type: asset.TypePage, Canonical: canonical}, Status: asset.StatusBlocked}
		}
		_, err := o.guard.Load().Assets.SetStatuses(t.Context(), asset.SetStatusesRequest{Items: items})
		require.NoError(t, err)
	}
	require.NoError(t, m.Sync(t.Context()))
	require.Equal(t, parts*asset.MaxLimit+1, m.Mirror.State().Assets)
}

// A failure that repeats is reported once, although each response has another request ID.
func TestSource_reportedOnce(t *testing.T) {
	t.Parallel()
	o, events := newOrigin(t, newStore(t)), newEvents()
	var requests atomic.Int32
	o.intercept(func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("X-Request-Id", fmt.Sprint(requests.Add(1)))
		return unavailable(w, nil)
	})
	start(t, newReplica(t, o, feed.Options{Interval: time.Millisecond, OnEvent: events.report}))
	require.Eventually(t, func() bool { return requests.Load() > 3 }, time.Minute, time.Millisecond)
	require.Len(t, events, 1)
	require.ErrorIs(t, (<-events).Err, client.ErrUnavailable)
}

// The mirror missed changes that were pruned, or the store was replaced. It makes a new copy, and the
// old one answers until it is complete.
func TestSource_startsAgain(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		change func(*testing.T, *origin)
		want   error
	}{
		"pruned": {func(t *testing.T, o *origin) {
			t.Helper()
			for _, status := range []asset.Status{asset.StatusAllowed, asset.StatusUnknown, asset.StatusAllowed} {
				o.set(t, "one.dev", status)
			}
			_, err := o.guard.Load().History.Prune(t.Context(), time.Now().Add(time.Hour))
			require.NoError(t, err)
		}, asset.ErrPrunedCursor},
		"replaced": {func(t *testing.T, o *origin) {
			t.Helper()
			o.serve(t, newStore(t))
			o.set(t, "one.dev", asset.StatusAllowed)
		}, asset.ErrMalformedCursor},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			o, events := newOrigin(t, newStore(t)), newEvents()
			o.set(t, "one.dev", asset.StatusBlocked)
			m := newReplica(t, o, feed.Options{Interval: time.Millisecond, OnEvent: events.report})
			start(t, m)
			events.until(feed.EventFilled, nil)

			o.intercept(abort)
			events.until(feed.EventFailed, client.ErrUnavailable)
			c.change(t, o)
			listing, proceed := make(chan struct{}, 1), make(chan struct{})
			o.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
				if strings.HasSuffix(r.URL.Path, "jsonl") {
					listing <- struct{}{}
					<-proceed
				}
				return true
			})
			require.ErrorIs(t, events.until(feed.EventFailed, c.want).Err, client.ErrCursor)
			<-listing
			require.Equal(t, asset.StatusBlocked, statusOf(t, m, "one.dev"))
			close(proceed)
			events.until(feed.EventFilled, nil)
			require.Equal(t, asset.StatusAllowed, statusOf(t, m, "one.dev"))
		})
	}
}

// Behind a load balancer, a server can be behind the one that returned the cursor. The mirror goes on
// with its copy.
func TestSource_laggingReplica(t *testing.T) {
	t.Parallel()
	o, events := newOrigin(t, newStore(t)), newEvents()
	o.set(t, "one.dev", asset.StatusBlocked)
	m := newReplica(t, o, feed.Options{Interval: time.Millisecond, OnEvent: events.report})
	start(t, m)
	events.until(feed.EventFilled, nil)
	var behind, lists atomic.Int32
	o.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "jsonl") {
			lists.Add(1)
		}
		if behind.Add(1)%4 != 0 {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprintf(w, `{"code":"BAD_REQUEST","message":"Invalid input data","issues":[{"message":"cursor: %v"}]}`, asset.ErrFutureCursor)
			return false
		}
		return true
	})
	for i := range 5 {
		host := fmt.Sprintf("site-%d.dev", i)
		o.set(t, host, asset.StatusBlocked)
		require.NoError(t, m.Sync(t.Context()))
		require.Equal(t, asset.StatusBlocked, statusOf(t, m, host))
	}
	require.Zero(t, lists.Load(), "it has never listed again")
}

// cursorAt returns the cursor of a position in the feed of one store.
func cursorAt(position int64) string {
	return asset.Feed{Store: asset.StoreID{1}, Last: position}.End().String()
}

// Nothing that is not an asset gets into a copy.
func TestSource_rubbish(t *testing.T) {
	t.Parallel()
	good := line(1, "PAGE", "one.dev", "BLOCKED")
	change := func(status string) string {
		return `{"assetId":1,"type":"PAGE","content":"one.dev","fromStatus":"BLOCKED","toStatus":"` + status + `","updatedAt":"2025-01-05T10:00:00.000Z"}`
	}
	for reason, bodies := range map[string]struct{ export, feed string }{
		"unknown type in the list":        {good + line(2, "PAGES", "two.dev", "BLOCKED"), ""},
		"unknown status in the list":      {good + line(2, "PAGE", "two.dev", "BANNED"), ""},
		"UNKNOWN in the list":             {good + line(2, "PAGE", "two.dev", "UNKNOWN"), ""},
		"no canonical form in the list":   {good + line(2, "PAGE", "", "BLOCKED"), ""},
		"an ID of 0 in the list":          {good + line(0, "PAGE", "two.dev", "BLOCKED"), ""},
		"an ID that is too large":         {good + line(1<<53, "PAGE", "two.dev", "BLOCKED"), ""},
		"a list that ends within an item": {good + good[:20], ""},
		"unknown type in the feed":        {good, strings.Replace(change("ALLOWED"), "PAGE", "PAGES", 1)},
		"unknown status in the feed":      {good, change("BANNED")},
		"a change after a good one":       {good, change("ALLOWED") + "," + strings.Replace(change("ALLOWED"), "one.dev", "", 1)},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			o, events := newOrigin(t, newStore(t)), newEvents()
			o.intercept(func(w http.ResponseWriter, r *http.Request) bool {
				switch {
				case strings.HasSuffix(r.URL.Path, "jsonl"):
					begin(w, "application/x-ndjson", bodies.export)
				case bodies.feed != "" && r.URL.Query().Get("cursor") == cursorAt(1):
					begin(w, "application/json", `{"changes":[`+bodies.feed+`],"cursor":"`+cursorAt(2)+`"}`)
				default:
					begin(w, "application/json", `{"changes":[],"cursor":"`+cursorAt(1)+`"}`)
				}
				return false
			})
			m := newReplica(t, o, feed.Options{Interval: time.Millisecond, OnEvent: events.report})
			start(t, m)
			require.Equal(t, feed.EventFailed, (<-events).Kind)
			_, err := m.Check(t.Context(), "one.dev")
			require.ErrorIs(t, err, mirror.ErrNotFilled)
		})
	}
}

// The mirror waits at the server, and has a change long before the interval is over. Its age is that
// of the feed.
func TestSource_Await(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, newStore(t))
	waits := make(chan struct{}, 1000)
	o.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("wait") != "" {
			waits <- struct{}{}
		}
		return true
	})
	m := newReplica(t, o, feed.Options{Interval: 20 * time.Second})
	start(t, m)
	for _, status := range []asset.Status{asset.StatusBlocked, asset.StatusAllowed} {
		<-waits
		began := time.Now()
		o.set(t, "one.dev", status)
		require.Eventually(t, func() bool { return statusOf(t, m, "one.dev") == status }, 15*time.Second, time.Millisecond)
		t.Log("the mirror has a change after", time.Since(began))
	}
	<-waits
	o.set(t, "two.dev", asset.StatusBlocked)
	require.NoError(t, m.Sync(t.Context()))
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "two.dev"))
}

// A new copy answers only when the feed has everything from before the end of the list.
func TestSource_age(t *testing.T) {
	t.Parallel()
	o, events := newOrigin(t, newStore(t)), newEvents()
	o.set(t, "one.dev", asset.StatusBlocked)
	ended, cancel := context.WithCancel(t.Context())
	defer cancel()
	var age, feeds, enough atomic.Int32
	age.Store(3600)
	o.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "feed") {
			return true
		}
		if feeds.Add(1) == enough.Load() {
			cancel()
		}
		o.api.Load().ServeHTTP(aged{w, age.Load()}, r)
		return false
	})
	m := newReplica(t, o, feed.Options{Interval: time.Millisecond, OnEvent: events.report})
	start(t, m)
	require.Eventually(t, func() bool { return feeds.Load() > 5 }, time.Minute, time.Millisecond)
	require.False(t, m.State().Filled)
	age.Store(0)
	require.Equal(t, feed.EventFilled, (<-events).Kind)
	age.Store(3600)
	enough.Store(feeds.Load() + 5)
	require.ErrorIs(t, m.Sync(ended), context.Canceled, "an hour old feed does not have it")
	require.WithinDuration(t, time.Now(), m.State().ReadAt, time.Minute, "what was read stays")
}

// aged is a response with another age.
type aged struct {
	http.ResponseWriter
	age int32
}

func (a aged) WriteHeader(status int) {
	a.Header().Set("Age", fmt.Sprint(a.age))
	a.ResponseWriter.WriteHeader(status)
}

func (a aged) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// A server that announces changes and has none is not asked again and again.
func TestSource_falseNews(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	o := newOrigin(t, newStore(t))
	o.set(t, "one.dev", asset.StatusBlocked)
	var mu sync.Mutex
	var waits []time.Time
	o.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("wait") == "" {
			return true
		}
		mu.Lock()
		defer mu.Unlock()
		waits = append(waits, time.Now())
		begin(w, "application/json", `{"changes":[`+
			`{"assetId":1,"type":"PAGE","content":"one.dev","fromStatus":"BLOCKED","toStatus":"ALLOWED","updatedAt":"2025-01-05T10:00:00.000Z"}],"cursor":"d"}`)
		return false
	})
	m := newReplica(t, o, feed.Options{Interval: time.Second})
	start(t, m)
	require.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(waits) >= 3
	}, time.Minute, time.Millisecond)
	mu.Lock()
	defer mu.Unlock()
	require.GreaterOrEqual(t, waits[2].Sub(waits[0]), 2*time.Second)
	require.True(t, slices.IsSortedFunc(waits, time.Time.Compare))
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "one.dev"))
}
