package hashlist

import (
	"bytes"
	"encoding/base64"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/hashwire"
)

// versionAt returns the version of a store at a position.
func versionAt(store byte, position int64) []byte {
	cursor := asset.Feed{Store: asset.StoreID{store}}.Cursor(position)
	version, _ := base64.RawURLEncoding.DecodeString(cursor.String())
	return version
}

// whole returns a response with both lists.
func whole(version []byte, blocked, allowed []uint64) []hashwire.HashList {
	lists := make([]hashwire.HashList, len(names))
	for i, hashes := range [][]uint64{blocked, allowed} {
		lists[i] = hashwire.HashList{Name: names[i], Version: version, Additions: hashwire.NewAdditions(hashes), Checksum: hashwire.Checksum(hashes)}
	}
	return lists
}

// difference returns the response that makes the new hashes of the old ones.
func difference(version []byte, oldBlocked, newBlocked, oldAllowed, newAllowed []uint64) []hashwire.HashList {
	lists := whole(version, newBlocked, newAllowed)
	for i, change := range [][2][]uint64{{oldBlocked, newBlocked}, {oldAllowed, newAllowed}} {
		var removals []uint32
		for at, hash := range change[0] {
			if !slices.Contains(change[1], hash) {
				removals = append(removals, uint32(at))
			}
		}
		additions := slices.DeleteFunc(slices.Clone(change[1]), func(hash uint64) bool { return slices.Contains(change[0], hash) })
		lists[i].Partial = true
		lists[i].Removals, lists[i].Additions = hashwire.NewRemovals(removals), hashwire.NewAdditions(additions)
	}
	return lists
}

// update updates a list as of now.
func update(l *List, lists ...hashwire.HashList) error {
	return l.Update(Response{Data: hashwire.Encode(lists...), AsOf: time.Now(), Rules: classify.Version})
}

func requireHashes(t require.TestingT, l *List, wantBlocked, wantAllowed []uint64) {
	h := l.held.Load()
	require.True(t, slices.Equal(wantBlocked, h.statuses[blocked].hashes), "%x, not %x", h.statuses[blocked].hashes, wantBlocked)
	require.True(t, slices.Equal(wantAllowed, h.statuses[allowed].hashes), "%x, not %x", h.statuses[allowed].hashes, wantAllowed)
}

// A list is what the last response says, whether that was whole or a difference.
func TestList_Update_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := New(time.Hour)
		heldBlocked, heldAllowed := sorted(t, 30), sorted(t, 30)
		require.NoError(t, update(l, whole(versionAt(1, 1), heldBlocked, heldAllowed)...))
		requireHashes(t, l, heldBlocked, heldAllowed)
		for position := range rapid.Int64Range(1, 5).Draw(t, "updates") {
			version := versionAt(1, position+2)
			nextBlocked, nextAllowed := sorted(t, 30), sorted(t, 30)
			lists := difference(version, heldBlocked, nextBlocked, heldAllowed, nextAllowed)
			if rapid.Bool().Draw(t, "whole") {
				lists = whole(version, nextBlocked, nextAllowed)
			}
			require.NoError(t, update(l, lists...))
			requireHashes(t, l, nextBlocked, nextAllowed)
			heldBlocked, heldAllowed = nextBlocked, nextAllowed
			require.Equal(t, base64.RawURLEncoding.EncodeToString(version), l.State().Version)
			require.Equal(t, len(nextBlocked), l.State().Blocked)
			require.Equal(t, len(nextAllowed), l.State().Allowed)
		}
	})
}

func TestList_Update_refused(t *testing.T) {
	t.Parallel()
	heldBlocked, heldAllowed := []uint64{1, 5, 1 << 50}, []uint64{7}
	newBlocked, newAllowed := []uint64{1, 1 << 50, math.MaxUint64}, []uint64{7, 8}
	good := func() []hashwire.HashList {
		return difference(versionAt(1, 20), heldBlocked, newBlocked, heldAllowed, newAllowed)
	}
	changed := func(change func([]hashwire.HashList)) []hashwire.HashList {
		lists := good()
		change(lists)
		return lists
	}
	for reason, refused := range map[string]struct {
		lists []hashwire.HashList
		err   error
	}{
		"a difference to the version before": {difference(versionAt(1, 10), nil, heldBlocked, nil, heldAllowed), ErrReplayed},
		"a difference to a later version": {
			difference(versionAt(1, 30), newBlocked, []uint64{3}, newAllowed, newAllowed), ErrDamaged,
		},
		"a difference of another store": {difference(versionAt(2, 20), heldBlocked, newBlocked, heldAllowed, newAllowed), ErrReplayed},
		"a difference of another store without change": {
			difference(versionAt(2, 20), heldBlocked, heldBlocked, heldAllowed, heldAllowed), ErrReplayed,
		},
		"an older difference":                 {difference(versionAt(1, 9), nil, newBlocked, nil, newAllowed), ErrDowngraded},
		"an older difference without change":  {difference(versionAt(1, 9), heldBlocked, heldBlocked, heldAllowed, heldAllowed), ErrDowngraded},
		"an older whole list":                 {whole(versionAt(1, 9), newBlocked, newAllowed), ErrDowngraded},
		"a list from before the first change": {whole(nil, nil, nil), ErrDowngraded},
		"no list":                             {nil, ErrDamaged},
		"one list":                            {good()[:1], ErrDamaged},
		"three lists":                         {append(good(), good()[1]), ErrDamaged},
		"the lists in another order":          {changed(slices.Reverse[[]hashwire.HashList]), ErrDamaged},
		"an unknown name":                     {changed(func(l []hashwire.HashList) { l[1].Name = "other" }), ErrDamaged},
		"lists of two versions":               {changed(func(l []hashwire.HashList) { l[1].Version = versionAt(1, 21) }), ErrDamaged},
		"a difference and a whole list":       {changed(func(l []hashwire.HashList) { l[1].Partial = false }), ErrDamaged},
		"a version that is none":              {changed(func(l []hashwire.HashList) { l[0].Version, l[1].Version = []byte{1}, []byte{1} }), ErrDamaged},
		"a wrong checksum":                    {changed(func(l []hashwire.HashList) { l[1].Checksum = hashwire.Checksum(nil) }), ErrDamaged},
		"no checksum":                         {changed(func(l []hashwire.HashList) { l[0].Checksum = nil }), ErrDamaged},
		"a removal beyond the list":           {changed(func(l []hashwire.HashList) { l[0].Removals = hashwire.NewRemovals([]uint32{3}) }), ErrDamaged},
		"more removals than hashes":           {changed(func(l []hashwire.HashList) { l[1].Removals = hashwire.NewRemovals([]uint32{0, 1}) }), ErrDamaged},
		"an addition that is present":         {changed(func(l []hashwire.HashList) { l[0].Additions = hashwire.NewAdditions([]uint64{1}) }), ErrDamaged},
		"removals from a whole list": {func() []hashwire.HashList {
			lists := whole(versionAt(1, 20), newBlocked, newAllowed)
			lists[0].Removals = hashwire.NewRemovals([]uint32{0})
			return lists
		}(), ErrDamaged},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			l := New(time.Hour)
			require.NoError(t, update(l, whole(versionAt(1, 10), heldBlocked, heldAllowed)...))
			before := l.State()
			require.ErrorIs(t, update(l, refused.lists...), refused.err)
			require.Equal(t, before, l.State())
			requireHashes(t, l, heldBlocked, heldAllowed)
			require.NoError(t, update(l, good()...))
			requireHashes(t, l, newBlocked, newAllowed)
		})
	}
}

