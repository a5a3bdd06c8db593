package sqlite_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestStore_Stats(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			db := d.database(t)
			db.SetMaxOpenConns(5)
			store := newStore(t, db, longTimeout())
			require.NoError(t, sqlite.Read(t.Context(), store, sqlstore.List, func(ctx context.Context, on sqlstore.Conn) error {
				rows, err := on.Query(ctx, "SELECT 1") // has the connection until it is closed
				if err != nil {
					return err
				}
				stats := store.Stats()
				require.Equal(t, 5, stats.MaxConnections)
				require.Equal(t, 1, stats.InUse)

				ended, cancel := context.WithCancel(ctx)
				done := make(chan error)
				go func() {
					done <- sqlite.Read(ended, store, sqlstore.List, func(context.Context, sqlstore.Conn) error { return nil })
				}()
				require.Eventually(t, func() bool { return store.Stats().Reads.Waiting == 1 }, time.Minute, 100*time.Microsecond)
				cancel()
				require.ErrorIs(t, <-done, context.Canceled)
				return rows.Close()
			}))
			stats := store.Stats()
			require.Zero(t, stats.InUse)
			require.Positive(t, stats.Idle)
			require.Zero(t, stats.Reads.Waiting)
			require.Positive(t, stats.Reads.Waited)
			require.Zero(t, stats.Writes)
		})
	}
}

// A step that gives up has waited too.
func TestStore_Stats_writes(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			s := newQueuedStore(t, d)
			before := s.Stats().Writes
			ctx, cancel := context.WithCancel(t.Context())
			errs := s.queue(func() {
				require.Equal(t, storage.Queue{Waiting: 3, Waited: before.Waited}, s.Stats().Writes)
				cancel()
				s.awaitWaiting(2)
				require.Greater(t, s.Stats().Writes.Waited, before.Waited)
				before = s.Stats().Writes
			}, s.putUser(101), s.putUser(102), func(context.Context) error { return s.putUser(103)(ctx) })
			require.Equal(t, []error{nil, nil}, errs[:2])
			require.ErrorIs(t, errs[2], context.Canceled)
			require.Zero(t, s.Stats().Writes.Waiting)
			require.Greater(t, s.Stats().Writes.Waited, before.Waited)
		})
	}
}
