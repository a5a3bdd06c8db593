package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/postgres"
)

// A pool that leaves its server closes the connections to it, and does so once.
func TestOneServer_leave(t *testing.T) {
	t.Parallel()
	require.Equal(t, 1, postgres.LeaveServer(1))
	require.Equal(t, 1, postgres.LeaveServer(2), "it has no server when it leaves again")
}
