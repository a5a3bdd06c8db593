package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/postgres"
)

// Calls that wait for locks of another program leave connections for short calls.
func TestEngine_ShortCallsDoNotWait(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		size    string
		waiting int
	}{
		"the smallest pool": {size: "5", waiting: 3},
		"a larger one":      {size: "20", waiting: 17},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			dsn := newDatabase(t)
			store := open(t, withParameter(t, dsn, "pool_max_conns", c.size))
			fixtures.Fill(t, store)
			other := begin(t, dsn, pgx.ReadCommitted)
			_, err := other.Exec(t.Context(), "LOCK TABLE apguard_proposals, apguard_changes, apguard_disputes")
			require.NoError(t, err)

			var calls sync.WaitGroup
			for i := range 20 {
				calls.Go(func() { assert.NoError(t, fixtures.Search(t.Context(), store)) })
				calls.Go(func() { assert.NoError(t, fixtures.ListChanges(t.Context(), store)) })
				calls.Go(func() {
					_, err := store.CreateDispute(t.Context(), fixtures.DisputeCommand(fmt.Sprint("new-", i), "note"))
					assert.NoError(t, err)
				})
			}
			defer calls.Wait()
			defer other.Rollback(context.WithoutCancel(t.Context())) //nolint:errcheck // it wrote nothing
			awaitLockWaits(t, dsn, c.waiting)
			ctx, cancel := context.WithTimeout(t.Context(), waitTimeout)
			defer cancel()
			require.NoError(t, fixtures.ShortCalls(ctx, store))
			tx, err := postgres.Pool(store).Begin(ctx)
			require.NoError(t, err)
			require.NoError(t, fixtures.ListEntries(ctx, postgres.InTx(tx)), "a transaction has its connection")
			require.NoError(t, tx.Rollback(ctx))

			cancel()
			err = fixtures.ListEntries(ctx, store)
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorContains(t, err, "postgres: allowlist entries: ")
		})
	}
}
