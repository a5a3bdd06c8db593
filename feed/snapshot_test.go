package feed_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// snapshotted is a Replica with a snapshot, and what it answers.
type snapshotted struct {
	copied

	hashes *hashes.Origin
	events events
}

func newSnapshotted(store storage.Store, path string) snapshotted {
	s := snapshotted{hashes: hashes.New(hashes.Options{}), events: newEvents()}
	s.copied = newReplica(store, feed.Options{Views: []feed.View{s.hashes}, Snapshot: path, OnEvent: s.events.report, Interval: time.Millisecond})
	return s
}

// A Replica that begins with a snapshot answers as one that lists the assets, with changes since, and to clients with
// earlier versions of the hash lists.
func TestReplica_Run_snapshot(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "snapshot")
	store := newSource(memory.New())
	guard := apguard.New(store.store(), apguard.Options{})
	setStatus(t, guard, "one.dev", asset.StatusBlocked)
	setStatus(t, guard, "two.dev", asset.StatusAllowed)
	first := newSnapshotted(store, path)
	stop := start(t, first.copied)
	require.Equal(t, feed.EventFilled, first.events.next())
	whole, err := first.hashes.Since("")
	require.NoError(t, err)
	setStatus(t, guard, "three.dev", asset.StatusBlocked)
	require.NoError(t, first.Sync(t.Context()))
	stop()
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	setStatus(t, guard, "one.dev", asset.StatusAllowed)
	store.interrupt(func(operation string) error {
		if operation == "Assets" {
			return errors.New("the assets are listed")
		}
		return nil
	})
	second := newSnapshotted(store, path)
	stop = start(t, second.copied)
	require.Equal(t, feed.EventFilled, second.events.next())
	stop()
	store.interrupt(here)
	third := newSnapshotted(store, "")
	require.NoError(t, third.Refresh(t.Context()))
	require.Equal(t, third.State().Cursor, second.State().Cursor)
	require.Equal(t, 3, second.State().Assets)
	for _, content := range []string{"one.dev", "two.dev", "three.dev", "four.dev"} {
		require.Equal(t, statusOf(t, third.copied, content), statusOf(t, second.copied, content), content)
	}
	for _, version := range []string{"", whole.Version} {
		want, err := third.hashes.Since(version)
		require.NoError(t, err)
		got, err := second.hashes.Since(version)
		require.NoError(t, err)
		require.Equal(t, version, got.Since)
		require.Equal(t, want.Data, got.Data)
	}
	require.Empty(t, second.events)
}

// takeSnapshot returns a snapshot of a store with an asset.
func takeSnapshot(tb testing.TB, store storage.Store, views ...feed.View) []byte {
	tb.Helper()
	setStatus(tb, apguard.New(store, apguard.Options{}), "one.dev", asset.StatusBlocked)
	m := newReplica(store, feed.Options{Views: views})
	require.NoError(tb, m.Refresh(tb.Context()))
	var data bytes.Buffer
	require.NoError(tb, m.WriteSnapshot(&data))
	return data.Bytes()
}

// sealed returns a snapshot that is changed, with the right checksum.
func sealed(data []byte, change func([]byte)) []byte {
	data = bytes.Clone(data[:len(data)-sha256.Size])
	change(data)
	sum := sha256.Sum256(data)
	return append(data, sum[:]...)
}

const rulesAt = len("apguard feed snapshot 1\n")

// A snapshot that cannot be used is ignored with an event, and the assets are listed.
func TestReplica_Run_snapshotIgnored(t *testing.T) {
	t.Parallel()
	store, other := memory.New(), memory.New()
	data := takeSnapshot(t, store, hashes.New(hashes.Options{}))
	ahead := sealed(data, func([]byte) {})
	flipped := bytes.Clone(data)
	flipped[len(flipped)/2] ^= 1
	for reason, test := range map[string]struct {
		data []byte
		want error
		text string
	}{
		"0 bytes":          {nil, feed.ErrDamaged, ""},
		"not a snapshot":   {[]byte("hello"), feed.ErrDamaged, ""},
		"cut in the magic": {data[:10], feed.ErrDamaged, ""},
		"cut in the views": {data[:len(data)/2], nil, "damaged"},
		"cut by a byte":    {data[:len(data)-1], nil, "damaged"},
		"a byte too long":  {append(bytes.Clone(data), 0), feed.ErrDamaged, ""},
		"a changed bit":    {flipped, nil, "damaged"},
		"other rules": {sealed(data, func(data []byte) {
			binary.BigEndian.PutUint32(data[rulesAt:], classify.Version+1)
		}), nil, "version"},
		"another store in the header": {sealed(data, func(data []byte) { data[rulesAt+4] ^= 1 }), feed.ErrDamaged, ""},
		"of another store":            {takeSnapshot(t, other, hashes.New(hashes.Options{})), asset.ErrForeignCursor, ""},
		"without a view":              {takeSnapshot(t, memory.New()), nil, "made with other views"},
		"with another view":           {takeSnapshot(t, memory.New(), &recorder{}), nil, "other views"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "snapshot")
			require.NoError(t, os.WriteFile(path, test.data, 0o600))
			s := newSnapshotted(store, path)
			start(t, s.copied)
			ignored := <-s.events
			require.Equal(t, feed.EventSnapshotIgnored, ignored.Kind)
			if test.want != nil {
				require.ErrorIs(t, ignored.Err, test.want)
			}
			require.ErrorContains(t, ignored.Err, test.text)
			require.Equal(t, feed.EventFilled, s.events.next())
			require.Equal(t, asset.StatusBlocked, statusOf(t, s.copied, "one.dev"))
			require.Equal(t, 1, s.State().Assets)
		})
	}
	require.Equal(t, data, ahead, "the checksum is that of everything before")
}

