package fetch_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/lists/fetch"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

const modified = "Sun, 05 Jan 2025 10:00:00 GMT"

// versioned answers with a file and what tells it apart from others, or that it has not changed.
func versioned(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Last-Modified", modified)
		if r.Header.Get("If-None-Match") == "" {
			file(text)(w, r)
			return
		}
		// No server may send a body here, and this one does.
		connection, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = buffered.WriteString("HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\nother.com\n")
		_ = buffered.Flush()
		_ = connection.Close()
	}
}

// A file that has not changed is not sent again, until somebody syncs the list with another one.
func TestFetcher_unchanged(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	s := newSite(t, versioned("a.com\n"))
	f.add(s.URL)
	fetcher := f.fetcher(fetch.Options{})
	require.Equal(t, []fetch.Event{{Kind: fetch.EventSynced, List: "phantom", Result: lists.SyncResult{Added: 1}}}, f.round(fetcher))
	require.Empty(t, f.round(fetcher), "it is not due")
	list := f.get()
	require.Equal(t, `"1"`, list.ETag)
	require.Equal(t, modified, list.LastModified)
	require.Equal(t, f.clock().Add(time.Hour), list.NextAt)

	f.pass(time.Hour)
	require.ErrorContains(t, f.Fail(t.Context(), list, errors.New("status 503")), "status 503")
	f.pass(time.Hour)
	require.Equal(t, []fetch.Event{{Kind: fetch.EventUnchanged, List: "phantom"}}, f.round(fetcher))
	want := list
	want.SyncedAt, want.NextAt = f.clock(), f.clock().Add(time.Hour)
	require.Equal(t, want, f.get())
	require.Equal(t, []string{"a.com"}, f.holds())

	f.syncByHand("b.com\n")
	f.pass(time.Hour)
	require.Equal(t, []fetch.Event{{Kind: fetch.EventSynced, List: "phantom", Result: lists.SyncResult{Added: 1, Withdrawn: 1}}}, f.round(fetcher))
	result, err := fetcher.FetchNow(t.Context(), lists.SyncRequest{Name: "phantom"})
	require.NoError(t, err)
	require.Equal(t, lists.SyncResult{Kept: 1}, result, "a fetch by hand receives the file in any case")

	asked := s.asked()
	etags, times := make([]string, len(asked)), make([]string, len(asked))
	for i, r := range asked {
		require.Equal(t, http.MethodGet, r.Method)
		require.Equal(t, "apguard-lists", r.Header.Get("User-Agent"))
		require.Equal(t, "/hunter2?token=hunter2", r.RequestURI)
		etags[i], times[i] = r.Header.Get("If-None-Match"), r.Header.Get("If-Modified-Since")
	}
	require.Equal(t, []string{"", `"1"`, "", ""}, etags)
	require.Equal(t, []string{"", modified, "", ""}, times)
}

// A file may be as large as is allowed, and compressed.
func TestFetcher_compressed(t *testing.T) {
	t.Parallel()
	for reason, answer := range map[string]http.HandlerFunc{
		"as it is":   file("a.com\n####"),
		"compressed": compressed("a.com\n####", whole),
		"identity": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "identity")
			file("a.com\n####")(w, r)
		},
	} {
		f := newFixture(t, true)
		f.add(newSite(t, answer).URL)
		result, err := f.fetcher(fetch.Options{MaxBytes: 10}).FetchNow(t.Context(), lists.SyncRequest{Name: "phantom"})
		require.NoError(t, err, reason)
		require.Equal(t, lists.SyncResult{Added: 1}, result, reason)
	}
}

// A fetch by hand is a sync with the file, and its dry run stores nothing.
func TestFetcher_FetchNow(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	answer := file("a.com\nno host\nb.com\n")
	f.add(newSite(t, func(w http.ResponseWriter, r *http.Request) { answer(w, r) }).URL)
	before := f.get()
	fetcher := f.fetcher(fetch.Options{})
	refused := 0
	dry := lists.SyncRequest{Name: "phantom", DryRun: true, Refused: func(lists.Entry) { refused++ }}
	result, err := fetcher.FetchNow(t.Context(), dry)
	require.NoError(t, err)
	require.Equal(t, []string{"a.com", "b.com"}, result.Examples.Added)
	result.Examples = nil
	require.Equal(t, lists.SyncResult{Added: 2, Refused: 1}, result)
	require.Equal(t, 1, refused)
	answer = status(http.StatusNotFound)
	_, err = fetcher.FetchNow(t.Context(), dry)
	require.EqualError(t, err, "status 404")
	require.Equal(t, before, f.get())

	answer = file("a.com\n")
	_, err = fetcher.FetchNow(t.Context(), lists.SyncRequest{Name: "phantom", Actor: 7})
	require.NoError(t, err)
	changes, err := asset.NewService(f.store, asset.Options{}).ListChanges(t.Context(), asset.ListChangesRequest{})
	require.NoError(t, err)
	require.Len(t, changes.Changes, 1)
	require.Equal(t, asset.Origin{Cause: asset.CauseList, Actor: 7, Reference: "phantom"}, changes.Changes[0].Origin)
}

