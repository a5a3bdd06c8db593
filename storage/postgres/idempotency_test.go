package postgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/postgres"
)

// claimedCalls returns calls with a claim. Each has the same effect on every asset.
func claimedCalls() map[string]func(ctx context.Context, store storage.Store, claim idempotency.Claim, name string) error {
	return map[string]func(context.Context, storage.Store, idempotency.Claim, string) error{
		"addition": func(ctx context.Context, store storage.Store, claim idempotency.Claim, name string) error {
			_, err := store.AddToAllowlist(ctx, fixtures.ClaimedCommand(claim, name))
			return err
		},
		"dispute": func(ctx context.Context, store storage.Store, claim idempotency.Claim, name string) error {
			_, err := store.CreateDispute(ctx, fixtures.ClaimedDispute(claim, name))
			return err
		},
	}
}

// A call waits for a host transaction that has used its key.
func TestIdempotency_WaitsForTransaction(t *testing.T) {
	t.Parallel()
	for operation, call := range claimedCalls() {
		for reason, test := range map[string]struct {
			// request and asset are those of the waiting call.
			request, asset string
			end            func(pgx.Tx, context.Context) error
			want           string
		}{
			"a repeat of a committed one":       {"first", "a", pgx.Tx.Commit, "request was executed before"},
			"another request":                   {"second", "b", pgx.Tx.Commit, "another request"},
			"a repeat of one rolled back":       {"first", "a", pgx.Tx.Rollback, ""},
			"another request after a roll back": {"second", "b", pgx.Tx.Rollback, ""},
		} {
			t.Run(operation+", "+reason, func(t *testing.T) {
				t.Parallel()
				dsn := newDatabase(t)
				store := accounttest.Organizations(t, open(t, dsn), 1)
				tx := begin(t, dsn, pgx.ReadCommitted)
				require.NoError(t, call(t.Context(), postgres.InTx(tx), fixtures.Claim("key", "first"), "a"))
				done := make(chan error, 1)
				go func() {
					done <- call(t.Context(), store, fixtures.Claim("key", test.request), test.asset)
				}()
				awaitLockWaits(t, dsn, 1)
				require.Empty(t, done)
				require.NoError(t, test.end(tx, t.Context()))
				if err := <-done; test.want == "" {
					require.NoError(t, err)
				} else {
					require.ErrorContains(t, err, test.want)
				}
				require.Equal(t, 1, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_idempotency"))
				require.Equal(t, 1, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_assets"), "the effects of one request")
			})
		}
	}
}

// A host transaction that uses the key of another one at the same time must be retried.
func TestIdempotency_TransactionsConflict(t *testing.T) {
	t.Parallel()
	for operation, call := range claimedCalls() {
		for _, level := range []pgx.TxIsoLevel{pgx.ReadCommitted, pgx.RepeatableRead} {
			t.Run(operation+", "+string(level), func(t *testing.T) {
				t.Parallel()
				dsn := newDatabase(t)
				accounttest.Organizations(t, open(t, dsn), 1)
				first, second := begin(t, dsn, pgx.ReadCommitted), begin(t, dsn, level)
				require.NoError(t, call(t.Context(), postgres.InTx(first), fixtures.Claim("key", "first"), "a"))
				done := make(chan error, 1)
				go func() {
					done <- call(t.Context(), postgres.InTx(second), fixtures.Claim("key", "second"), "b")
				}()
				awaitLockWaits(t, dsn, 1)
				require.NoError(t, first.Commit(t.Context()))
				require.ErrorIs(t, <-done, postgres.ErrSerialization)
				require.NoError(t, second.Rollback(t.Context()))

				again := begin(t, dsn, level)
				require.ErrorIs(t, call(t.Context(), postgres.InTx(again), fixtures.Claim("key", "second"), "b"), idempotency.ErrReused)
				require.NoError(t, again.Commit(t.Context()))
			})
		}
	}
}
