package lists

import (
	"errors"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

// numbered yields entries with the lines from 1 to n, and then the error. It reports whether it was ended by
// its reader.
func numbered(n int, failure error, stopped *bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for i := range n {
			if !yield(Entry{Line: i + 1}, nil) {
				*stopped = true
				return
			}
		}
		if failure != nil {
			yield(Entry{}, failure)
		}
	}
}

func TestReadAhead(t *testing.T) {
	t.Parallel()
	failed := errors.New("the file breaks off")
	for _, n := range []int{0, 1, asset.MaxItems, 3*asset.MaxItems + 1} {
		var stopped bool
		lines, last := 0, error(nil)
		for entry, err := range readAhead(numbered(n, failed, &stopped)) {
			if last = err; err == nil {
				lines++
				require.Equal(t, lines, entry.Line)
			}
		}
		require.Equal(t, n, lines)
		require.ErrorIs(t, last, failed)
		require.False(t, stopped)
	}
}

// The sequence is at its end when the loop is, so that nothing reads the file any longer.
func TestReadAhead_break(t *testing.T) {
	t.Parallel()
	var stopped bool
	for entry, err := range readAhead(numbered(5*asset.MaxItems, nil, &stopped)) {
		require.NoError(t, err)
		if entry.Line == 3 {
			break
		}
	}
	require.True(t, stopped)
}
