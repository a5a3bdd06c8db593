package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/storagetest"
)

// The suite in a host transaction.
func TestStore_InTx(t *testing.T) {
	t.Parallel()
	const (
		single = "a transaction must not be used concurrently"
		failed = "a transaction is unusable after a statement has failed"
	)
	testsize.NotShort(t)
	optOuts := []storagetest.OptOut{
		{Name: "Concurrency", Reason: single},
		{Name: "Groups/no ID above 2^53-1 is assigned", Reason: failed},
		{Name: "Import/no ID above 2^53-1 is assigned", Reason: failed},
		{Name: "Interruption", Reason: failed},
		{Name: "Closed", Reason: "Close does nothing in a host transaction"},
	}
	if !testsize.Full() {
		optOuts = append(storagetest.Brief(), optOuts...)
		optOuts = append(optOuts, storagetest.OptOut{Name: "StateMachine", Reason: "not in the brief suite"})
	}
	dsn := withParameter(t, newDatabase(t), "synchronous_commit", "off")
	migrate(t, dsn)
	connection := connect(t, dsn)
	storagetest.Run(t, func(t *testing.T) storage.Store {
		t.Helper()
		execute(t, dsn, resetStatements())
		tx, err := connection.Begin(t.Context())
		require.NoError(t, err)
		return txStore{postgres.InTx(tx), tx}
	}, optOuts...)
}

// txStore is a store in a transaction that Close rolls back.
type txStore struct {
	storage.Store
	tx pgx.Tx
}

func (r txStore) Close() error {
	err := r.tx.Rollback(context.Background())
	if errors.Is(err, pgx.ErrTxClosed) {
		return nil
	}
	return err
}
