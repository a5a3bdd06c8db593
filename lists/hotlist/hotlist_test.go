package hotlist_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists/hotlist"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// now is the time of all changes, in seconds.
const now = 1_750_000_000

// world is a store with a Hotlist, which the tests refresh.
type world struct {
	t     *testing.T
	store storage.Store
	list  *hotlist.Hotlist
}

func newWorld(t *testing.T, opts hotlist.Options) world {
	t.Helper()
	store := memory.New()
	return world{t, store, newHotlist(store, opts)}
}

func newHotlist(store storage.Store, opts hotlist.Options) *hotlist.Hotlist {
	return hotlist.New(asset.NewService(store, asset.Options{}), asset.NewFeedService(store), opts)
}

// set sets the status of contents at a time after now, and refreshes the list.
func (w world) set(after time.Duration, status asset.Status, contents ...string) {
	w.t.Helper()
	guard := apguard.New(w.store, apguard.Options{Clock: func() time.Time { return time.Unix(now, 0).Add(after) }})
	for _, content := range contents {
		_, err := guard.SetStatus(w.t.Context(), content, status, asset.Origin{})
		require.NoError(w.t, err)
	}
	require.NoError(w.t, w.list.Refresh(w.t.Context()))
}

// body decodes a response.
func body[T any](t *testing.T, response hotlist.Response, err error) (decoded T) {
	t.Helper()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(response.Data, &decoded))
	return decoded
}

type whole struct {
	Data struct {
		LastUpdated                          int64
		Allowlist, Blocklist, BlocklistPaths []string
	}
}

type diffs struct {
	Data []struct {
		URL        string
		Timestamp  int64
		TargetList string
		IsRemoval  bool
	}
}

// lines returns diffs as short lines.
func (d diffs) lines() []string {
	lines := make([]string, len(d.Data))
	for i, one := range d.Data {
		sign := "+"
		if one.IsRemoval {
			sign = "-"
		}
		lines[i] = fmt.Sprintf("%d %s%s %s", one.Timestamp, sign, one.URL, one.TargetList[len("eth_phishing_detect_config."):])
	}
	return lines
}

type requests struct{ RecentlyAdded, RecentlyRemoved []string }

func hashesOf(hosts ...string) []string {
	hashes := make([]string, len(hosts))
	for i, host := range hosts {
		sum := sha256.Sum256([]byte(host))
		hashes[i] = hex.EncodeToString(sum[:])
	}
	return hashes
}

func TestHotlist(t *testing.T) {
	t.Parallel()
	w := newWorld(t, hotlist.Options{})
	require.NoError(t, w.list.Refresh(t.Context()))
	response, err := w.list.Stalelist()
	require.JSONEq(t, `{"data":{"tolerance":0,"version":2,"lastUpdated":1,"allowlist":[],"blocklist":[],"blocklistPaths":[],"fuzzylist":[]}}`,
		string(response.Data))
	require.NoError(t, err)
	response, err = w.list.DiffsSince(1)
	require.JSONEq(t, `{"data":[]}`, string(response.Data))
	require.NoError(t, err)

	w.set(0, asset.StatusBlocked, "bad.com", "https://paths.com/a", "https://paths.com/a/b", "https://paths.com/ab")
	w.set(0, asset.StatusAllowed, "good.com")
	response, err = w.list.Stalelist()
	got := body[whole](t, response, err)
	require.Regexp(t, `^[0-9a-f]{32}\.6$`, response.Version)
	require.Equal(t, int64(6), got.Data.LastUpdated)
	require.Equal(t, []string{"good.com"}, got.Data.Allowlist)
	require.Equal(t, []string{"bad.com"}, got.Data.Blocklist)
	require.Equal(t, []string{"paths.com/a", "paths.com/a/b", "paths.com/ab"}, got.Data.BlocklistPaths)

	w.set(0, asset.StatusUnknown, "https://paths.com/a")
	w.set(0, asset.StatusBlocked, "x.good.com")
	response, err = w.list.DiffsSince(6)
	require.Equal(t, []string{
		"8 -paths.com blocklist", "8 +x.good.com blocklist", "8 -good.com allowlist", "8 -paths.com allowlist", "8 -x.good.com allowlist",
		"8 -paths.com/a blocklistPaths", "8 +paths.com/a/b blocklistPaths",
	}, body[diffs](t, response, err).lines())
	for _, later := range []int64{8, 9, asset.MaxID} {
		response, err = w.list.DiffsSince(later)
		require.Empty(t, body[diffs](t, response, err).Data)
	}
}

func TestHotlist_notFilled(t *testing.T) {
	t.Parallel()
	list := newHotlist(memory.New(), hotlist.Options{})
	_, err := list.Stalelist()
	require.ErrorIs(t, err, hotlist.ErrNotFilled)
	require.ErrorIs(t, err, asset.ErrUnavailable)
	_, err = list.DiffsSince(1)
	require.ErrorIs(t, err, hotlist.ErrNotFilled)
	_, err = list.RequestBlocklist(0)
	require.ErrorIs(t, err, hotlist.ErrNotFilled)
}

// The history is as long as the option says, also after a restart.
func TestHotlist_DiffsSince_tooOld(t *testing.T) {
	t.Parallel()
	w := newWorld(t, hotlist.Options{History: 2})
	w.set(0, asset.StatusBlocked, "a.com", "b.com", "c.com")
	restarted := newHotlist(w.store, hotlist.Options{History: 2})
	require.NoError(t, restarted.Refresh(t.Context()))
	for _, list := range []*hotlist.Hotlist{w.list, restarted} {
		response, err := list.DiffsSince(2)
		require.Len(t, body[diffs](t, response, err).Data, 4)
		_, err = list.DiffsSince(1)
		require.ErrorIs(t, err, hotlist.ErrTooOld)
		_, err = list.DiffsSince(0)
		require.ErrorIs(t, err, hotlist.ErrTooOld)
	}
	none := newHotlist(w.store, hotlist.Options{History: -1})
	require.NoError(t, none.Refresh(t.Context()))
	_, err := none.DiffsSince(3)
	require.ErrorIs(t, err, hotlist.ErrTooOld)
	response, err := none.DiffsSince(4)
	require.Empty(t, body[diffs](t, response, err).Data)
}

