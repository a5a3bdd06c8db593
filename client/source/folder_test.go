package source_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/client/published"
	"github.com/apguard/apguard/client/source"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/publish"
	"github.com/apguard/apguard/publish/manifest"
	"github.com/apguard/apguard/storage/memory"
)

// site is a store that is published in a folder behind a web server.
type site struct {
	guard     *apguard.Guard
	hashes    *hashes.Origin
	publisher *publish.Publisher
	options   publish.Options
	dir       string
	// manifest is the URL of the manifest, and key the verifier key.
	manifest, key string
	// before answers in place of the folder if it reports true.
	before atomic.Pointer[func(http.ResponseWriter, *http.Request) bool]
}

func newSite(tb testing.TB, opts publish.Options) *site {
	tb.Helper()
	text, err := publish.GenerateKey("lists.example.com")
	require.NoError(tb, err)
	key, err := publish.ParseKey(text)
	require.NoError(tb, err)
	s := &site{dir: tb.TempDir(), key: key.Verifier()}
	server := httptest.NewServer(s)
	tb.Cleanup(server.Close)
	s.manifest = server.URL + "/" + manifest.Name
	opts.Keys = []publish.Key{key}
	if opts.Exports == nil {
		opts.Exports = []lists.Format{lists.JSONLines}
	}
	s.options = opts
	s.use(tb, apguard.New(memory.New(), apguard.Options{}))
	return s
}

// use publishes the store of a Guard from now on.
func (s *site) use(tb testing.TB, guard *apguard.Guard) {
	tb.Helper()
	s.guard, s.hashes = guard, hashes.New(hashes.Options{MinimumWait: time.Nanosecond})
	replica := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{s.hashes}})
	opts := s.options
	opts.Hashes, opts.Sync, opts.Feed, opts.Assets = s.hashes, replica.Refresh, guard.Feed, guard.Assets
	var err error
	s.publisher, err = publish.New(publish.Dir(s.dir), opts)
	require.NoError(tb, err)
}

// ServeHTTP implements [http.Handler].
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if before := s.before.Load(); before == nil || !(*before)(w, r) {
		http.FileServer(http.Dir(s.dir)).ServeHTTP(w, r)
	}
}

// publish sets the status of contents and publishes.
func (s *site) publish(tb testing.TB, status asset.Status, contents ...string) {
	tb.Helper()
	for _, content := range contents {
		_, err := s.guard.SetStatus(tb.Context(), content, status, asset.Origin{})
		require.NoError(tb, err)
	}
	_, err := s.publisher.Publish(tb.Context())
	require.NoError(tb, err)
}

// open returns the folder for a client.
func (s *site) open(tb testing.TB) *published.Folder {
	tb.Helper()
	folder, err := published.New(s.manifest, s.key, published.Options{})
	require.NoError(tb, err)
	return folder
}

// followWith starts a mirror of a site with a snapshot.
func (s *site) followWith(tb testing.TB, snapshot string) (f follower, stop func()) {
	tb.Helper()
	f = follower{events: newEvents()}
	opts := feed.Options{Interval: time.Millisecond, OnEvent: f.events.report, Snapshot: snapshot}
	f.copied = newCopied(source.FromFolder(s.open(tb)), opts)
	return f, start(tb, f.copied)
}

// follower is a mirror of a site, with the events of its Replica.
type follower struct {
	copied
	events events
}

// follow starts a mirror of a site.
func (s *site) follow(tb testing.TB) follower {
	tb.Helper()
	f, _ := s.followWith(tb, "")
	return f
}

// until waits until the mirror has everything that is published.
func (f follower) until(tb testing.TB, s *site) {
	tb.Helper()
	m, err := s.open(tb).Manifest(tb.Context())
	require.NoError(tb, err)
	caughtUp := func() bool { return f.State().Filled && f.State().Cursor == m.Version }
	require.Eventually(tb, caughtUp, time.Minute, time.Millisecond)
}

// A mirror of a folder is filled from an export and follows the changes. It is as old as the manifest.
func TestFolder(t *testing.T) {
	t.Parallel()
	s := newSite(t, publish.Options{})
	s.publish(t, asset.StatusBlocked, "one.dev", "two.dev")
	s.publish(t, asset.StatusAllowed, "two.dev", "three.dev")
	began := time.Now()
	f := s.follow(t)
	f.until(t, s)
	require.Equal(t, feed.EventFilled, (<-f.events).Kind, "without waiting for the next publication")
	require.True(t, f.State().ReadAt.Before(began), "as of the manifest")
	require.Equal(t, asset.StatusBlocked, statusOf(t, f.copied, "one.dev"))
	require.Equal(t, asset.StatusAllowed, statusOf(t, f.copied, "two.dev"))

	s.publish(t, asset.StatusUnknown, "one.dev")
	s.publish(t, asset.StatusBlocked, "four.dev")
	f.until(t, s)
	require.Equal(t, asset.StatusUnknown, statusOf(t, f.copied, "one.dev"))
	require.Equal(t, asset.StatusBlocked, statusOf(t, f.copied, "four.dev"))
	require.Equal(t, 3, f.Mirror.State().Assets)
	require.Empty(t, f.events)
}

