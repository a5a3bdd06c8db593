package postgres_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/benchtest"
	"github.com/apguard/apguard/storage/postgres"
)

// Batches with the same assets in different orders do not deadlock, which matters in host
// transactions, as they are not retried. Both wait for a third transaction, which has an
// asset in the middle.
func TestAddToAllowlist_NoDeadlock(t *testing.T) {
	t.Parallel()
	const size = 101
	for reason, known := range map[string]bool{"new assets": false, "known assets": true} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			dsn := newDatabase(t)
			store := open(t, dsn)
			name := benchtest.AddCommand(1, size).Candidates[size/2].Content
			middle := begin(t, dsn, pgx.ReadCommitted)
			if known {
				_, err := store.AddToAllowlist(t.Context(), benchtest.AddCommand(1, size))
				require.NoError(t, err)
				_, err = middle.Exec(t.Context(), "SELECT 1 FROM apguard_assets WHERE canonical = $1 FOR UPDATE", name)
				require.NoError(t, err)
			} else {
				require.NoError(t, block(t.Context(), postgres.InTx(middle), name))
			}
			done := make(chan error)
			for i := range 2 {
				tx := begin(t, dsn, pgx.ReadCommitted)
				a := benchtest.AddCommand(1, size)
				a.OrganizationID = int64(i + 2)
				if i == 1 {
					slices.Reverse(a.Candidates)
				}
				go func() {
					_, err := postgres.InTx(tx).AddToAllowlist(t.Context(), a)
					done <- errors.Join(err, tx.Commit(t.Context()))
				}()
			}
			awaitLockWaits(t, dsn, 2)
			require.NoError(t, middle.Commit(t.Context()))
			require.NoError(t, <-done)
			require.NoError(t, <-done)
		})
	}
}
