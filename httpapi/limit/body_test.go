package limit_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi/limit"
)

func newBodyLoad(each, all int64) *limit.Load {
	return limit.NewLoad(limit.Maxima{BodyBytes: all, BodyBytesPerCaller: each})
}

// However a body arrives, it is read completely, within the memory of its maximum.
func TestBody_Read(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 131_072, 300_000} {
		text := strings.Repeat("x", size)
		for arrival, from := range map[string]func(io.Reader) io.Reader{
			"at once":             func(r io.Reader) io.Reader { return r },
			"half of each":        iotest.HalfReader,
			"byte by byte":        iotest.OneByteReader,
			"the end with a part": iotest.DataErrReader,
		} {
			for _, length := range []int64{-1, int64(size)} {
				load := newBodyLoad(int64(size), int64(size))
				body := load.NewBody("a")
				got, err := body.Read(from(strings.NewReader(text)), length, int64(size))
				require.NoError(t, err, "%d bytes %s", size, arrival)
				require.Equal(t, text, string(got))
				body.Release()
				again := load.NewBody("b")
				_, err = again.Read(strings.NewReader(text), int64(size), int64(size))
				require.NoError(t, err, "the memory is free again")
			}
		}
	}
}

var errBroken = errors.New("broken")

// A body that does not arrive holds little memory, and less than it announces.
func TestBody_Read_unfinished(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		length  int64
		arrived int
		held    int64
	}{
		"of unknown length":           {-1, 1, 4 << 10},
		"of unknown length, and more": {-1, 4<<10 + 2, 8 << 10},
		"of a small length":           {100, 1, 100},
		"of a large length":           {4 << 20, 1, 64 << 10},
		"of a large length, and more": {4 << 20, 64<<10 + 2, 128 << 10},
		"of a length between buffers": {100 << 10, 64<<10 + 2, 100 << 10},
	} {
		for _, room := range []int64{c.held, c.held - 1} {
			from := io.MultiReader(strings.NewReader(strings.Repeat("x", c.arrived)), iotest.ErrReader(errBroken))
			_, err := newBodyLoad(room, room).NewBody("a").Read(from, c.length, 4<<20)
			require.Equal(t, room == c.held, errors.Is(err, errBroken), reason)
		}
	}
}

func TestBody_Read_beyondLimits(t *testing.T) {
	t.Parallel()
	load := newBodyLoad(100, 150)
	read := func(caller string, size int64) error {
		_, err := load.NewBody(caller).Read(iotest.ErrReader(errBroken), size, 1000)
		return err
	}
	require.ErrorIs(t, read("a", 60), errBroken)
	require.Equal(t, beyondCaller(limit.PolicyBodies, 0), read("a", 41))
	require.ErrorIs(t, read("a", 40), errBroken, "at the limit of a caller")
	require.Equal(t, beyondAll(limit.PolicyBodies), read("b", 51))
	require.ErrorIs(t, read("b", 50), errBroken, "at the limit of all")
}
