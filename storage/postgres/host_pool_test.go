package postgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
)

func TestNew_OlderSchema(t *testing.T) {
	t.Parallel()
	migrate(t, newDatabase(t)) // in another schema
	host := newPool(t, newDatabase(t))
	_, err := postgres.New(t.Context(), host, postgres.Options{})
	require.ErrorIs(t, err, storage.ErrOlderSchema)

	require.NoError(t, postgres.Migrate(t.Context(), host))
	require.NoError(t, postgres.Migrate(t.Context(), host), "the second call does nothing")
	store, err := postgres.New(t.Context(), host, postgres.Options{})
	require.NoError(t, err)
	require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}))
}

func TestClose_HostPoolStaysOpen(t *testing.T) {
	t.Parallel()
	host := newPool(t, newDatabase(t))
	require.NoError(t, postgres.Migrate(t.Context(), host))
	store, err := postgres.New(t.Context(), host, postgres.Options{})
	require.NoError(t, err)
	other, err := postgres.New(t.Context(), host, postgres.Options{})
	require.NoError(t, err)

	begun, release, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- postgres.Write(context.WithoutCancel(t.Context()), store, func(ctx context.Context, on sqlstore.Conn) error {
			close(begun)
			<-release
			return on.Serialize(ctx, "groups")
		})
	}()
	<-begun
	closed := make(chan error, 1)
	go func() { closed <- store.Close() }()
	require.Eventually(t, func() bool {
		_, err := store.Groups(t.Context(), 1)
		return err != nil
	}, waitTimeout, pollInterval, "a call after Close")
	require.Empty(t, closed, "Close did not wait for the running call")
	close(release)
	require.NoError(t, <-done)
	require.NoError(t, <-closed)

	require.ErrorIs(t, store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}), storage.ErrClosed)
	require.NoError(t, store.Close())
	require.NoError(t, host.Ping(t.Context()))
	require.NoError(t, other.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}))
}

// newPool opens a pool that is closed at the end of the test.
func newPool(tb testing.TB, dsn string) *pgxpool.Pool {
	tb.Helper()
	host, err := pgxpool.New(tb.Context(), dsn)
	require.NoError(tb, err)
	tb.Cleanup(host.Close)
	return host
}
