package hotlist_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hotlist"
)

const (
	// distance is the distance of the time stamps of two positions.
	distance = 1 << hotlist.IdentityBits
	// foreign is a difference in the bits that identify the store.
	foreign = 1
)

func TestHotlist_DiffsSince_stamps(t *testing.T) {
	t.Parallel()
	w := newWorld(t, hotlist.Options{})
	w.set(0, asset.StatusBlocked, "a.com", "b.com", "c.com")
	end := stampOf(t, w.store, 3)
	restarted := newHotlist(w.store, hotlist.Options{})
	require.NoError(t, restarted.Refresh(t.Context()))
	for reason, c := range map[string]struct {
		stamp int64
		// changes is the number of changes, or negative for ErrTooOld.
		changes int
	}{
		"client without lists, 0":                 {0, 3},
		"client without lists, 1":                 {1, 3},
		"empty store":                             {end - 3*distance, 3},
		"one change behind":                       {end - distance, 1},
		"newest":                                  {end, 0},
		"server that is behind the client's":      {end + distance, 0},
		"last position":                           {stampOf(t, w.store, hotlist.MaxPosition), 0},
		"position of older versions":              {4, -1},
		"before the first position":               {end - 4*distance, -1},
		"negative":                                {-1, -1},
		"other store, a position that is known":   {end - distance ^ foreign, -1},
		"other store, beyond the end":             {end + distance ^ foreign, -1},
		"other store, the newest position":        {end ^ foreign, -1},
		"other store, in the highest of its bits": {end ^ distance>>1, -1},
	} {
		for _, list := range []followed{w.list, restarted} {
			response, err := list.DiffsSince(c.stamp)
			if c.changes < 0 {
				require.ErrorIs(t, err, hotlist.ErrTooOld, reason)
				continue
			}
			require.Len(t, body[diffs](t, response, err).Data, 2*c.changes, reason)
		}
	}
}

// A time stamp is one of its store only, unless another one has the same bits. It keeps the order of
// positions, and clients read it exactly.
func TestNewStamp_law(t *testing.T) {
	t.Parallel()
	draw := rapid.Custom(func(t *rapid.T) (id asset.StoreID) {
		copy(id[:], rapid.SliceOfN(rapid.Byte(), len(id), len(id)).Draw(t, "id"))
		return id
	})
	rapid.Check(t, func(t *rapid.T) {
		store, other := draw.Draw(t, "store"), draw.Draw(t, "other")
		positions := rapid.Int64Range(0, hotlist.MaxPosition)
		a, b := positions.Draw(t, "a"), positions.Draw(t, "b")
		stamp := hotlist.NewStamp(store, a)
		require.Greater(t, stamp, int64(1))
		require.LessOrEqual(t, stamp, int64(asset.MaxID))
		require.Equal(t, a < b, stamp < hotlist.NewStamp(store, b))
		require.Equal(t, a == b, stamp == hotlist.NewStamp(store, b))

		position, ok := hotlist.PositionOf(store, stamp)
		require.True(t, ok)
		require.Equal(t, a, position)
		_, ok = hotlist.PositionOf(store, hotlist.NewStamp(store, 0)-distance)
		require.False(t, ok, "before the first position")
		_, ok = hotlist.PositionOf(other, stamp)
		require.Equal(t, hotlist.NewStamp(store, 0) == hotlist.NewStamp(other, 0), ok)
	})
}

// Every store has other bits, except for a few.
func TestNewStamp_stores(t *testing.T) {
	t.Parallel()
	stamps := make(map[int64]bool)
	for i := range 1000 {
		stamps[hotlist.NewStamp(asset.StoreID{15: byte(i), 14: byte(i >> 8)}, 0)] = true
	}
	require.Greater(t, len(stamps), 990)
}

// If positions no longer fit, the lists stay as they are.
func TestHotlist_Publish_full(t *testing.T) {
	t.Parallel()
	store := asset.Feed{Store: asset.StoreID{1}, Last: hotlist.MaxPosition + 1}
	list := hotlist.New(hotlist.Options{})
	c := list.NewCopy(store, store.Cursor(hotlist.MaxPosition-1))
	change := asset.Change{Type: asset.TypePage, From: asset.StatusUnknown, To: asset.StatusBlocked}
	for i, blocked := range [][]string{{"a.com"}, {"a.com"}} {
		change.Content = []string{"a.com", "b.com"}[i]
		cursor := store.Cursor(hotlist.MaxPosition + int64(i))
		require.NoError(t, c.Apply([]asset.FeedEntry{{Change: change, Cursor: cursor}}, cursor))
		c.Publish(feed.AsOf{Store: store.Store, Cursor: cursor})
		response, err := list.Stalelist()
		got := body[whole](t, response, err).Data
		require.Equal(t, blocked, got.Blocklist)
		require.Equal(t, hotlist.NewStamp(store.Store, hotlist.MaxPosition), got.LastUpdated)
	}
}

// Until the store of an empty feed is known, clients are those without lists.
func TestHotlist_unknownStore(t *testing.T) {
	t.Parallel()
	list := hotlist.New(hotlist.Options{})
	c := list.NewCopy(asset.Feed{}, asset.FeedCursor{})
	require.NoError(t, c.Add(asset.Known{Asset: asset.Asset{Identity: asset.Identity{Type: asset.TypePage, Canonical: "a.com"}, Status: asset.StatusBlocked}}))
	c.Publish(feed.AsOf{})
	response, err := list.Stalelist()
	got := body[whole](t, response, err).Data
	require.Equal(t, []string{"a.com"}, got.Blocklist)
	require.Equal(t, int64(1), got.LastUpdated)

	store := asset.Feed{Store: asset.StoreID{1}, Last: 1}
	change := asset.Change{Type: asset.TypePage, Content: "b.com", From: asset.StatusUnknown, To: asset.StatusBlocked}
	require.NoError(t, c.Apply([]asset.FeedEntry{{Change: change}}, store.End()))
	c.Publish(feed.AsOf{Store: store.Store, Cursor: store.End()})
	response, err = list.DiffsSince(got.LastUpdated)
	require.Equal(t, []string{"+b.com blocklist", "-b.com allowlist"}, body[diffs](t, response, err).lines(t, hotlist.NewStamp(store.Store, 1)))
}
