package postgres_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
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
			store := accounttest.Organizations(t, open(t, dsn), 1, 2, 3)
			name := benchtest.AddCommand(1, size).Entries[size/2].Content
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
					slices.Reverse(a.Entries)
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

// Nor do removals and expiries deadlock with additions of the same assets in another order.
func TestRemoveFromAllowlist_NoDeadlock(t *testing.T) {
	t.Parallel()
	const size = 101
	for reason, remove := range map[string]func(*testing.T, storage.Store, []int64) error{
		"removal": func(t *testing.T, store storage.Store, ids []int64) error {
			t.Helper()
			_, err := store.RemoveFromAllowlist(t.Context(), allowlist.RemoveCommand{OrganizationID: 1, AssetIDs: ids, At: fixtures.Time()})
			return err
		},
		"expiry": func(t *testing.T, store storage.Store, _ []int64) error {
			t.Helper()
			_, err := store.ExpireEntries(t.Context(), allowlist.ExpireCommand{At: fixtures.Time(), Limit: size})
			return err
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			dsn := newDatabase(t)
			store := accounttest.Organizations(t, open(t, dsn), 1, 2)
			outcomes, err := store.AddToAllowlist(t.Context(), benchtest.AddCommand(1, size))
			require.NoError(t, err)
			ids := make([]int64, size)
			for i, outcome := range outcomes {
				ids[i] = outcome.AssetID
			}
			// The entries end in the reverse order of their assets.
			execute(t, dsn, "UPDATE apguard_allowlist SET expires_at = 1000 - asset_id")
			middle := begin(t, dsn, pgx.ReadCommitted)
			_, err = middle.Exec(t.Context(), "SELECT 1 FROM apguard_assets WHERE id = $1 FOR UPDATE", ids[size/2])
			require.NoError(t, err)
			done := make(chan error)
			for _, call := range []func(storage.Store) error{
				func(store storage.Store) error { return remove(t, store, ids) },
				func(store storage.Store) error {
					cmd := benchtest.AddCommand(1, size)
					cmd.OrganizationID = 2
					_, err := store.AddToAllowlist(t.Context(), cmd)
					return err
				},
			} {
				tx := begin(t, dsn, pgx.ReadCommitted)
				go func() { done <- errors.Join(call(postgres.InTx(tx)), tx.Commit(t.Context())) }()
			}
			awaitLockWaits(t, dsn, 2)
			require.NoError(t, middle.Commit(t.Context()))
			require.NoError(t, <-done)
			require.NoError(t, <-done)
		})
	}
}
