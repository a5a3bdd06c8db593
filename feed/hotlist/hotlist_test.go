package hotlist_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hotlist"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// now is the time of all changes, in seconds.
const now = 1_750_000_000

// world is a store with a Hotlist, which the tests refresh.
type world struct {
	t     *testing.T
	store storage.Store
	list  followed
}

func newWorld(t *testing.T, opts hotlist.Options) world {
	t.Helper()
	store := memory.New()
	return world{t, store, newHotlist(store, opts)}
}

// followed is a Hotlist with the Replica that fills it.
type followed struct {
	*hotlist.Hotlist

	*feed.Replica
}

func newHotlist(store storage.Store, opts hotlist.Options) followed {
	return follow(feed.FromServices(asset.NewService(store, asset.Options{}), asset.NewFeedService(store)), opts)
}

func follow(source feed.Source, opts hotlist.Options) followed {
	list := hotlist.New(opts)
	return followed{list, feed.NewReplica(source, feed.Options{Views: []feed.View{list}, Interval: time.Millisecond})}
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
	require.NoError(t, json.Unmarshal(data(t, response), &decoded))
	return decoded
}

// data returns the data of a response.
func data(tb testing.TB, response hotlist.Response) []byte {
	tb.Helper()
	var text bytes.Buffer
	n, err := response.WriteTo(&text)
	require.NoError(tb, err)
	require.Equal(tb, int64(text.Len()), n)
	return text.Bytes()
}

// stampOf returns the time stamp of a position of a store.
func stampOf(tb testing.TB, store asset.FeedStore, position int64) int64 {
	tb.Helper()
	feed, err := store.Feed(tb.Context())
	require.NoError(tb, err)
	return hotlist.NewStamp(feed.Store, position)
}

// since returns the differences since a position.
func (w world) since(position int64) (hotlist.Response, error) {
	return w.list.DiffsSince(stampOf(w.t, w.store, position))
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

// lines returns diffs as short lines. All must have one time stamp.
func (d diffs) lines(t *testing.T, stamp int64) []string {
	t.Helper()
	lines := make([]string, len(d.Data))
	for i, one := range d.Data {
		sign := "+"
		if one.IsRemoval {
			sign = "-"
		}
		require.Equal(t, stamp, one.Timestamp)
		lines[i] = fmt.Sprintf("%s%s %s", sign, one.URL, one.TargetList[len("eth_phishing_detect_config."):])
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
	require.NoError(t, err)
	empty := fmt.Sprint(stampOf(t, w.store, 0))
	require.Equal(t, `{"data":{"tolerance":0,"version":2,"lastUpdated":`+empty+`,"allowlist":[],"blocklist":[],"blocklistPaths":[],"fuzzylist":[]}}`,
		string(data(t, response)))
	for _, stamp := range []int64{0, 1, stampOf(t, w.store, 0)} {
		response, err = w.list.DiffsSince(stamp)
		require.NoError(t, err)
		require.JSONEq(t, `{"data":[]}`, string(data(t, response)))
	}

	w.set(0, asset.StatusBlocked, "bad.com", "https://paths.com/a", "https://paths.com/a/b", "https://paths.com/ab")
	w.set(0, asset.StatusAllowed, "good.com")
	response, err = w.list.Stalelist()
	got := body[whole](t, response, err)
	require.Regexp(t, fmt.Sprintf(`^[0-9a-f]{32}\.%d$`, stampOf(t, w.store, 5)), response.Version)
	require.Equal(t, stampOf(t, w.store, 5), got.Data.LastUpdated)
	require.Equal(t, []string{"good.com"}, got.Data.Allowlist)
	require.Equal(t, []string{"bad.com"}, got.Data.Blocklist)
	require.Equal(t, []string{"paths.com/a", "paths.com/a/b", "paths.com/ab"}, got.Data.BlocklistPaths)

	w.set(0, asset.StatusUnknown, "https://paths.com/a")
	w.set(0, asset.StatusBlocked, "x.good.com")
	response, err = w.since(5)
	require.Equal(t, []string{
		"-paths.com blocklist", "-paths.com allowlist", "-paths.com/a blocklistPaths", "+paths.com/a/b blocklistPaths",
		"+x.good.com blocklist", "-good.com allowlist", "-x.good.com allowlist",
	}, body[diffs](t, response, err).lines(t, stampOf(t, w.store, 7)))
	for _, later := range []int64{7, 8, hotlist.MaxPosition} {
		response, err = w.since(later)
		require.Empty(t, body[diffs](t, response, err).Data)
	}
}

// What a client removes with a path comes after it, even if it was changed before.
func TestHotlist_DiffsSince_paths(t *testing.T) {
	t.Parallel()
	w := newWorld(t, hotlist.Options{})
	w.set(0, asset.StatusBlocked, "https://p.com/a/b/c", "https://p.com/a/b", "https://p.com/a")
	w.set(0, asset.StatusUnknown, "https://p.com/a/b", "https://p.com/a")
	for position, want := range map[int64][]string{
		0: {"-p.com/a/b", "-p.com/a", "+p.com/a/b/c"},
		4: {"-p.com/a", "+p.com/a/b/c"},
	} {
		response, err := w.since(position)
		var paths []string
		for _, one := range body[diffs](t, response, err).Data {
			if one.TargetList == "eth_phishing_detect_config.blocklistPaths" {
				paths = append(paths, map[bool]string{true: "-", false: "+"}[one.IsRemoval]+one.URL)
			}
		}
		require.Equal(t, want, paths)
	}
}

// A change of the basis of a status alone is in no list and takes no room in the history.
func TestHotlist_basisAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, hotlist.Options{History: 2})
	w.set(0, asset.StatusBlocked, "a.com")
	w.set(time.Hour, asset.StatusBlocked, "b.com")
	before, err := w.list.Stalelist()
	require.NoError(t, err)
	for _, reason := range []asset.Reason{asset.ReasonScam, asset.ReasonPhishing} {
		_, err := asset.NewService(w.store, asset.Options{}).SetStatus(t.Context(), asset.SetStatusRequest{
			Identity: asset.Identity{Type: asset.TypePage, Canonical: "a.com"}, Status: asset.StatusBlocked, Reason: reason,
		})
		require.NoError(t, err)
	}
	require.NoError(t, w.list.Refresh(t.Context()))
	after, err := w.list.Stalelist()
	require.Equal(t, body[whole](t, before, nil).Data.Blocklist, body[whole](t, after, err).Data.Blocklist)
	for position, want := range map[int64][]string{
		0: {"+a.com blocklist", "-a.com allowlist", "+b.com blocklist", "-b.com allowlist"},
		1: {"+b.com blocklist", "-b.com allowlist"},
		2: {},
	} {
		response, err := w.since(position)
		require.Equal(t, want, body[diffs](t, response, err).lines(t, stampOf(t, w.store, 4)))
	}
	response, err := w.list.RequestBlocklist(now + 4200)
	require.Equal(t, requests{hashesOf("b.com"), []string{}}, body[requests](t, response, err))
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
	for _, list := range []followed{w.list, restarted} {
		response, err := list.DiffsSince(stampOf(t, w.store, 1))
		require.Len(t, body[diffs](t, response, err).Data, 4)
		for _, stamp := range []int64{0, 1, stampOf(t, w.store, 0)} {
			_, err = list.DiffsSince(stamp)
			require.ErrorIs(t, err, hotlist.ErrTooOld)
		}
	}
	none := newHotlist(w.store, hotlist.Options{History: -1})
	require.NoError(t, none.Refresh(t.Context()))
	_, err := none.DiffsSince(stampOf(t, w.store, 2))
	require.ErrorIs(t, err, hotlist.ErrTooOld)
	response, err := none.DiffsSince(stampOf(t, w.store, 3))
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
	// last, unless 0, is the end of the feed.
	last int64
}

