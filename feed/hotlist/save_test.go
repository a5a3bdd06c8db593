package hotlist

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
)

// A copy that was loaded answers, and goes on, as the one that was saved.
func TestCopied_Load(t *testing.T) {
	t.Parallel()
	store := asset.Feed{Store: asset.StoreID{1}, Last: 100}
	begin := func(history int) (*Hotlist, *copied) {
		h := New(Options{History: history})
		return h, h.NewCopy(store, asset.FeedCursor{}).(*copied)
	}
	apply := func(c *copied, position int64, kind asset.Type, content string, status asset.Status) {
		change := asset.Change{Type: kind, Content: content, From: asset.StatusUnknown, To: status, At: time.Unix(1000+position, 0)}
		require.NoError(t, c.Apply([]asset.FeedEntry{{Change: change, Cursor: store.Cursor(position)}}, store.Cursor(position)))
	}
	answers := func(h *Hotlist, since ...int64) (texts []string) {
		for _, at := range since {
			for _, request := range []func() (Response, error){
				h.Stalelist,
				func() (Response, error) { return h.DiffsSince(newStamp(store.Store, at)) },
				func() (Response, error) { return h.RequestBlocklist(1600 + at) },
			} {
				var text bytes.Buffer
				response, err := request()
				require.NoError(t, err)
				_, err = response.WriteTo(&text)
				require.NoError(t, err)
				texts = append(texts, text.String())
			}
		}
		return texts
	}
	first, saved := begin(5)
	for i, content := range []string{"a.com", "b.com", "c.com"} {
		apply(saved, int64(i+1), asset.TypePage, content, asset.StatusBlocked)
	}
	apply(saved, 4, asset.TypeURL, "https://d.com/x/y", asset.StatusBlocked)
	apply(saved, 5, asset.TypeURL, "https://d.com/x", asset.StatusUnknown)
	apply(saved, 6, asset.TypePage, "e.com", asset.StatusAllowed)
	var data bytes.Buffer
	require.NoError(t, saved.Save(&data))
	for history, since := range map[int][]int64{5: {1, 2, 5, 6}, 3: {5, 6}, 100: {1, 2, 5, 6}} {
		second, loaded := begin(history)
		require.NoError(t, loaded.Load(bytes.NewReader(data.Bytes())))
		_, again := begin(5)
		require.NoError(t, again.Load(bytes.NewReader(data.Bytes())))
		again.hotlist = first
		for _, c := range []*copied{loaded, again} {
			c.Publish(feed.AsOf{Store: store.Store, Cursor: store.Cursor(6)})
		}
		saved.last = nil
		saved.Publish(feed.AsOf{Store: store.Store, Cursor: store.Cursor(6)})
		require.Equal(t, answers(first, since...), answers(second, since...), history)
		for _, c := range []*copied{again, loaded} {
			apply(c, 7, asset.TypePage, "x.e.com", asset.StatusBlocked)
			c.Publish(feed.AsOf{Store: store.Store, Cursor: store.Cursor(7)})
		}
		require.Equal(t, answers(first, 6), answers(second, 6), history)
	}
}

func TestCopied_Load_damaged(t *testing.T) {
	t.Parallel()
	h := New(Options{})
	begin := func() *copied { return h.NewCopy(asset.Feed{}, asset.FeedCursor{}).(*copied) }
	c := begin()
	require.NoError(t, c.Add(asset.Known{Asset: asset.Asset{Identity: asset.Identity{Type: asset.TypePage, Canonical: "a.com"}, Status: asset.StatusBlocked}}))
	c.apply(1, asset.Change{Type: asset.TypePage, Content: "b.com", To: asset.StatusBlocked})
	var data bytes.Buffer
	require.NoError(t, c.Save(&data))
	for n := range data.Len() {
		require.Error(t, begin().Load(bytes.NewReader(data.Bytes()[:n])), n)
	}
	require.NoError(t, begin().Load(&data))
}

// A history has only the entries of its changes.
func TestHistory_forget(t *testing.T) {
	t.Parallel()
	c := New(Options{History: 5}).NewCopy(asset.Feed{}, asset.FeedCursor{}).(*copied)
	for i := range int64(100) {
		host := string([]byte{'a' + byte(i%10), 'a' + byte(i/10)}) + ".com"
		c.apply(i+1, asset.Change{Type: asset.TypePage, Content: host, To: asset.StatusBlocked})
	}
	require.Len(t, c.history.all, 5)
	require.Equal(t, 5*2, c.history.entries.Len(), "a host as blocked and as allowed")
	require.Len(t, c.history.positions, 5*2)
}
