package hotlist_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hotlist"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage/memory"
)

// slowClient reads a response. Between two parts of it, something happens.
type slowClient struct {
	text    strings.Builder
	parts   int
	between func()
}

func (c *slowClient) Write(part []byte) (int, error) {
	c.parts++
	n, err := c.text.Write(part)
	c.between()
	return n, err
}

// held is what a client holds: the elements of each list.
type held map[string]map[string]bool

func newHeld(t *testing.T, stalelist string) (h held, stamp int64) {
	t.Helper()
	var w whole
	require.NoError(t, json.Unmarshal([]byte(stalelist), &w))
	h = make(held)
	for name, texts := range map[string][]string{"allowlist": w.Data.Allowlist, "blocklist": w.Data.Blocklist, "blocklistPaths": w.Data.BlocklistPaths} {
		h[name] = make(map[string]bool)
		for _, text := range texts {
			h[name][text] = true
		}
		require.Len(t, h[name], len(texts), "each once")
	}
	h.dropCovered()
	return h, w.Data.LastUpdated
}

// dropCovered drops the paths below others, which the client does not hold.
func (h held) dropCovered() {
	paths := h["blocklistPaths"]
	maps.DeleteFunc(paths, func(path string, _ bool) bool {
		for cut := strings.LastIndexByte(path, '/'); cut > 0; cut = strings.LastIndexByte(path[:cut], '/') {
			if paths[path[:cut]] {
				return true
			}
		}
		return false
	})
}

// apply applies differences as MetaMask's client does, and returns its new time stamp.
func (h held) apply(t *testing.T, text string, stamp int64) int64 {
	t.Helper()
	var d diffs
	require.NoError(t, json.Unmarshal([]byte(text), &d))
	for _, one := range d.Data {
		require.Greater(t, one.Timestamp, stamp)
		list := h[one.TargetList[len("eth_phishing_detect_config."):]]
		if one.IsRemoval {
			delete(list, one.URL)
			maps.DeleteFunc(list, func(path string, _ bool) bool { return strings.HasPrefix(path, one.URL+"/") })
		} else {
			list[one.URL] = true
		}
	}
	h.dropCovered()
	if len(d.Data) > 0 {
		return d.Data[0].Timestamp
	}
	return stamp
}

// shuffle sets the status of random contents, of which there are some thousands.
func (w world) shuffle(drawn *rand.Rand, changes int) {
	w.t.Helper()
	items := make([]asset.StatusItem, 0, changes)
	for range changes {
		canonical := fmt.Sprintf("host%d.example%d.com", drawn.IntN(1500), drawn.IntN(2))
		kind := asset.TypePage
		if drawn.IntN(3) > 0 {
			canonical = fmt.Sprintf("https://paths.com/a%d/b%d", drawn.IntN(30), drawn.IntN(40))
			canonical = strings.TrimSuffix(canonical, "/b0")
			kind = asset.TypeURL
		}
		status := []asset.Status{asset.StatusBlocked, asset.StatusBlocked, asset.StatusAllowed, asset.StatusUnknown}[drawn.IntN(4)]
		items = append(items, asset.StatusItem{Identity: asset.Identity{Type: kind, Canonical: canonical}, Status: status})
	}
	for chunk := range slices.Chunk(items, asset.MaxItems) {
		_, err := asset.NewService(w.store, asset.Options{}).SetStatuses(w.t.Context(), asset.SetStatusesRequest{Items: chunk})
		require.NoError(w.t, err)
	}
	require.NoError(w.t, w.list.Refresh(w.t.Context()))
}

// pages is a source that knows only the positions of pages, as a server of the HTTP API.
type pages struct{ feed.Source }

func (p pages) List(ctx context.Context, _ int) (feed.List, error) { return p.Source.List(ctx, 0) }

func (p pages) Changes(ctx context.Context, cursor asset.FeedCursor) (feed.Changes, error) {
	changes, err := p.Source.Changes(ctx, cursor)
	for i := range changes.Entries {
		changes.Entries[i].Cursor = asset.FeedCursor{}
	}
	return changes, err
}

// Whatever is published while a client reads, it holds what is on the lists after the next difference, whichever
// server it asks: one that follows the store, one that follows another server, or one that was started again.
func TestResponse_WriteTo_law(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Of[uint64](2, 8, 100) {
		drawn := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(t, hotlist.Options{})
		source := feed.FromServices(asset.NewService(w.store, asset.Options{}), asset.NewFeedService(w.store))
		byPages := follow(pages{source}, hotlist.Options{})
		require.NoError(t, byPages.Refresh(t.Context()))
		ask := func() followed {
			asked := []followed{w.list, byPages, follow(source, hotlist.Options{})}[drawn.IntN(3)]
			require.NoError(t, asked.Refresh(t.Context()))
			return asked
		}
		w.shuffle(drawn, 3000)
		read := func(response hotlist.Response, err error) string {
			require.NoError(t, err)
			client := &slowClient{between: func() { w.shuffle(drawn, drawn.IntN(20)) }}
			n, err := response.WriteTo(client)
			require.NoError(t, err)
			require.Equal(t, n, int64(client.text.Len()))
			require.LessOrEqual(t, client.text.Len()/client.parts, 33<<10)
			return client.text.String()
		}
		client, stamp := newHeld(t, read(ask().Stalelist()))
		for range 4 {
			stamp = client.apply(t, read(ask().DiffsSince(stamp)), stamp)
			w.shuffle(drawn, drawn.IntN(3000))
		}
		response, err := ask().DiffsSince(stamp)
		require.NoError(t, err)
		client.apply(t, string(data(t, response)), stamp)

		for _, list := range []followed{w.list, byPages, follow(source, hotlist.Options{})} {
			require.NoError(t, list.Refresh(t.Context()))
			response, err = list.Stalelist()
			require.NoError(t, err)
			fresh, _ := newHeld(t, string(data(t, response)))
			for name, texts := range fresh {
				require.True(t, maps.Equal(texts, client[name]), "seed %d, %s", seed, name)
			}
		}
	}
}