func (r *replaceable) Feed(ctx context.Context) (asset.Feed, error) {
	if r.err != nil {
		return asset.Feed{}, r.err
	}
	feed, err := r.Store.Feed(ctx)
	if r.last > 0 {
		feed.Last = r.last
	}
	return feed, err
}

func (r *replaceable) Since(ctx context.Context, after asset.FeedCursor, limit int) (step.Page[asset.FeedEntry], error) {
	page, err := r.Store.Since(ctx, after, limit)
	if err == nil && r.last > 0 {
		page = step.Page[asset.FeedEntry]{Items: slices.DeleteFunc(page.Items, func(e asset.FeedEntry) bool { return e.Cursor.Position() > r.last })}
		_, err = asset.Feed{Store: after.Store(), Last: r.last}.Position(after)
	}
	return page, err
}

func (r *replaceable) Assets(ctx context.Context, req asset.ListRequest) (step.Page[asset.Listed], error) {
	r.lists++
	if r.listErr != nil {
		return step.Page[asset.Listed]{}, r.listErr
	}
	return r.Store.Assets(ctx, req)
}

// The assets are listed once, and after the store was replaced.
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
	first.set(0, asset.StatusUnknown, "a.com")
	require.NoError(t, list.Refresh(t.Context()))
	require.Equal(t, []string{"b.com"}, blocked())
	require.Equal(t, reads, store.lists, "the change is enough")

	store.Store = second.store
	store.listErr = errors.New("lists are away")
	require.ErrorIs(t, list.Refresh(t.Context()), store.listErr)
	require.Equal(t, []string{"b.com"}, blocked())
	store.listErr = nil
	require.NoError(t, list.Refresh(t.Context()))
	require.Equal(t, []string{"c.com", "d.com"}, blocked())

	store.err = errors.New("away")
	require.ErrorIs(t, list.Refresh(t.Context()), store.err)
	require.Equal(t, []string{"c.com", "d.com"}, blocked())
	store.err = nil
	second.set(0, asset.StatusUnknown, "c.com")
	require.NoError(t, list.Refresh(t.Context()))
	require.Equal(t, []string{"d.com"}, blocked())
	response, err := list.DiffsSince(stampOf(t, store, 2))
	require.Equal(t, []string{"-c.com blocklist", "-c.com allowlist"}, body[diffs](t, response, err).lines(t, stampOf(t, store, 3)), "once")
}

// A Hotlist wants its history, and waits between publications.
func TestHotlist_Describe(t *testing.T) {
	t.Parallel()
	want := feed.Description{Name: "hotlist", Form: lists.WalletForm, History: hotlist.DefaultHistory, Interval: hotlist.DefaultInterval}
	require.Equal(t, want, hotlist.New(hotlist.Options{}).Describe())
	opts := hotlist.Options{Interval: time.Hour, History: -1}
	require.Equal(t, feed.Description{Name: "hotlist", Form: lists.WalletForm, Interval: time.Hour}, hotlist.New(opts).Describe())
}