func TestHotlist_RequestBlocklist(t *testing.T) {
	t.Parallel()
	w := newWorld(t, hotlist.Options{History: 4})
	w.set(0, asset.StatusBlocked, "a.com", "b.com")
	w.set(time.Hour, asset.StatusBlocked, "c.com")
	w.set(time.Hour, asset.StatusUnknown, "a.com")
	for since, want := range map[int64]requests{
		0:            {hashesOf("b.com", "c.com"), []string{}},
		60:           {hashesOf("b.com", "c.com"), []string{}},
		now:          {hashesOf("b.com", "c.com"), hashesOf("a.com")},
		now + 601:    {hashesOf("c.com"), hashesOf("a.com")},
		now + 4200:   {hashesOf("c.com"), hashesOf("a.com")},
		now + 4201:   {[]string{}, []string{}},
		asset.MaxID:  {[]string{}, []string{}},
		now + 300000: {[]string{}, []string{}},
	} {
		response, err := w.list.RequestBlocklist(since)
		require.Equal(t, want, body[requests](t, response, err), since)
	}
	// The history begins with the change of c.com, so older clients get all blocked hosts.
	w.set(time.Hour, asset.StatusBlocked, "d.com", "e.com")
	for since, want := range map[int64]requests{
		now + 4200: {hashesOf("b.com", "c.com", "d.com", "e.com"), hashesOf("a.com")},
		now + 4201: {[]string{}, []string{}},
	} {
		response, err := w.list.RequestBlocklist(since)
		require.Equal(t, want, body[requests](t, response, err), since)
	}
}

// replaceable is a store that a test replaces or that fails.
type replaceable struct {
	storage.Store
	err, listErr error
	lists        int
}

func (r *replaceable) Feed(ctx context.Context) (asset.Feed, error) {
	if r.err != nil {
		return asset.Feed{}, r.err
	}
	return r.Store.Feed(ctx)
}

func (r *replaceable) Assets(ctx context.Context, req asset.ListRequest) (asset.Page[asset.Listed], error) {
	r.lists++
	if r.listErr != nil {
		return asset.Page[asset.Listed]{}, r.listErr
	}
	return r.Store.Assets(ctx, req)
}

// The assets are read again if the feed has moved on, and after the store was replaced.
func TestHotlist_Refresh(t *testing.T) {
	t.Parallel()
	first, second := newWorld(t, hotlist.Options{}), newWorld(t, hotlist.Options{})
	first.set(0, asset.StatusBlocked, "a.com", "b.com")
	second.set(0, asset.StatusBlocked, "c.com", "d.com")
	store := &replaceable{Store: first.store}
	list := newHotlist(store, hotlist.Options{})
	blocked := func() []string {
		response, err := list.Stalelist()
		return body[whole](t, response, err).Data.Blocklist
	}
	require.NoError(t, list.Refresh(t.Context()))
	require.Equal(t, []string{"a.com", "b.com"}, blocked())
	reads := store.lists
	require.NoError(t, list.Refresh(t.Context()))
	require.Equal(t, reads, store.lists, "nothing has changed")

	store.Store = second.store
	require.NoError(t, list.Refresh(t.Context()))
	require.Equal(t, []string{"c.com", "d.com"}, blocked())

	store.err = errors.New("away")
	require.ErrorIs(t, list.Refresh(t.Context()), store.err)
	require.Equal(t, []string{"c.com", "d.com"}, blocked())
	store.err, store.listErr = nil, errors.New("lists are away")
	second.set(0, asset.StatusUnknown, "c.com")
	require.ErrorIs(t, list.Refresh(t.Context()), store.listErr)
	store.listErr = nil
	require.NoError(t, list.Refresh(t.Context()))
	require.Equal(t, []string{"d.com"}, blocked())
	response, err := list.DiffsSince(3)
	require.Equal(t, []string{"4 -c.com blocklist", "4 -c.com allowlist"}, body[diffs](t, response, err).lines(), "once")
}

func TestHotlist_Run(t *testing.T) {
	t.Parallel()
	store := &replaceable{Store: memory.New(), err: errors.New("away")}
	ctx, stop := context.WithCancel(t.Context())
	reports := make(chan error, 1)
	list := newHotlist(store, hotlist.Options{Interval: time.Millisecond, Report: func(err error) {
		reports <- err
		stop()
	}})
	require.ErrorIs(t, list.Run(ctx), context.Canceled)
	require.ErrorIs(t, <-reports, store.err)
}

// Requests for the same changes share a response, whatever their times are. Those that the history does
// not answer share one with all hosts.
func TestHotlist_RequestBlocklist_shared(t *testing.T) {
	t.Parallel()
	for _, history := range []int{10, 1} {
		w := newWorld(t, hotlist.Options{History: history})
		w.set(0, asset.StatusBlocked, "a.com", "b.com")
		first, err := w.list.RequestBlocklist(now)
		require.NoError(t, err)
		second, err := w.list.RequestBlocklist(now - 1)
		require.NoError(t, err)
		require.Len(t, body[requests](t, first, err).RecentlyAdded, 2)
		require.Same(t, &first.Data[0], &second.Data[0])
	}
}