func TestFetcher_FetchNow_unknown(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	fetcher := f.fetcher(fetch.Options{})
	_, err := fetcher.FetchNow(t.Context(), lists.SyncRequest{Name: "phantom"})
	require.ErrorIs(t, err, lists.ErrNotFound)
	_, err = f.Add(t.Context(), lists.List{Name: "by-hand", Format: lists.Domains})
	require.NoError(t, err)
	_, err = fetcher.FetchNow(t.Context(), lists.SyncRequest{Name: "by-hand"})
	require.ErrorIs(t, err, lists.ErrNoURL)

	s := newSite(t, file("a.com\n"))
	f.add(s.URL)
	_, err = f.store.PutList(t.Context(), "phantom", func(old lists.List, _ int) (lists.List, audit.Entry, error) {
		old.Removing = true
		return old, audit.Entry{}, nil
	})
	require.NoError(t, err)
	_, err = fetcher.FetchNow(t.Context(), lists.SyncRequest{Name: "phantom"})
	require.ErrorIs(t, err, lists.ErrNotFound)
	require.Empty(t, s.asked())
}

// Of two fetchers on one store, one fetches a list.
func TestFetcher_two(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	arrived, held := make(chan struct{}, 10), make(chan struct{})
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-held
		file("a.com\n")(w, r)
	})
	f.add(s.URL)
	f.run(f.fetcher(fetch.Options{}))
	<-arrived
	second := f.fetcher(fetch.Options{})
	require.NoError(t, second.Round(t.Context()))
	close(held)
	require.Equal(t, fetch.EventSynced, f.event().Kind)
	require.NoError(t, second.Round(t.Context()))
	require.Len(t, s.asked(), 1)
}

// What happens to a list while it is fetched counts more than the file that was fetched.
func TestFetcher_meanwhile(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		meanwhile func(f *fixture)
		answer    http.HandlerFunc
		holds     []string
		want      error
	}{
		"synced by hand":                        {func(f *fixture) { f.syncByHand("other.com\n") }, file("b.com\n"), []string{"other.com"}, lists.ErrSuperseded},
		"synced by hand, and the server failed": {func(f *fixture) { f.syncByHand("other.com\n") }, status(http.StatusBadGateway), []string{"other.com"}, nil},
		"another URL":                           {func(f *fixture) { f.update() }, file("b.com\n"), []string{"a.com"}, lists.ErrSuperseded},
		"another URL, and the server failed":    {func(f *fixture) { f.update() }, status(http.StatusBadGateway), []string{"a.com"}, nil},
		"removed":                               {func(f *fixture) { f.remove() }, file("b.com\n"), nil, lists.ErrNotFound},
		"removed, and the server failed":        {func(f *fixture) { f.remove() }, status(http.StatusBadGateway), nil, nil},
		"removed and added again":               {func(f *fixture) { f.remove(); f.add("https://example.com") }, file("b.com\n"), []string{}, lists.ErrNotFound},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, true)
			f.add(newSite(t, func(w http.ResponseWriter, r *http.Request) {
				c.meanwhile(f)
				c.answer(w, r)
			}).URL)
			f.syncByHand("a.com\n")
			f.pass(time.Hour)
			events := f.round(f.fetcher(fetch.Options{}))
			if c.want != nil {
				require.Empty(t, events, "nothing has failed")
			}
			if c.holds != nil {
				require.Equal(t, c.holds, f.holds())
				require.Empty(t, f.get().Error)
			}
		})
	}
}

func (f *fixture) update() {
	_, err := f.Update(f.t.Context(), lists.UpdateRequest{Name: "phantom", URL: new("https://example.com")})
	require.NoError(f.t, err)
}

func (f *fixture) remove() { require.NoError(f.t, f.Remove(f.t.Context(), "phantom", 0)) }

// After an update, a list is fetched at once, and receives the file even if it is the same.
func TestFetcher_updated(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		update func(other string) lists.UpdateRequest
		want   []fetch.Event
		holds  string
	}{
		"another URL": {
			func(other string) lists.UpdateRequest { return lists.UpdateRequest{URL: &other} },
			[]fetch.Event{{Kind: fetch.EventSynced, List: "phantom", Result: lists.SyncResult{Added: 1, Withdrawn: 1}}}, "b.com",
		},
		"another reason": {
			func(string) lists.UpdateRequest { return lists.UpdateRequest{Reason: new(asset.ReasonScam)} },
			[]fetch.Event{{Kind: fetch.EventSynced, List: "phantom", Result: lists.SyncResult{Kept: 1}}}, "a.com",
		},
		"no URL":       {func(string) lists.UpdateRequest { return lists.UpdateRequest{URL: new("")} }, nil, "a.com"},
		"another time": {func(string) lists.UpdateRequest { return lists.UpdateRequest{Every: new(2 * time.Hour)} }, nil, "a.com"},
	} {
		f := newFixture(t, true)
		f.add(newSite(t, versioned("a.com\n")).URL)
		fetcher := f.fetcher(fetch.Options{})
		require.Len(t, f.round(fetcher), 1, reason)
		req := c.update(newSite(t, versioned("b.com\n")).URL)
		req.Name = "phantom"
		_, err := f.Update(t.Context(), req)
		require.NoError(t, err, reason)
		require.Equal(t, c.want, f.round(fetcher), reason)
		require.Equal(t, []string{c.holds}, f.holds(), reason)
	}
}

