package deliver

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMemory_Busy(t *testing.T) {
	t.Parallel()
	m := newMemory()
	require.False(t, m.isBusy(1))
	m.begin(1)
	require.False(t, m.end(1), "no round has left it out")
	m.begin(1)
	require.True(t, m.isBusy(1))
	require.False(t, m.isBusy(2))
	require.True(t, m.end(1), "there may be events that the work has not seen")
	require.False(t, m.isBusy(1))
	m.begin(1)
	require.False(t, m.end(1), "that round was before")
}

func TestMemory_Fail(t *testing.T) {
	t.Parallel()
	m := newMemory()
	require.True(t, m.fail(1, errors.New("full")))
	require.False(t, m.fail(1, errors.New("full")), "the same error")
	require.True(t, m.fail(2, errors.New("full")), "another endpoint")
	require.True(t, m.fail(1, errors.New("away")), "another error")
	require.False(t, m.fail(1, nil))
	require.True(t, m.fail(1, errors.New("away")), "after a success")
}
