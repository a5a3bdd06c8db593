package sqlite_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/sqlite"
	"github.com/apguard/apguard/storage/storagetest"
)

func TestInTx_Store(t *testing.T) {
	t.Parallel()
	const (
		rollback = "after an error of the database, the host application rolls back"
		aboveMax = "no ID above 2^53-1 is assigned"
	)
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			d.suite(t, func(t *testing.T, db *sql.DB) storage.Store {
				t.Helper()
				tx := begin(t, db)
				t.Cleanup(func() { require.NoError(t, tx.Rollback()) })
				return sqlite.InTx(tx)
			}, append(testsize.Of(briefSuite(), briefSuite(), nil),
				storagetest.OptOut{Name: "Concurrency", Reason: "a transaction must not be used concurrently"},
				storagetest.OptOut{Name: "Closed", Reason: "Close does nothing, as the transaction belongs to the host application"},
				storagetest.OptOut{Name: "Interruption", Reason: rollback},
				storagetest.OptOut{Name: "Groups/" + aboveMax, Reason: rollback},
				storagetest.OptOut{Name: "Import/" + aboveMax, Reason: rollback},
			)...)
		})
	}
}

// begin begins a transaction of the host application.
func begin(t *testing.T, db *sql.DB) *sql.Tx {
	t.Helper()
	tx, err := db.BeginTx(context.WithoutCancel(t.Context()), nil)
	require.NoError(t, err)
	return tx
}

func TestInTx_HostTablesAtomic(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for reason, test := range map[string]struct {
				end  func(*sql.Tx) error
				want []string
			}{
				"committed":   {(*sql.Tx).Commit, []string{"7"}},
				"rolled back": {(*sql.Tx).Rollback, nil},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					db := d.database(t)
					_, err := db.ExecContext(t.Context(), "CREATE TABLE host_assets (asset_id INTEGER PRIMARY KEY)")
					require.NoError(t, err)
					before := allRows(t, db)

					tx := begin(t, db)
					blocked, err := sqlite.InTx(tx).SetAssetStatuses(t.Context(), fixtures.BlockCommand("a"))
					require.NoError(t, err)
					_, err = tx.ExecContext(t.Context(), "INSERT INTO host_assets VALUES (?)", blocked[0].ID+6)
					require.NoError(t, err)
					require.Equal(t, before, allRows(t, db), "uncommitted rows are visible")
					require.NoError(t, test.end(tx))

					require.Equal(t, test.want, queryColumn(t, db, "SELECT asset_id FROM host_assets"))
					require.Len(t, tableRows(t, db, "apguard_assets"), len(test.want))
					require.Len(t, tableRows(t, db, "apguard_changes"), len(test.want))
				})
			}
		})
	}
}

func TestInTx_ContractErrorChangesNothing(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for reason, refusal := range fixtures.Refusals() {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					db := d.database(t)
					tx := begin(t, db)
					store := sqlite.InTx(tx)
					fixtures.Fill(t, store)
					before := allRows(t, tx)

					require.Equal(t, refusal.Want, refusal.Call(t.Context(), store), "the error must be unchanged")
					require.Equal(t, before, allRows(t, tx))
					require.NoError(t, store.PutUser(t.Context(), account.User{ID: 2}, audit.Entry{}))
					require.NoError(t, tx.Commit())
					before["apguard_users"] = tableRows(t, db, "apguard_users")
					require.Len(t, before["apguard_users"], 2)
					require.Equal(t, before, allRows(t, db))
				})
			}
		})
	}
}

// A context that ended before the call leaves the transaction usable.
func TestInTx_EndedContextChangesNothing(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			db := d.database(t)
			tx := begin(t, db)
			store := sqlite.InTx(tx)
			fixtures.Fill(t, store)
			before := allRows(t, tx)

			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			for name, call := range fixtures.Writes() {
				require.ErrorIs(t, call(ctx, store), context.Canceled, name)
			}
			_, err := store.Groups(ctx, 1)
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, before, allRows(t, tx))
			require.NoError(t, tx.Commit())
			require.Equal(t, before, allRows(t, db))
		})
	}
}

// A deferred transaction that has read cannot write after another one has written, as its
// snapshot is old. The call fails at once, as waiting would not help.
func TestInTx_DeferredAfterRead(t *testing.T) {
	t.Parallel()
	const longBusyTimeout = "_foreign_keys=1&_busy_timeout=3600000&_journal_mode=WAL&_synchronous=OFF"
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for reason, end := range map[string]func(t *testing.T, other *sql.Tx){
				"another one has written": func(t *testing.T, other *sql.Tx) {
					t.Helper()
					require.NoError(t, other.Commit())
				},
				"another one is writing": func(t *testing.T, other *sql.Tx) {
					t.Helper()
					t.Cleanup(func() { require.NoError(t, other.Rollback()) })
				},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					path := newFile(t)
					db, immediate := d.open(t, path, longBusyTimeout), d.open(t, path, testSettings)
					require.NoError(t, sqlite.Migrate(t.Context(), db))
					tx := begin(t, db)
					_, err := sqlite.InTx(tx).Groups(t.Context(), 1)
					require.NoError(t, err)
					other := begin(t, immediate)
					require.NoError(t, sqlite.InTx(other).PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}))
					end(t, other)

					_, err = sqlite.InTx(tx).SetAssetStatuses(t.Context(), fixtures.BlockCommand("a"))
					require.ErrorIs(t, err, sqlite.ErrDeferred)
					require.ErrorContains(t, err, "sqlite: set asset statuses: ")
					require.NoError(t, tx.Rollback())
					require.Empty(t, tableRows(t, db, "apguard_assets"))
				})
			}
		})
	}
}

func TestInTx_ImmediateWaits(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			db := d.database(t)
			store := newStore(t, db, sqlite.Options{})
			tx := begin(t, db)
			_, err := sqlite.InTx(tx).Groups(t.Context(), 1)
			require.NoError(t, err)
			written := make(chan error, 1)
			go func() { written <- store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}) }()

			_, err = sqlite.InTx(tx).SetAssetStatuses(t.Context(), fixtures.BlockCommand("a"))
			require.NoError(t, err)
			require.NoError(t, tx.Commit())
			require.NoError(t, <-written, "the store must wait for the transaction")
			require.Len(t, tableRows(t, db, "apguard_assets"), 1)
		})
	}
}
