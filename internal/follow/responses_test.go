package follow

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A response is made once for each key, as long as there is room.
func TestResponses(t *testing.T) {
	t.Parallel()
	for _, changes := range []int{1, manyChanges + 1} {
		var r Responses
		calls := 0
		get := func(key int64, size int) []byte {
			return r.Get(key, changes, func() []byte {
				calls++
				return make([]byte, size)
			})
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

// While a response with many changes is made, another one of them waits, and all others are answered.
func TestResponses_waiting(t *testing.T) {
	t.Parallel()
	var r Responses
	r.Get(1, manyChanges+1, func() []byte { return []byte("kept") })
	waited := make(chan []byte)
	r.Get(2, manyChanges+1, func() []byte {
		require.Equal(t, "kept", string(r.Get(1, manyChanges+1, nil)))
		require.Equal(t, "few", string(r.Get(3, manyChanges, func() []byte { return []byte("few") })))
		require.False(t, r.making.TryLock())
		go func() { waited <- r.Get(2, manyChanges+1, nil) }()
		return []byte("many")
	})
	require.Equal(t, "many", string(<-waited), "it was made once")
}