// Hashes of hosts are complete while changes are published.
func TestHotlist_RequestBlocklist_slow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, hotlist.Options{History: 700})
	for first := 0; first < 2000; first += 1000 {
		block(t, w.store, first, 1000)
	}
	require.NoError(t, w.list.Refresh(t.Context()))
	next := 2000
	for _, since := range []int64{0, 601} {
		response, err := w.list.RequestBlocklist(since)
		require.NoError(t, err)
		before := next
		client := &slowClient{between: func() {
			block(t, w.store, next, 1)
			next++
			require.NoError(t, w.list.Refresh(t.Context()))
		}}
		_, err = response.WriteTo(client)
		require.NoError(t, err)
		var got requests
		require.NoError(t, json.Unmarshal([]byte(client.text.String()), &got))
		for i := range before {
			require.Contains(t, got.RecentlyAdded, hashesOf(fmt.Sprintf("host%d.example.com", i))[0])
		}
		require.Greater(t, client.parts, 3)
	}
}

// A response does not go on with what changes while its client reads.
func TestHotlist_DiffsSince_slow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, hotlist.Options{})
	block(t, w.store, 0, 1000)
	require.NoError(t, w.list.Refresh(t.Context()))
	response, err := w.list.DiffsSince(0)
	require.NoError(t, err)
	next := 1000
	client := &slowClient{}
	client.between = func() {
		require.Less(t, client.parts, 20)
		block(t, w.store, next, 1000)
		next += 1000
		require.NoError(t, w.list.Refresh(t.Context()))
	}
	_, err = response.WriteTo(client)
	require.NoError(t, err)
	h := held{"blocklist": {}, "allowlist": {}, "blocklistPaths": {}}
	require.Equal(t, stampOf(t, w.store, 1000), h.apply(t, client.text.String(), 1))
	require.Len(t, h["blocklist"], 1000)
}

// A response that cannot be completed ends with an error.
func TestResponse_WriteTo_ended(t *testing.T) {
	t.Parallel()
	const history = 1500
	for reason, c := range map[string]struct {
		between func(w world, store *replaceable)
		err     error
	}{
		"nothing happens":                  {func(world, *replaceable) {}, nil},
		"the history moves on, but slowly": {func(w world, _ *replaceable) { block(w.t, w.store, 10_000, 1) }, nil},
		"the history has moved on":         {func(w world, _ *replaceable) { block(w.t, w.store, 10_000, history) }, hotlist.ErrTooOld},
		"the store was replaced": {func(w world, store *replaceable) {
			store.Store = memory.New()
			block(w.t, store, 0, history+1)
		}, hotlist.ErrTooOld},
		"the store was set back": {func(_ world, store *replaceable) { store.last = 1 }, hotlist.ErrTooOld},
		"the client is gone":     {nil, io.ErrClosedPipe},
	} {
		store := &replaceable{Store: memory.New()}
		w := world{t, store, newHotlist(store, hotlist.Options{History: history})}
		block(t, store, 0, history)
		require.NoError(t, w.list.Refresh(t.Context()))
		response, err := w.list.DiffsSince(0)
		require.NoError(t, err)
		client := &slowClient{between: func() {}}
		var out io.Writer = client
		if c.between != nil {
			client.between = func() {
				if client.parts == 1 {
					c.between(w, store)
					for range 4 { // a cursor beyond the end of the feed is tried again
						err = w.list.Refresh(t.Context())
					}
					require.NoError(t, err)
				}
			}
		} else {
			out = goneClient{}
		}
		_, err = response.WriteTo(out)
		require.ErrorIs(t, err, c.err, reason)
	}
}

type goneClient struct{}

func (goneClient) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestResponse_WriteTo_zero(t *testing.T) {
	t.Parallel()
	require.Empty(t, data(t, hotlist.Response{}))
}

// A response ends with an error if the history was cut at the change whose elements it is writing.
func TestResponse_WriteTo_cutInAChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t, hotlist.Options{History: 1})
	paths := make([]string, 2001)
	for i := range paths {
		paths[i] = fmt.Sprintf("https://paths.com/a/%04d", i)
	}
	paths[0] = "https://paths.com/a"
	w.set(0, asset.StatusBlocked, paths...)
	before := int64(len(paths))
	w.set(0, asset.StatusUnknown, "https://paths.com/a") // all paths below it come again
	response, err := w.since(before)
	require.NoError(t, err)
	client := &slowClient{}
	client.between = func() {
		if client.parts == 1 {
			w.set(0, asset.StatusBlocked, "other.com")
		}
	}
	_, err = response.WriteTo(client)
	require.Equal(t, 1, client.parts)
	require.ErrorIs(t, err, hotlist.ErrTooOld)
}
