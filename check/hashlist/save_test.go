package hashlist

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/hashwire"
)

// A list that is loaded is the one that was saved, and a damaged one is refused, whichever bit it is.
func TestList_Load_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		wantBlocked, wantAllowed := sorted(t, 30), sorted(t, 30)
		lists := whole(versionAt(1, 10), wantBlocked, wantAllowed)
		lists[0].MinimumWait = time.Minute
		asOf := time.UnixMilli(rapid.Int64Range(0, 4e12).Draw(t, "as of"))
		l := New(time.Hour)
		require.NoError(t, l.Update(Response{Data: hashwire.Encode(lists...), AsOf: asOf, Rules: classify.Version}))
		var file bytes.Buffer
		require.NoError(t, l.Save(&file))

		loaded := New(time.Hour)
		require.NoError(t, loaded.Load(bytes.NewReader(file.Bytes())))
		requireHashes(t, loaded, wantBlocked, wantAllowed)
		require.Equal(t, l.State(), loaded.State())

		damaged := bytes.Clone(file.Bytes())
		if rapid.Bool().Draw(t, "truncated") {
			damaged = damaged[:rapid.IntRange(0, len(damaged)-1).Draw(t, "length")]
		} else {
			bit := rapid.IntRange(0, 8*len(damaged)-1).Draw(t, "bit")
			damaged[bit/8] ^= 1 << (bit % 8)
		}
		empty := New(time.Hour)
		require.ErrorIs(t, empty.Load(bytes.NewReader(damaged)), ErrDamaged)
		require.Zero(t, empty.State())
	})
}

func TestList_Load_older(t *testing.T) {
	t.Parallel()
	l := New(time.Hour)
	require.NoError(t, update(l, whole(versionAt(1, 10), []uint64{1}, nil)...))
	var file bytes.Buffer
	require.NoError(t, l.Save(&file))
	require.NoError(t, update(l, whole(versionAt(1, 11), []uint64{2}, nil)...))
	require.ErrorIs(t, l.Load(&file), ErrDowngraded)
	requireHashes(t, l, []uint64{2}, nil)
}

func TestList_Load_failed(t *testing.T) {
	t.Parallel()
	failure := errors.New("away")
	require.ErrorIs(t, New(time.Hour).Load(iotest.ErrReader(failure)), failure)
}

// A file that is too large is not read to its end.
func TestList_Load_large(t *testing.T) {
	t.Parallel()
	l := New(time.Hour)
	require.NoError(t, update(l, whole(versionAt(1, 10), []uint64{1}, nil)...))
	var file bytes.Buffer
	require.NoError(t, l.Save(&file))
	require.NoError(t, New(time.Hour).load(bytes.NewReader(file.Bytes()), file.Len()))
	require.ErrorIs(t, New(time.Hour).load(bytes.NewReader(file.Bytes()), file.Len()-1), ErrDamaged)
	long := io.MultiReader(bytes.NewReader(file.Bytes()), iotest.ErrReader(errors.New("read too far")))
	require.ErrorIs(t, New(time.Hour).load(long, file.Len()-1), ErrDamaged)
}

func TestList_Save_failed(t *testing.T) {
	t.Parallel()
	l := New(time.Hour)
	require.ErrorIs(t, l.Save(io.Discard), ErrNoList)
	require.NoError(t, update(l, whole(versionAt(1, 10), []uint64{1}, nil)...))
	read, write := io.Pipe()
	require.NoError(t, read.Close())
	require.ErrorIs(t, l.Save(write), io.ErrClosedPipe)
}