// Run fetches until it is stopped, in the midst of a file if need be.
func TestFetcher_Run(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	arrived := make(chan struct{}, 10)
	var fetches atomic.Int64
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if n := fetches.Add(1); n < 3 {
			file(strings.Repeat("a", int(n))+".com\n")(w, r)
			return
		}
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	f.add(s.URL)
	stop := f.run(f.fetcher(fetch.Options{}))
	require.Equal(t, lists.SyncResult{Added: 1}, f.event().Result)
	f.pass(time.Hour)
	require.Equal(t, lists.SyncResult{Added: 1, Withdrawn: 1}, f.event().Result)
	f.pass(time.Hour)
	<-arrived
	stop()
	list := f.get()
	require.Zero(t, list.Failures, "an interruption is no failure")
	require.Equal(t, f.clock().Add(15*time.Minute), list.NextAt, "another server goes on when the claim ends")
	require.Equal(t, []string{"aa.com"}, f.holds())
}

// failingStore fails when it is asked for lists, or changes one.
type failingStore struct {
	storage.Store
	list, put func() error
}

func (s failingStore) Lists(ctx context.Context) ([]lists.List, error) {
	if err := s.list(); err != nil {
		return nil, err
	}
	return s.Store.Lists(ctx)
}

func (s failingStore) PutList(ctx context.Context, name string, put func(lists.List, int) (lists.List, audit.Entry, error)) (lists.List, error) {
	if err := s.put(); err != nil {
		return lists.List{}, err
	}
	return s.Store.PutList(ctx, name, put)
}

func never() error { return nil }

// An error of the store is reported once, and does not end the work.
func TestFetcher_Run_store(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	away, slow := errors.New("the database is away"), errors.New("the database is slow")
	f := newFixtureOn(t, failingStore{memory.New(), func() error {
		switch n := calls.Add(1); {
		case n <= 3:
			return away
		case n == 4:
			return slow
		}
		return nil
	}, never}, true)
	f.add(newSite(t, file("a.com\n")).URL)
	f.run(f.fetcher(fetch.Options{}))
	require.Equal(t, fetch.Event{Kind: fetch.EventFailed, Err: away}, f.event())
	require.Equal(t, fetch.Event{Kind: fetch.EventFailed, Err: slow}, f.event())
	require.Equal(t, fetch.EventSynced, f.event().Kind)
}

// Others may be faster after a fetcher has seen that a list is due.
func TestFetcher_late(t *testing.T) {
	t.Parallel()
	for reason, faster := range map[string]func(other *lists.Service) error{
		"another fetcher": func(other *lists.Service) error { _, err := other.Claim(t.Context(), "phantom"); return err },
		"a removal":       func(other *lists.Service) error { return other.Remove(t.Context(), "phantom", 0) },
	} {
		store := memory.New()
		other := lists.NewService(store, lists.Options{})
		before := never
		f := newFixtureOn(t, failingStore{store, never, func() error { return before() }}, true)
		s := newSite(t, file("a.com\n"))
		f.add(s.URL)
		before = func() error { return faster(other) }
		require.Empty(t, f.round(f.fetcher(fetch.Options{})), reason)
		require.Empty(t, s.asked(), reason)
	}
}

// A store that only reads has no fetcher.
func TestFetcher_Run_readOnly(t *testing.T) {
	t.Parallel()
	var reads atomic.Bool
	f := newFixtureOn(t, failingStore{memory.New(), never, func() error {
		if reads.Load() {
			return asset.ErrReadOnly
		}
		return nil
	}}, true)
	s := newSite(t, file("a.com\n"))
	f.add(s.URL)
	reads.Store(true)
	require.ErrorIs(t, f.fetcher(fetch.Options{}).Run(t.Context()), asset.ErrReadOnly)
	require.Empty(t, s.asked())
}

// What a fetcher does by itself is no act of the person who started the program.
func TestFetcher_Run_audit(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	f.add(newSite(t, file("a.com\n")).URL)
	ctx, cancel := context.WithCancel(audit.WithActor(t.Context(), audit.Actor{Channel: audit.ChannelCommandLine, UserID: 7}))
	ended := make(chan error, 1)
	go func() { ended <- f.fetcher(fetch.Options{}).Run(ctx) }()
	require.Equal(t, fetch.EventSynced, f.event().Kind)
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	page, err := f.store.AuditEntries(t.Context(), trail.Filter{}, 0, 1)
	require.NoError(t, err)
	require.Equal(t, audit.ActionSynced, page.Items[0].Action)
	require.Equal(t, audit.Actor{Channel: audit.ChannelApplication}, page.Items[0].Actor)
}
