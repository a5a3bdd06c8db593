package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/storagetest"
)

// The suite in a host transaction, without what depends on the statements alone. TestStore runs that, with the
// same statements.
func TestStore_InTx(t *testing.T) {
	t.Parallel()
	dsn := newSuiteDatabase(t)
	connection := connect(t, dsn)
	const elsewhere = "TestStore runs it with the same statements"
	optOuts := testsize.Of(briefSuite(), briefSuite(), []storagetest.OptOut{
		{Name: "Allowlist/2,000 entries of 8 KB are complete", Reason: elsewhere},
		{Name: "Changelog/2,000 changes of 8 KB are complete", Reason: elsewhere},
		{Name: "Feed/2,000 entries of 8 KB are complete", Reason: elsewhere},
		{Name: "Freshness", Reason: "TestStore runs it, and neither store caches anything"},
		{Name: "ReportScan", Reason: elsewhere},
	})
	runInTx(t, dsn, optOuts, func(t *testing.T) txStore {
		t.Helper()
		tx, err := connection.Begin(t.Context())
		require.NoError(t, err)
		return txStore{postgres.InTx(tx), func() error { return tx.Rollback(context.Background()) }}
	})
}

// The suite has passed with the other kind of transaction, and its steps are the same. So less of it is left for
// this one.
func TestStore_InSQLTx(t *testing.T) {
	t.Parallel()
	dsn := newSuiteDatabase(t)
	db := openSQL(t, dsn)
	runInTx(t, dsn, briefSuite(), func(t *testing.T) txStore {
		t.Helper()
		tx := beginSQL(t, db, nil)
		return txStore{postgres.InSQLTx(tx), tx.Rollback}
	})
}

// briefSuite returns what the brief suite leaves out.
func briefSuite() []storagetest.OptOut {
	return append(storagetest.Brief(), storagetest.OptOut{Name: "StateMachine", Reason: "not in the brief suite"})
}

// newSuiteDatabase creates the tables for the suite in a host transaction.
func newSuiteDatabase(t *testing.T) string {
	t.Helper()
	testsize.NotShort(t)
	dsn := withParameter(t, newDatabase(t), "synchronous_commit", "off")
	migrate(t, dsn)
	return dsn
}

// runInTx runs the suite without the opt-outs, for each store in a new transaction.
func runInTx(t *testing.T, dsn string, optOuts []storagetest.OptOut, begin func(*testing.T) txStore) {
	t.Helper()
	const (
		single = "a transaction must not be used concurrently"
		failed = "a transaction is unusable after a statement has failed"
	)
	optOuts = append(optOuts,
		storagetest.OptOut{Name: "Concurrency", Reason: single},
		storagetest.OptOut{Name: "Groups/no ID above 2^53-1 is assigned", Reason: failed},
		storagetest.OptOut{Name: "Import/no ID above 2^53-1 is assigned", Reason: failed},
		storagetest.OptOut{Name: "Interruption", Reason: failed},
		storagetest.OptOut{Name: "Closed", Reason: "Close does nothing in a host transaction"},
	)
	storagetest.Run(t, func(t *testing.T) storage.Store {
		t.Helper()
		execute(t, dsn, resetStatements())
		return begin(t)
	}, optOuts...)
}

// txStore is a store in a transaction that Close rolls back.
type txStore struct {
	storage.Store
	rollback func() error
}

func (r txStore) Close() error {
	err := r.rollback()
	if errors.Is(err, pgx.ErrTxClosed) || errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}
