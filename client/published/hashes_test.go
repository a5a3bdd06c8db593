package published_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/client/published"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/publish/manifest"
	"github.com/apguard/apguard/storage/memory"
)

// store is a store of which hash lists are published.
type store struct {
	*publisher
	guard   *apguard.Guard
	origin  *hashes.Origin
	replica *feed.Replica
}

func newStore(tb testing.TB) *store {
	tb.Helper()
	guard := apguard.New(memory.New(), apguard.Options{})
	origin := hashes.New(hashes.Options{MinimumWait: time.Nanosecond})
	replica := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{origin}})
	return &store{newPublisher(tb), guard, origin, replica}
}

// block blocks a content and publishes the lists: whole ones first, and then steps.
func (s *store) block(tb testing.TB, content string) {
	tb.Helper()
	_, err := s.guard.SetStatus(tb.Context(), content, asset.StatusBlocked, asset.Origin{})
	require.NoError(tb, err)
	s.publishNow(tb)
}

// publishNow publishes the lists as of now.
func (s *store) publishNow(tb testing.TB) {
	tb.Helper()
	require.NoError(tb, s.replica.Refresh(tb.Context()))
	lists, err := s.origin.Since(s.Version.String())
	require.NoError(tb, err)
	file := manifest.File{Kind: manifest.KindHashes}
	file.Version, err = asset.ParseFeedCursor(lists.Version)
	require.NoError(tb, err)
	file.Since, err = asset.ParseFeedCursor(lists.Since)
	require.NoError(tb, err)
	if s.Version == (asset.FeedCursor{}) || s.Version != file.Version {
		s.add(file, lists.Data)
	}
	s.Version = file.Version
	s.publish(tb, time.Now())
}

// wholeAgain makes whole lists the only file.
func (s *store) wholeAgain(tb testing.TB) {
	tb.Helper()
	s.Files, s.Version = nil, asset.FeedCursor{}
	s.publishNow(tb)
}

// requireBlocked requires that a list blocks these contents.
func requireBlocked(tb testing.TB, list *hashlist.List, contents ...string) {
	tb.Helper()
	require.Equal(tb, len(contents), list.State().Blocked)
	for _, content := range contents {
		verdict, err := list.Check(tb.Context(), content)
		require.NoError(tb, err)
		require.Equal(tb, asset.StatusBlocked, verdict.Status, content)
	}
}

// A list needs whole lists once, then the steps, and nothing if nothing has changed.
func TestFolder_Hashes(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	folder, list := s.open(t, published.Options{}), hashlist.New(time.Hour)
	s.publishNow(t)
	require.NoError(t, list.Refresh(t.Context(), folder.Hashes))
	requireBlocked(t, list)

	s.block(t, "a.com") // the lists before have no version, so these are whole
	s.block(t, "b.com")
	s.block(t, "c.com")
	s.requests()
	require.NoError(t, list.Refresh(t.Context(), folder.Hashes))
	requireBlocked(t, list, "a.com", "b.com", "c.com")
	require.WithinDuration(t, s.Time, list.State().AsOf, time.Millisecond)
	require.Len(t, s.requests(), 4)
	require.Equal(t, s.Version.String(), list.State().Version)

	s.publishNow(t)
	before := list.State()
	require.NoError(t, list.Refresh(t.Context(), folder.Hashes))
	require.Equal(t, []string{manifest.Name}, s.requests())
	require.True(t, list.State().AsOf.After(before.AsOf), "unchanged lists are as new as the manifest")

	s.block(t, "d.com")
	require.NoError(t, list.Refresh(t.Context(), folder.Hashes))
	requireBlocked(t, list, "a.com", "b.com", "c.com", "d.com")
	require.Len(t, s.requests(), 2)

	_, err := folder.Hashes(t.Context(), "x")
	require.ErrorIs(t, err, asset.ErrMalformedCursor)
	none := newPublisher(t)
	none.publish(t, time.Now())
	require.ErrorIs(t, list.Refresh(t.Context(), none.open(t, published.Options{}).Hashes), manifest.ErrMissing)
}