func TestList_Update_accepted(t *testing.T) {
	t.Parallel()
	l := New(time.Hour)
	require.ErrorIs(t, update(l, difference(nil, nil, nil, nil, nil)...), ErrReplayed, "nothing is held")
	require.NoError(t, update(l, whole(nil, nil, nil)...), "the store has no change yet")
	require.NoError(t, update(l, whole(versionAt(1, 10), []uint64{1}, nil)...))
	require.NoError(t, update(l, difference(versionAt(1, 10), []uint64{1}, []uint64{1}, nil, nil)...), "nothing has changed")
	require.NoError(t, update(l, whole(versionAt(1, 10), []uint64{1}, nil)...), "the whole list was requested again")
	require.NoError(t, update(l, whole(versionAt(2, 3), []uint64{2}, nil)...), "the server has another store")
	requireHashes(t, l, []uint64{2}, nil)
}

// A response that was truncated or has a flipped bit changes nothing but harmless fields.
func TestList_Update_flipped(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		heldBlocked, newBlocked, newAllowed := sorted(t, 30), sorted(t, 30), sorted(t, 30)
		l := New(time.Hour)
		require.NoError(t, update(l, whole(versionAt(1, 10), heldBlocked, nil)...))
		lists := difference(versionAt(1, 20), heldBlocked, newBlocked, nil, newAllowed)
		if rapid.Bool().Draw(t, "whole") {
			lists = whole(versionAt(1, 20), newBlocked, newAllowed)
		}
		data := hashwire.Encode(lists...)
		if rapid.Bool().Draw(t, "truncated") {
			data = data[:rapid.IntRange(0, len(data)-1).Draw(t, "length")]
		} else {
			bit := rapid.IntRange(0, 8*len(data)-1).Draw(t, "bit")
			data[bit/8] ^= 1 << (bit % 8)
		}
		err := l.Update(Response{Data: data, AsOf: time.Now(), Rules: classify.Version})
		if err == nil { // for example in a bit that fills the last byte
			requireHashes(t, l, newBlocked, newAllowed)
			return
		}
		require.True(t, errors.Is(err, ErrDamaged) || errors.Is(err, ErrReplayed) || errors.Is(err, ErrDowngraded), err)
		requireHashes(t, l, heldBlocked, nil)
	})
}

// Whatever a response is, an update is refused or leaves lists with their checksums, and a list that was
// saved is the same after it is loaded.
func FuzzList_Update(f *testing.F) {
	heldBlocked, newBlocked := []uint64{1, 5, 1 << 50}, []uint64{1, 1 << 50, math.MaxUint64}
	f.Add(hashwire.Encode(difference(versionAt(1, 20), heldBlocked, newBlocked, nil, []uint64{4})...))
	f.Add(hashwire.Encode(whole(versionAt(1, 20), newBlocked, []uint64{4})...))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := New(time.Hour)
		require.NoError(t, update(l, whole(versionAt(1, 10), heldBlocked, nil)...))
		if l.Update(Response{Data: data, AsOf: time.Now(), Rules: classify.Version}) != nil {
			requireHashes(t, l, heldBlocked, nil)
			return
		}
		for _, s := range l.held.Load().statuses {
			require.True(t, slices.IsSorted(s.hashes))
			require.LessOrEqual(t, len(s.hashes), len(heldBlocked)+2+8*len(data)/36)
		}
		var file bytes.Buffer
		require.NoError(t, l.Save(&file))
		loaded := New(time.Hour)
		require.NoError(t, loaded.Load(&file))
		requireHashes(t, loaded, l.held.Load().statuses[blocked].hashes, l.held.Load().statuses[allowed].hashes)
	})
}