// A mirror of an empty folder is filled, and then has the first changes.
func TestFolder_empty(t *testing.T) {
	t.Parallel()
	s := newSite(t, publish.Options{})
	s.publish(t, asset.StatusBlocked)
	f := s.follow(t)
	f.events.until(feed.EventFilled, nil)
	s.publish(t, asset.StatusBlocked, "one.dev")
	f.until(t, s)
	require.Equal(t, asset.StatusBlocked, statusOf(t, f.copied, "one.dev"))
}

// A mirror that starts again begins with its snapshot, although the publisher has stopped and nothing is listed. It
// has the changes since.
func TestFolder_snapshot(t *testing.T) {
	t.Parallel()
	for reason, later := range map[string][]string{"nothing changed": nil, "changes since": {"two.dev", "three.dev"}} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s, snapshot := newSite(t, publish.Options{}), filepath.Join(t.TempDir(), "snapshot")
			s.publish(t, asset.StatusBlocked, "one.dev")
			first, stop := s.followWith(t, snapshot)
			first.events.until(feed.EventFilled, nil)
			stop()
			for _, content := range later {
				s.publish(t, asset.StatusBlocked, content)
			}
			exports := func(w http.ResponseWriter, r *http.Request) bool {
				if strings.Contains(r.URL.Path, "export") {
					http.NotFound(w, r)
					return true
				}
				return false
			}
			s.before.Store(&exports)
			second, _ := s.followWith(t, snapshot)
			second.until(t, s)
			require.Equal(t, feed.EventFilled, (<-second.events).Kind)
			for _, content := range append([]string{"one.dev"}, later...) {
				require.Equal(t, asset.StatusBlocked, statusOf(t, second.copied, content))
			}
			require.NoError(t, second.State().Err)
		})
	}
}

// A cache that repeats an old manifest to a mirror that starts again does not take it back.
func TestFolder_snapshot_older(t *testing.T) {
	t.Parallel()
	s, snapshot := newSite(t, publish.Options{}), filepath.Join(t.TempDir(), "snapshot")
	s.publish(t, asset.StatusBlocked, "one.dev")
	path := filepath.Join(s.dir, manifest.Name)
	old, err := os.ReadFile(path)
	require.NoError(t, err)
	s.publish(t, asset.StatusBlocked, "two.dev")
	current, err := os.ReadFile(path)
	require.NoError(t, err)
	first, stop := s.followWith(t, snapshot)
	first.until(t, s)
	stop()

	require.NoError(t, os.WriteFile(path, old, 0o600))
	second, _ := s.followWith(t, snapshot)
	failed := <-second.events
	require.Equal(t, feed.EventFailed, failed.Kind)
	require.ErrorIs(t, failed.Err, manifest.ErrOlder)
	require.False(t, second.State().Filled)

	require.NoError(t, os.WriteFile(path, current, 0o600))
	second.events.until(feed.EventFilled, nil)
	require.Equal(t, asset.StatusBlocked, statusOf(t, second.copied, "two.dev"))
	require.Empty(t, second.events)
}

// away answers that the folder is not available.
func away(w http.ResponseWriter, _ *http.Request) bool {
	w.WriteHeader(http.StatusServiceUnavailable)
	return true
}

// If no changes lead on from a copy, it is filled anew, and the old one answers meanwhile.
func TestFolder_startsAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t, publish.Options{})
	s.publish(t, asset.StatusBlocked, "one.dev")
	f := s.follow(t)
	f.events.until(feed.EventFilled, nil)
	unavailable := away
	s.before.Store(&unavailable)
	f.events.until(feed.EventFailed, published.ErrUnavailable)
	require.Equal(t, asset.StatusBlocked, statusOf(t, f.copied, "one.dev"))
	require.NoError(t, os.Remove(filepath.Join(s.dir, manifest.Name)))
	s.publish(t, asset.StatusBlocked, "two.dev")
	s.before.Store(nil)
	f.events.until(feed.EventFailed, asset.ErrPrunedCursor)
	f.events.until(feed.EventFilled, nil)
	require.Equal(t, asset.StatusBlocked, statusOf(t, f.copied, "two.dev"))
}

