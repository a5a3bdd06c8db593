package postgres_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage/postgres"
)

// A server that becomes a standby answers, but is not ready.
func TestPing_Standby(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	server := newCluster(t)
	store := open(t, withParameter(t, server.dsn(), "target_session_attrs", "any"))
	require.NoError(t, store.Ping(t.Context()))

	signal := filepath.Join(server.data, "standby.signal")
	require.NoError(t, os.WriteFile(signal, nil, 0o644))
	require.NoError(t, server.restart("fast"))
	_, err := store.Groups(t.Context(), 1)
	require.NoError(t, err, "calls that read work")
	for operation, err := range map[string]error{
		"ping":     store.Ping(t.Context()),
		"put user": store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}),
	} {
		require.ErrorIs(t, err, postgres.ErrReadOnly, operation)
		require.ErrorIs(t, err, asset.ErrUnavailable, operation)
	}

	require.NoError(t, os.Remove(signal))
	require.NoError(t, server.restart("fast"))
	require.NoError(t, store.Ping(t.Context()))
}

// Only the transaction counts: calls that write do not use the default of the server.
func TestPing_ReadOnlyByDefault(t *testing.T) {
	t.Parallel()
	store := open(t, withParameter(t, newDatabase(t), "default_transaction_read_only", "off"))
	_, err := postgres.Pool(store).Exec(t.Context(), "SET default_transaction_read_only = on")
	require.NoError(t, err)
	require.NoError(t, store.Ping(t.Context()))
}