// A snapshot of another form of a view is ignored, whether the form is later or earlier.
func TestReadSnapshot_form(t *testing.T) {
	t.Parallel()
	data := takeSnapshot(t, memory.New(), &recorder{form: 7})
	_, err := feed.ReadSnapshot(data, &recorder{form: 7}, mirror.New(mirror.Options{}))
	require.NoError(t, err)
	for _, other := range []uint32{0, 6, 8} {
		_, err := feed.ReadSnapshot(data, &recorder{form: other}, mirror.New(mirror.Options{}))
		require.ErrorContains(t, err, "the snapshot has form 7 of the view recorder, not ")
	}
}

// A cursor that the source refuses is lost at once.
func TestReplica_Run_snapshotLost(t *testing.T) {
	t.Parallel()
	store := &wentBack{Store: memory.New()}
	path := filepath.Join(t.TempDir(), "snapshot")
	require.NoError(t, os.WriteFile(path, takeSnapshot(t, store.Store, hashes.New(hashes.Options{})), 0o600))
	setStatus(t, apguard.New(store.Store, apguard.Options{}), "one.dev", asset.StatusAllowed)
	setStatus(t, apguard.New(store.Store, apguard.Options{}), "one.dev", asset.StatusUnknown)
	setStatus(t, apguard.New(store.Store, apguard.Options{}), "two.dev", asset.StatusBlocked)
	guard := apguard.New(store.Store, apguard.Options{})
	_, err := guard.History.Prune(t.Context(), time.Now().Add(time.Hour))
	require.NoError(t, err)
	s := newSnapshotted(store, path)
	start(t, s.copied)
	ignored := <-s.events
	require.Equal(t, feed.EventSnapshotIgnored, ignored.Kind)
	require.ErrorIs(t, ignored.Err, asset.ErrPrunedCursor)
	require.Equal(t, feed.EventFilled, s.events.next())
	require.Equal(t, asset.StatusUnknown, statusOf(t, s.copied, "one.dev"))
}

// A snapshot that cannot be written is reported, and the one before stays.
func TestReplica_Run_snapshotFailed(t *testing.T) {
	t.Parallel()
	store := memory.New()
	setStatus(t, apguard.New(store, apguard.Options{}), "one.dev", asset.StatusBlocked)
	s := newSnapshotted(store, filepath.Join(t.TempDir(), "missing", "snapshot"))
	start(t, s.copied)
	require.Equal(t, feed.EventFilled, s.events.next())
	require.Equal(t, feed.EventSnapshotFailed, s.events.next())
	require.Equal(t, asset.StatusBlocked, statusOf(t, s.copied, "one.dev"))
}

// A writer that fails at any byte makes the whole fail, as a full disk does.
func TestReplica_WriteSnapshot_fails(t *testing.T) {
	t.Parallel()
	store := memory.New()
	setStatus(t, apguard.New(store, apguard.Options{}), "one.dev", asset.StatusBlocked)
	m := newReplica(store, feed.Options{Views: []feed.View{hashes.New(hashes.Options{})}})
	require.NoError(t, m.Refresh(t.Context()))
	var whole bytes.Buffer
	require.NoError(t, m.WriteSnapshot(&whole))
	for n := range whole.Len() {
		require.ErrorIs(t, m.WriteSnapshot(&fullWriter{left: n}), errAway)
		_, err := feed.ReadSnapshot(whole.Bytes()[:n], hashes.New(hashes.Options{}), mirror.New(mirror.Options{}))
		require.Error(t, err, "a snapshot that was cut after %d bytes", n)
	}
}

// fullWriter fails after some bytes.
type fullWriter struct{ left int }

func (f *fullWriter) Write(data []byte) (int, error) {
	if len(data) > f.left {
		return f.left, errAway
	}
	f.left -= len(data)
	return len(data), nil
}

// No snapshot makes the reader panic, or is read although it is not one.
func FuzzReadSnapshot(f *testing.F) {
	data := takeSnapshot(f, memory.New(), hashes.New(hashes.Options{}))
	f.Add(data)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, data := range [][]byte{data, sealed(append(data, make([]byte, sha256.Size)...), func([]byte) {})} {
			cursor, err := feed.ReadSnapshot(data, hashes.New(hashes.Options{}), mirror.New(mirror.Options{}))
			require.Equal(t, err == nil, cursor != asset.FeedCursor{})
		}
	})
}
