package hotlist

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A response is made once for each key, as long as there is room.
func TestMade(t *testing.T) {
	t.Parallel()
	var m made
	calls := 0
	get := func(key int64, size int) []byte {
		return m.get(key, func() []byte {
			calls++
			return make([]byte, size)
		})
	}
	require.Len(t, get(1, 10), 10)
	require.Len(t, get(1, 20), 10)
	require.Equal(t, 1, calls)
	require.Len(t, get(2, maxMade-10), maxMade-10)
	require.Len(t, get(3, 1), 1)
	require.Len(t, get(3, 2), 2, "there was no room")
	require.Len(t, get(2, 1), maxMade-10)
	require.Equal(t, 4, calls)
}
