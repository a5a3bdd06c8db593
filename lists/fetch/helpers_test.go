package fetch_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/lists/fetch"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// fixture is a store with a service whose clock a test moves.
type fixture struct {
	*lists.Service
	t      *testing.T
	store  storage.Store
	events chan fetch.Event

	mu  sync.Mutex
	now time.Time
}

func newFixture(t *testing.T, private bool) *fixture {
	t.Helper()
	return newFixtureOn(t, memory.New(), private)
}

func newFixtureOn(t *testing.T, store storage.Store, private bool) *fixture {
	t.Helper()
	f := &fixture{t: t, store: store, events: make(chan fetch.Event, 1000), now: time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)}
	f.Service = lists.NewService(store, lists.Options{Clock: f.clock, AllowPrivate: private})
	return f
}

func (f *fixture) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()

	return f.now
}

// pass moves the clock.
func (f *fixture) pass(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()

	f.now = f.now.Add(d)
}

// add adds the list phantom, whose URL has a token.
func (f *fixture) add(url string) {
	f.t.Helper()
	_, err := f.Add(f.t.Context(), lists.List{Name: "phantom", Format: lists.Domains, URL: url + "/hunter2?token=hunter2"})
	require.NoError(f.t, err)
}

func (f *fixture) get() lists.List {
	f.t.Helper()
	list, err := f.Get(f.t.Context(), "phantom")
	require.NoError(f.t, err)
	return list
}

// holds returns the hosts that the list phantom holds.
func (f *fixture) holds() []string {
	f.t.Helper()
	page, err := f.store.ListEntries(f.t.Context(), f.get().ID, 0, 10_000)
	require.NoError(f.t, err)
	held := make([]string, len(page.Items))
	for i, entry := range page.Items {
		held[i] = entry.Canonical
	}
	return held
}

// syncByHand syncs the list phantom with a file that was not fetched.
func (f *fixture) syncByHand(file string) {
	f.t.Helper()
	_, err := f.Sync(f.t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader(file)})
	require.NoError(f.t, err)
}

// fetcher returns a fetcher that looks often and reports to the events.
func (f *fixture) fetcher(opts fetch.Options) *fetch.Fetcher {
	f.t.Helper()
	opts.Interval = time.Millisecond
	opts.OnEvent = func(e fetch.Event) { f.events <- e }
	return fetch.New(f.Service, opts)
}

// round makes a fetcher look once, and returns what it reports.
func (f *fixture) round(fetcher *fetch.Fetcher) []fetch.Event {
	f.t.Helper()
	require.NoError(f.t, fetcher.Round(f.t.Context()))
	var events []fetch.Event
	for len(f.events) > 0 {
		events = append(events, <-f.events)
	}
	return events
}

// fetchDue makes a fetcher fetch the list when it is due, and returns the error.
func (f *fixture) fetchDue(fetcher *fetch.Fetcher) error {
	f.t.Helper()
	f.pass(f.get().NextAt.Sub(f.clock()))
	events := f.round(fetcher)
	require.Len(f.t, events, 1)
	return events[0].Err
}

// run runs a fetcher until the returned function is called, or the test ends.
func (f *fixture) run(fetcher *fetch.Fetcher) (stop func()) {
	f.t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(f.t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- fetcher.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		require.ErrorIs(f.t, <-ended, context.Canceled)
	})
	f.t.Cleanup(stop)
	return stop
}

// event returns the next event.
func (f *fixture) event() fetch.Event {
	f.t.Helper()
	select {
	case e := <-f.events:
		return e
	case <-time.After(20 * time.Second):
		require.FailNow(f.t, "there must be an event")
		return fetch.Event{}
	}
}

// site is a server of a list that records what it is asked.
type site struct {
	*httptest.Server
	handler http.Handler

	mu       sync.Mutex
	requests []*http.Request
}

func newSite(t *testing.T, answer http.HandlerFunc) *site {
	t.Helper()
	s := &site{handler: answer}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// ServeHTTP implements [http.Handler].
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	s.handler.ServeHTTP(w, r)
}

// asked returns the requests so far.
func (s *site) asked() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()

	return append([]*http.Request(nil), s.requests...)
}

// file answers with a file.
func file(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }
}

// status answers with a status code.
func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// hosts returns a list of hosts with the numbers from first to last.
func hosts(first, last int) string {
	var b strings.Builder
	for i := first; i <= last; i++ {
		fmt.Fprintf(&b, "h%d.com\n", i)
	}
	return b.String()
}