// A list that was saved continues with the steps since, and takes whole lists if there are none.
func TestFolder_Hashes_saved(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.block(t, "a.com")
	list := hashlist.New(time.Hour)
	require.NoError(t, list.Refresh(t.Context(), s.open(t, published.Options{}).Hashes))
	var saved bytes.Buffer
	require.NoError(t, list.Save(&saved))
	s.block(t, "b.com")
	load := func() *hashlist.List {
		loaded := hashlist.New(time.Hour)
		require.NoError(t, loaded.Load(bytes.NewReader(saved.Bytes())))
		return loaded
	}

	s.requests()
	loaded := load()
	require.NoError(t, loaded.Refresh(t.Context(), s.open(t, published.Options{}).Hashes))
	requireBlocked(t, loaded, "a.com", "b.com")
	require.Len(t, s.requests(), 2)

	s.wholeAgain(t)
	s.block(t, "c.com")
	s.requests()
	loaded = load()
	require.NoError(t, loaded.Refresh(t.Context(), s.open(t, published.Options{}).Hashes), "its version is not in the chain")
	requireBlocked(t, loaded, "a.com", "b.com", "c.com")
	require.Len(t, s.requests(), 3)

	// A list that is between two published versions, such as one from a server, is newer than the whole lists.
	_, err := s.guard.SetStatus(t.Context(), "d.com", asset.StatusBlocked, asset.Origin{})
	require.NoError(t, err)
	require.NoError(t, s.replica.Refresh(t.Context()))
	response, err := s.origin.Since("")
	require.NoError(t, err)
	between := hashlist.New(time.Hour)
	require.NoError(t, between.Update(hashlist.Response{Data: response.Data, AsOf: time.Now(), Rules: classify.Version}))
	require.ErrorIs(t, between.Refresh(t.Context(), s.open(t, published.Options{}).Hashes), hashlist.ErrDowngraded, "it is newer than the folder")
	s.block(t, "e.com")
	require.NoError(t, between.Refresh(t.Context(), s.open(t, published.Options{}).Hashes))
	requireBlocked(t, between, "a.com", "b.com", "c.com", "d.com", "e.com")
}

// fault is a folder that a client cannot use.
type fault struct {
	// change changes the folder. The last file leads from what is held to the version of the manifest.
	change func(t *testing.T, s *store)
	want   error
	// code is that of the error in JavaScript.
	code string
}

// faults returns faults by the reason.
func faults() map[string]fault {
	return map[string]fault{
		"a file is missing": {func(_ *testing.T, s *store) { s.remove(last(s).Name) }, published.ErrUnavailable, "SERVER"},
		"a file is cut":     {func(_ *testing.T, s *store) { s.put(last(s).Name, s.content(last(s).Name)[:50]) }, hashlist.ErrDamaged, "DAMAGED"},
		"a file is changed": {func(_ *testing.T, s *store) {
			content := bytes.Clone(s.content(last(s).Name))
			content[len(content)/2] ^= 1
			s.put(last(s).Name, content)
		}, manifest.ErrFile, "DAMAGED"},
		"a file is another one":    {func(_ *testing.T, s *store) { s.put(last(s).Name, s.content(s.Files[0].Name)) }, manifest.ErrFile, "DAMAGED"},
		"a file has other rules":   {func(t *testing.T, s *store) { t.Helper(); s.Rules++; s.publish(t, time.Now()) }, new(hashlist.RulesError), "OTHER_RULES"},
		"the manifest is older":    {func(t *testing.T, s *store) { t.Helper(); s.publish(t, time.Now().Add(-time.Minute)) }, manifest.ErrOlder, "OLDER"},
		"the manifest is too old":  {func(t *testing.T, s *store) { t.Helper(); s.publish(t, time.Now().Add(-2*time.Hour)) }, manifest.ErrOlder, "OLDER"},
		"a signed file is no list": {func(t *testing.T, s *store) { t.Helper(); replaceLast(t, s, []byte("no list")) }, hashlist.ErrDamaged, "DAMAGED"},
		"a signed file is empty":   {func(t *testing.T, s *store) { t.Helper(); replaceLast(t, s, nil) }, hashlist.ErrDamaged, "DAMAGED"},
		"a signed file is too large": {func(t *testing.T, s *store) {
			t.Helper()
			s.Files[len(s.Files)-1].Size = hashlist.MaxSaved + 1
			s.publish(t, time.Now())
		}, nil, "DAMAGED"},
		"a signed step is another": {func(t *testing.T, s *store) {
			t.Helper()
			replaceLast(t, s, s.content(s.Files[1].Name))
		}, hashlist.ErrReplayed, "REPLAYED"},
		"a signed step leads elsewhere": {func(t *testing.T, s *store) {
			t.Helper()
			s.Version = asset.Feed{Store: s.Version.Store(), Prunings: 7}.Cursor(s.Version.Position())
			s.Files[len(s.Files)-1].Version = s.Version
			s.publish(t, time.Now())
		}, hashlist.ErrDamaged, "DAMAGED"},
		"a manifest of another store": {func(t *testing.T, s *store) {
			t.Helper()
			s.Version = at(9, 9)
			s.publish(t, time.Now())
		}, manifest.ErrOtherStore, "OTHER_STORE"},
	}
}

