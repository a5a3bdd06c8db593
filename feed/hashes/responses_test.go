package hashes

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A response is made once for each key, as long as there is room.
func TestResponses(t *testing.T) {
	t.Parallel()
	for _, changes := range []int{1, manyChanges + 1} {
		var r responses
		calls := 0
		get := func(key int64, size int) []byte {
			response, ok := r.get(key, changes, func() []byte {
				calls++
				return make([]byte, size)
			})
			require.True(t, ok)
			return response
		}
		require.Len(t, get(1, 10), 10)
		require.Len(t, get(1, 20), 10)
		require.Equal(t, 1, calls)
		require.Len(t, get(2, maxKept-10), maxKept-10)
		require.Len(t, get(3, 1), 1)
		require.Len(t, get(3, 2), 2, "there was no room")
		require.Len(t, get(2, 1), maxKept-10)
		require.Equal(t, 4, calls)
	}
}

// While a response with many changes is made, some others of them wait, and the rest is refused. What is
// kept or has few changes is answered.
func TestResponses_waiting(t *testing.T) {
	t.Parallel()
	var r responses
	text := func(response []byte, ok bool) string { return fmt.Sprint(string(response), " ", ok) }
	r.get(1, manyChanges+1, func() []byte { return []byte("kept") })
	waited := make(chan string)
	r.get(2, manyChanges+1, func() []byte {
		require.Equal(t, "kept true", text(r.get(1, manyChanges+1, nil)))
		require.Equal(t, "few true", text(r.get(3, manyChanges, func() []byte { return []byte("few") })))
		require.False(t, r.making.TryLock())
		for range maxTurns {
			go func() { waited <- text(r.get(2, manyChanges+1, nil)) }()
		}
		require.Equal(t, " false", <-waited, "one too many")
		return []byte("many")
	})
	for range maxTurns - 1 {
		require.Equal(t, "many true", <-waited, "it was made once")
	}
	require.Zero(t, r.turns.Load())
}
