package mirror

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed/internal/saved"
)

// newSaved returns a copy of a mirror with the options and some assets.
func newSaved(tb testing.TB, opts Options, n int) *statuses {
	tb.Helper()
	s := New(opts).NewCopy(asset.Feed{}, asset.FeedCursor{}).(*statuses)
	for i := range n {
		require.NoError(tb, s.Add(savedAsset(i)))
	}
	return s
}

// savedAsset returns an asset. Some of its bases have the same parts, and one of three has no time.
func savedAsset(i int) asset.Known {
	a := asset.Known{
		Asset: asset.Asset{ID: int64(i + 1), Identity: asset.Identity{Type: asset.TypePage, Canonical: fmt.Sprintf("host-%d.dev", i)}, Status: asset.StatusBlocked},
		Basis: asset.Basis{By: asset.SourceOperator, Reason: asset.ReasonScam, Note: fmt.Sprint("note ", i%5)},
	}
	if i%3 > 0 {
		a.Since = time.UnixMilli(int64(i) * 1000).UTC()
	}
	return a
}

// A copy that was saved and loaded has the same assets, and follows the same changes.
func TestStatuses_Save(t *testing.T) {
	t.Parallel()
	for _, opts := range []Options{{}, {Bases: true}} {
		const n = 100
		before := newSaved(t, opts, n)
		gone := savedAsset(7)
		gone.Status = asset.StatusUnknown
		require.NoError(t, before.Add(gone))
		var data bytes.Buffer
		require.NoError(t, before.Save(&data))
		after := newSaved(t, opts, 0)
		require.NoError(t, after.Load(bytes.NewReader(data.Bytes())))
		require.Equal(t, n-1, after.table.used)
		for i := range n {
			identity := savedAsset(i).Identity
			slot, ok := after.table.find(after.hash(identity))
			require.Equal(t, i != 7, ok)
			if !ok {
				continue
			}
			want, _ := before.table.find(before.hash(identity))
			require.Equal(t, before.table.asset(want, identity), after.table.asset(slot, identity))
		}
		require.NoError(t, after.Add(savedAsset(7)))
		require.Equal(t, n, after.table.used)
	}
}

// A copy that was cut, or is one of other options, is refused.
func TestStatuses_Load_damaged(t *testing.T) {
	t.Parallel()
	for _, opts := range []Options{{}, {Bases: true}} {
		var data bytes.Buffer
		require.NoError(t, newSaved(t, opts, 3).Save(&data))
		for n := range data.Len() {
			require.ErrorIs(t, newSaved(t, opts, 0).Load(bytes.NewReader(data.Bytes()[:n])), saved.ErrDamaged, "cut after %d bytes", n)
		}
		require.ErrorIs(t, newSaved(t, opts, 0).Load(bytes.NewReader(append(data.Bytes(), 0))), saved.ErrDamaged, "a byte too long")
		opts.Bases = !opts.Bases
		require.ErrorIs(t, newSaved(t, opts, 0).Load(&data), saved.ErrDamaged, "of other options")
	}
}

// No data make a copy panic.
func FuzzStatuses_Load(f *testing.F) {
	for _, bases := range []bool{false, true} {
		var data bytes.Buffer
		require.NoError(f, newSaved(f, Options{Bases: bases}, 3).Save(&data))
		f.Add(data.Bytes(), bases)
	}
	f.Fuzz(func(t *testing.T, data []byte, bases bool) {
		s := newSaved(t, Options{Bases: bases}, 0)
		if s.Load(bytes.NewReader(data)) != nil {
			return
		}
		var again bytes.Buffer
		require.NoError(t, s.Save(&again))
		require.NoError(t, newSaved(t, Options{Bases: bases}, 0).Load(&again))
	})
}
