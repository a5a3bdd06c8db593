package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
)

func TestStore_Stats(t *testing.T) {
	t.Parallel()
	store := open(t, withParameter(t, newDatabase(t), "pool_max_conns", "5")) // one call writes at a time
	stats := store.Stats()
	require.Equal(t, 5, stats.MaxConnections)
	require.Zero(t, stats.InUse)
	require.Positive(t, stats.Idle)
	require.Zero(t, stats.Writes)

	write := func(ctx context.Context, run func()) error {
		return postgres.Write(ctx, store, func(context.Context, sqlstore.Conn) error {
			run()
			return nil
		})
	}
	none := func() {}
	running, leave, done := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		done <- write(t.Context(), func() {
			close(running)
			<-leave
		})
	}()
	<-running
	require.Equal(t, 1, store.Stats().InUse)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { done <- write(ctx, none) }()
	require.Eventually(t, func() bool { return store.Stats().Writes.Waiting == 1 }, time.Minute, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	close(leave)
	require.NoError(t, <-done)
	require.Zero(t, store.Stats().Writes.Waiting)
	require.Positive(t, store.Stats().Writes.Waited)
	require.Zero(t, store.Stats().Reads)
}
