package sqlite_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/fixtures"
	"github.com/apguard/apguard/storage/sqlite"
	"github.com/apguard/apguard/storage/storagetest"
)

func TestInTx_Store(t *testing.T) {
	t.Parallel()
	const (
		undone = "what an error that no contract names leaves behind is undone by the host's rollback"
		above  = "no identifier above 2^53-1 is given"
	)
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			h.suite(t, func(t *testing.T, db *sql.DB) storage.Store {
				t.Helper()
				tx := begin(t, db)
				t.Cleanup(func() { require.NoError(t, tx.Rollback()) })
				return sqlite.InTx(tx)
			},
				storagetest.OptOut{Name: "Concurrency", Reason: "a transaction is for one goroutine at a time"},
				storagetest.OptOut{Name: "Closed", Reason: "the transaction ends when the host ends it"},
				storagetest.OptOut{Name: "Interruption", Reason: undone},
				storagetest.OptOut{Name: "Groups/" + above, Reason: undone},
				storagetest.OptOut{Name: "Import/" + above, Reason: undone},
			)
		})
	}
}

// begin begins a transaction of the host's.
func begin(t *testing.T, db *sql.DB) *sql.Tx {
	t.Helper()
	tx, err := db.BeginTx(context.WithoutCancel(t.Context()), nil)
	require.NoError(t, err)
	return tx
}

func TestInTx_HostTablesAtomic(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			for reason, test := range map[string]struct {
				end  func(*sql.Tx) error
				want []string
			}{
				"both are there after a commit": {(*sql.Tx).Commit, []string{"7"}},
				"neither is after a rollback":   {(*sql.Tx).Rollback, nil},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					db := h.database(t)
					_, err := db.ExecContext(t.Context(), "CREATE TABLE hosts (asset_id INTEGER PRIMARY KEY)")
					require.NoError(t, err)
					before := everything(t, db)

					tx := begin(t, db)
					blocked, err := sqlite.InTx(tx).SetAssetStatus(t.Context(), fixtures.BlockCommand("a"))
					require.NoError(t, err)
					_, err = tx.ExecContext(t.Context(), "INSERT INTO hosts VALUES (?)", blocked.ID+6)
					require.NoError(t, err)
					require.Equal(t, before, everything(t, db), "others must not see it yet")
					require.NoError(t, test.end(tx))

					require.Equal(t, test.want, column(t, db, "SELECT asset_id FROM hosts"))
					require.Len(t, rowsOf(t, db, "apguard_assets"), len(test.want))
					require.Len(t, rowsOf(t, db, "apguard_changes"), len(test.want))
				})
			}
		})
	}
}

func TestInTx_Close(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			db := h.database(t)
			tx := begin(t, db)
			require.NoError(t, sqlite.InTx(tx).Close())
			require.NoError(t, sqlite.InTx(tx).PutUser(t.Context(), account.User{ID: 1}))
			require.NoError(t, tx.Commit())
			require.Len(t, rowsOf(t, db, "apguard_users"), 1)
		})
	}
}

func TestInTx_ContractErrorChangesNothing(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			for reason, refusal := range fixtures.Refusals() {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					db := h.database(t)
					tx := begin(t, db)
					store := sqlite.InTx(tx)
					fixtures.Fill(t, store)
					before := everything(t, tx)

					require.Equal(t, refusal.Want, refusal.Call(t.Context(), store), "the error as the contract has it")
					require.Equal(t, before, everything(t, tx))
					require.NoError(t, store.PutUser(t.Context(), account.User{ID: 2}))
					require.NoError(t, tx.Commit())
					before["apguard_users"] = rowsOf(t, db, "apguard_users")
					require.Len(t, before["apguard_users"], 2)
					require.Equal(t, before, everything(t, db))
				})
			}
		})
	}
}

// A context that has ended before the call does not spoil the transaction.
func TestInTx_EndedContextChangesNothing(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			db := h.database(t)
			tx := begin(t, db)
			store := sqlite.InTx(tx)
			fixtures.Fill(t, store)
			before := everything(t, tx)

			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			for name, call := range fixtures.Writes() {
				require.ErrorIs(t, call(ctx, store), context.Canceled, name)
			}
			_, err := store.Groups(ctx, 1)
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, before, everything(t, tx))
			require.NoError(t, tx.Commit())
			require.Equal(t, before, everything(t, db))
		})
	}
}

// A transaction that has read sees the database as it was then, so it cannot
// write once another has. Waiting would not help, and is not done.
func TestInTx_DeferredAfterRead(t *testing.T) {
	t.Parallel()
	const anHour = "_foreign_keys=1&_busy_timeout=3600000&_journal_mode=WAL&_synchronous=OFF"
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			for reason, another := range map[string]func(t *testing.T, other *sql.Tx){
				"another has written": func(t *testing.T, other *sql.Tx) {
					t.Helper()
					require.NoError(t, other.Commit())
				},
				"another is writing": func(t *testing.T, other *sql.Tx) {
					t.Helper()
					t.Cleanup(func() { require.NoError(t, other.Rollback()) })
				},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					path := newFile(t)
					db, immediate := h.open(t, path, anHour), h.open(t, path, usual)
					require.NoError(t, sqlite.Migrate(t.Context(), db))
					tx := begin(t, db)
					_, err := sqlite.InTx(tx).Groups(t.Context(), 1)
					require.NoError(t, err)
					other := begin(t, immediate)
					require.NoError(t, sqlite.InTx(other).PutUser(t.Context(), account.User{ID: 1}))
					another(t, other)

					_, err = sqlite.InTx(tx).SetAssetStatus(t.Context(), fixtures.BlockCommand("a"))
					require.ErrorIs(t, err, sqlite.ErrDeferred)
					require.ErrorContains(t, err, "sqlite: set asset status: ")
					require.NoError(t, tx.Rollback())
					require.Empty(t, rowsOf(t, db, "apguard_assets"))
				})
			}
		})
	}
}

func TestInTx_ImmediateWaits(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			db := h.database(t)
			store := newStore(t, db, sqlite.Options{})
			tx := begin(t, db)
			_, err := sqlite.InTx(tx).Groups(t.Context(), 1)
			require.NoError(t, err)
			written := make(chan error, 1)
			go func() { written <- store.PutUser(t.Context(), account.User{ID: 1}) }()

			_, err = sqlite.InTx(tx).SetAssetStatus(t.Context(), fixtures.BlockCommand("a"))
			require.NoError(t, err)
			require.NoError(t, tx.Commit())
			require.NoError(t, <-written, "the store waits for the host")
			require.Len(t, rowsOf(t, db, "apguard_assets"), 1)
		})
	}
}
