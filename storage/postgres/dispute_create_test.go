package postgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/postgres"
)

// storeWithAsset returns a store that has the asset of disputeBy.
func storeWithAsset(t *testing.T) (store *postgres.Store, dsn string) {
	t.Helper()
	dsn = newDatabase(t)
	store = open(t, dsn)
	require.NoError(t, setStatus(t.Context(), store, "https://a.example", asset.StatusBlocked))
	return store, dsn
}

// A dispute waits for another transaction that creates the same one.
func TestCreateDispute_Waits(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		end  func(pgx.Tx, context.Context) error
		want error
	}{
		"for its commit":   {pgx.Tx.Commit, dispute.ErrExists},
		"for its rollback": {pgx.Tx.Rollback, nil},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			store, dsn := storeWithAsset(t)
			tx := begin(t, dsn, pgx.ReadCommitted)
			_, err := postgres.InTx(tx).CreateDispute(t.Context(), disputeBy(1))
			require.NoError(t, err)
			done := make(chan error, 1)
			go func() {
				_, err := store.CreateDispute(t.Context(), disputeBy(1))
				done <- err
			}()
			awaitLockWaits(t, dsn, 1)
			require.Empty(t, done)
			require.NoError(t, test.end(tx, t.Context()))
			require.ErrorIs(t, <-done, test.want)
			require.Equal(t, 1, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_disputes"))
		})
	}
}