// After an error the list answers as before, and is as old as it is.
func TestFolder_Hashes_refused(t *testing.T) {
	t.Parallel()
	for reason, c := range faults() {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			folder, list := s.open(t, published.Options{}), hashlist.New(time.Hour)
			s.block(t, "a.com")
			s.block(t, "b.com")
			require.NoError(t, list.Refresh(t.Context(), folder.Hashes))
			before := list.State()

			s.block(t, "c.com")
			good := s.Manifest
			restore := s.saved()
			good.Files = append([]manifest.File(nil), s.Files...)
			c.change(t, s)
			err := list.Refresh(t.Context(), folder.Hashes)
			require.Error(t, err)
			if rules := new(hashlist.RulesError); errors.As(c.want, &rules) {
				require.ErrorAs(t, err, &rules)
				require.Equal(t, classify.Version+1, rules.Have)
			} else if c.want != nil {
				require.ErrorIs(t, err, c.want)
			}
			require.Equal(t, before, list.State())
			requireBlocked(t, list, "a.com", "b.com")

			s.Manifest = good
			restore()
			s.publish(t, time.Now())
			require.NoError(t, list.Refresh(t.Context(), s.open(t, published.Options{}).Hashes))
			requireBlocked(t, list, "a.com", "b.com", "c.com")
		})
	}
}

func last(s *store) manifest.File { return s.Files[len(s.Files)-1] }

// replaceLast replaces the content of the last file, and signs it.
func replaceLast(t *testing.T, s *store, content []byte) {
	t.Helper()
	file := last(s)
	s.Files = s.Files[:len(s.Files)-1]
	s.add(file, content)
	s.publish(t, time.Now())
}

// A step that is damaged on the way does not keep a client from the lists, if there are later whole ones.
func TestFolder_Hashes_wholeInstead(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	folder, list := s.open(t, published.Options{}), hashlist.New(time.Hour)
	s.block(t, "a.com")
	require.NoError(t, list.Refresh(t.Context(), folder.Hashes))
	s.block(t, "b.com")
	step := last(s)
	whole, err := s.origin.Since("")
	require.NoError(t, err)
	s.add(manifest.File{Kind: manifest.KindHashes, Version: s.Version}, append(whole.Data, make([]byte, 0)...))
	s.publish(t, time.Now())
	s.set(func(w http.ResponseWriter, r *http.Request) bool {
		return strings.HasSuffix(r.URL.Path, step.Name) && answer(http.StatusOK, "cached by mistake")(w, r)
	})
	require.NoError(t, list.Refresh(t.Context(), folder.Hashes))
	requireBlocked(t, list, "a.com", "b.com")
}

// Canceling a refresh ends all requests.
func TestFolder_Hashes_canceled(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.block(t, "a.com")
	s.block(t, "b.com")
	ctx, cancel := context.WithCancel(t.Context())
	s.set(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, ".json") {
			return false
		}
		cancel()
		<-r.Context().Done()
		return true
	})
	list := hashlist.New(time.Hour)
	require.ErrorIs(t, list.Refresh(ctx, s.open(t, published.Options{}).Hashes), context.Canceled)
	_, err := list.Check(t.Context(), "a.com")
	require.ErrorIs(t, err, hashlist.ErrNoList)
}
