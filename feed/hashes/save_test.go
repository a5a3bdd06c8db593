package hashes

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed/internal/saved"
)

// newSaved returns an empty copy of an Origin, up to a position of a feed.
func newSaved(position int64) *copied {
	listed := asset.Feed{Store: asset.StoreID{1}, Last: position}
	return New(Options{History: 5}).NewCopy(listed, listed.End()).(*copied)
}

// newFilled returns a copy with assets and a history, of which some changes are in a page.
func newFilled(tb testing.TB) *copied {
	tb.Helper()
	c := newSaved(10)
	for id := range int64(3) {
		require.NoError(tb, c.Add(asset.Known{Asset: asset.Asset{ID: id + 1, Identity: asset.Identity{Type: asset.TypePage, Canonical: "a.dev"}, Status: asset.StatusBlocked}}))
	}
	entry := func(id int64, cursor asset.FeedCursor) asset.FeedEntry {
		return asset.FeedEntry{Cursor: cursor, Change: asset.Change{
			AssetID: id, Type: asset.TypePage, Content: "b.dev", From: asset.StatusUnknown, To: asset.StatusAllowed,
		}}
	}
	at := func(position int64) asset.FeedCursor { return asset.Feed{Store: asset.StoreID{1}}.Cursor(position) }
	require.NoError(tb, c.Apply([]asset.FeedEntry{entry(4, at(11)), entry(5, at(13))}, at(13)))
	require.NoError(tb, c.Apply([]asset.FeedEntry{entry(6, asset.FeedCursor{}), entry(7, asset.FeedCursor{})}, at(15)))
	return c
}

// A copy that was saved and loaded is the same. One that was cut is refused.
func TestCopied_Save(t *testing.T) {
	t.Parallel()
	before := newFilled(t)
	var data bytes.Buffer
	require.NoError(t, before.Save(&data))
	after := newSaved(15)
	require.NoError(t, after.Load(bytes.NewReader(data.Bytes())))
	require.Equal(t, before.records, after.records)
	require.Equal(t, before.history, after.history)
	for n := range data.Len() {
		require.ErrorIs(t, newSaved(15).Load(bytes.NewReader(data.Bytes()[:n])), saved.ErrDamaged, "cut after %d bytes", n)
	}
	require.ErrorIs(t, newSaved(15).Load(bytes.NewReader(append(data.Bytes(), 0))), saved.ErrDamaged, "a byte too long")
	require.ErrorIs(t, newSaved(14).Load(&data), saved.ErrDamaged, "the history is beyond the cursor")
}

// No data make a copy panic.
func FuzzCopied_Load(f *testing.F) {
	var data bytes.Buffer
	require.NoError(f, newFilled(f).Save(&data))
	f.Add(data.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		c := newSaved(15)
		if c.Load(bytes.NewReader(data)) != nil {
			return
		}
		var again bytes.Buffer
		require.NoError(t, c.Save(&again))
		require.NoError(t, newSaved(15).Load(&again))
	})
}
