package postgres_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage/postgres"
)

// The server restarts while batches are added, with and without a clean shutdown.
func TestRetry_ServerRestart(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	const size = 500
	server := newCluster(t)
	store := accounttest.Organizations(t, open(t, server.dsn()), 1)
	acknowledged, unknown, batch := 0, 0, 0
	add := func() error {
		_, err := store.AddToAllowlist(t.Context(), benchtest.AddCommand(batch, size))
		batch++
		switch {
		case err == nil:
			acknowledged++
		case errors.Is(err, asset.ErrOutcomeUnknown):
			unknown++
		default:
			require.ErrorIs(t, err, postgres.ErrUnreachable)
			require.ErrorIs(t, err, asset.ErrUnavailable)
		}
		return err
	}
	for _, mode := range []string{"fast", "immediate", "fast", "immediate"} {
		require.NoError(t, add())
		restarted := make(chan error, 1)
		go func() { restarted <- server.restart(mode) }()
		for running := true; running; {
			_ = add() // add has checked the error
			select {
			case err := <-restarted:
				require.NoError(t, err)
				running = false
			default:
			}
		}
		require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}), "the store is usable afterwards")
	}
	stored := wholeBatches(t, server.dsn(), size)
	require.GreaterOrEqual(t, stored, acknowledged, "an acknowledged batch is lost")
	require.LessOrEqual(t, stored, acknowledged+unknown)
}

// The server waits for a standby that does not exist. When the wait is canceled, it answers
// that it has committed.
func TestCommit_Timeout(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	server := newCluster(t)
	migrate(t, server.dsn())
	execute(t, server.dsn(), "ALTER SYSTEM SET synchronous_standby_names = 'away'")
	require.NoError(t, server.restart("fast"))
	execute(t, server.dsn(), "CHECKPOINT") // until then, a server process may not know the setting
	store := open(t, server.dsn())
	postgres.SetCommitTimeout(store, 50*time.Millisecond)
	for id := range int64(3) {
		require.ErrorIs(t, store.PutUser(t.Context(), account.User{ID: id + 1}, audit.Entry{}), asset.ErrOutcomeUnknown)
	}
}