// A mirror does not accept the folder of another store, until it starts again.
func TestFolder_otherStore(t *testing.T) {
	t.Parallel()
	s, snapshot := newSite(t, publish.Options{}), filepath.Join(t.TempDir(), "snapshot")
	s.publish(t, asset.StatusBlocked, "one.dev")
	first, stop := s.followWith(t, snapshot)
	first.events.until(feed.EventFilled, nil)
	s.use(t, apguard.New(memory.New(), apguard.Options{}))
	s.publish(t, asset.StatusBlocked, "two.dev")
	first.events.until(feed.EventFailed, manifest.ErrOtherStore)
	require.ErrorIs(t, first.State().Err, manifest.ErrOtherStore)
	require.Equal(t, asset.StatusBlocked, statusOf(t, first.copied, "one.dev"))
	stop()

	second, _ := s.followWith(t, snapshot)
	second.events.until(feed.EventSnapshotIgnored, asset.ErrPrunedCursor)
	second.events.until(feed.EventFilled, nil)
	require.Equal(t, asset.StatusUnknown, statusOf(t, second.copied, "one.dev"))
	require.Equal(t, asset.StatusBlocked, statusOf(t, second.copied, "two.dev"))
}

// Nothing of a damaged file gets into a mirror.
func TestFolder_damaged(t *testing.T) {
	t.Parallel()
	valid := `{"id":9,"type":"PAGE","content":"evil.dev","canonical":"evil.dev","status":"BLOCKED","updatedAt":null}` + "\n"
	for reason, c := range map[string]struct {
		file    string
		content func(string) string
		want    error
	}{
		"an export that is another one":        {"export", func(string) string { return valid }, manifest.ErrFile},
		"an export with more":                  {"export", func(s string) string { return s + valid }, manifest.ErrFile},
		"an export that is cut after an asset": {"export", func(s string) string { return s[:strings.Index(s, "\n")+1] }, manifest.ErrFile},
		"an export that is cut":                {"export", func(s string) string { return s[:len(s)-9] }, manifest.ErrFile},
		"an export that is no list":            {"export", strings.ToUpper, manifest.ErrFile},
		"changes that are others":              {"changes", func(s string) string { return strings.Replace(s, "two.dev", "six.dev", 1) }, manifest.ErrFile},
		"changes that are cut":                 {"changes", func(s string) string { return s[:10] }, manifest.ErrFile},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, publish.Options{})
			s.publish(t, asset.StatusBlocked, "one.dev", "three.dev")
			s.publish(t, asset.StatusBlocked, "two.dev")
			names, err := filepath.Glob(filepath.Join(s.dir, c.file+"-*"))
			require.NoError(t, err)
			require.Len(t, names, 1)
			good, err := os.ReadFile(names[0])
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(names[0], []byte(c.content(string(good))), 0o600))
			f := s.follow(t)
			failed := f.events.until(feed.EventFailed, c.want)
			require.ErrorContains(t, failed.Err, filepath.Base(names[0]))
			require.False(t, f.State().Filled)
			require.NoError(t, os.WriteFile(names[0], good, 0o600))
			f.events.until(feed.EventFilled, nil)
			require.Equal(t, 3, f.Mirror.State().Assets)
		})
	}
}

// A web server that sends a byte now and then does not stop the mirror unnoticed.
func TestFolder_drip(t *testing.T) {
	t.Parallel()
	s, events := newSite(t, publish.Options{}), newEvents()
	s.publish(t, asset.StatusBlocked, "one.dev")
	drip := func(w http.ResponseWriter, r *http.Request) bool {
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		for r.Context().Err() == nil {
			_, _ = w.Write([]byte{'x'})
			_ = http.NewResponseController(w).Flush()
			<-ticker.C
		}
		return true
	}
	s.before.Store(&drip)
	folder, err := published.New(s.manifest, s.key, published.Options{Timeout: 50 * time.Millisecond})
	require.NoError(t, err)
	m := newCopied(source.FromFolder(folder), feed.Options{Interval: time.Millisecond, OnEvent: events.report})
	start(t, m)
	events.until(feed.EventFailed, published.ErrUnavailable)
	require.ErrorIs(t, m.State().Err, published.ErrUnavailable)
}

// Without an export in the format jsonl, there is no mirror, and hash lists do without.
func TestFolder_notPublished(t *testing.T) {
	t.Parallel()
	s := newSite(t, publish.Options{Exports: []lists.Format{lists.CSV}})
	s.publish(t, asset.StatusBlocked, "one.dev")
	f := s.follow(t)
	require.ErrorIs(t, f.events.until(feed.EventFailed, manifest.ErrMissing).Err, manifest.ErrMissing)
	list := hashlist.New(time.Hour)
	require.NoError(t, list.Refresh(t.Context(), s.open(t).Hashes))
}
