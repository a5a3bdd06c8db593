package sqlite_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/storage/internal/fixtures"
	"github.com/apguard/apguard/storage/sqlite"
)

// Whichever statement of a step fails, nothing of the step is left, and the store
// can be used again.
func TestEngine_AnyStatementFails(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for operation, call := range fixtures.Writes() {
				t.Run(operation, func(t *testing.T) {
					t.Parallel()
					path := newFile(t)
					observer := d.open(t, path, testSettings)
					require.NoError(t, sqlite.Migrate(t.Context(), observer))
					left := 1 << 20 // this many statements succeed before one fails
					store := newStore(t, d.openHooked(t, path, func(string) error {
						left--
						if left == -1 {
							return driverError(codeFull)
						}
						return nil
					}), sqlite.Options{})
					fixtures.Fill(t, store)
					before := allRows(t, observer)

					n := 0
					for ; ; n++ {
						left = n
						err := call(t.Context(), store)
						if left >= 0 {
							require.NoError(t, err)
							break
						}
						require.ErrorIs(t, err, sqlite.ErrFull, "when statement %d fails", n)
						require.Equal(t, before, allRows(t, observer), "when statement %d fails", n)
					}
					require.Greater(t, n, 2, "at least a beginning, a statement and a commit")
					require.NotEqual(t, before, allRows(t, observer))
				})
			}
		})
	}
}

// The same of a context that ends.
func TestEngine_ContextEndsAtAnyStatement(t *testing.T) {
	t.Parallel()
	const every = 67
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			path := newFile(t)
			observer := d.open(t, path, testSettings)
			require.NoError(t, sqlite.Migrate(t.Context(), observer))
			var (
				left   int
				cancel context.CancelFunc
			)
			store := newStore(t, d.openHooked(t, path, func(statement string) error {
				left--
				if left == 0 && cancel != nil && statement != "COMMIT" {
					cancel()
				}
				return nil
			}), sqlite.Options{})
			fixtures.Fill(t, store)
			batch := fixtures.BatchCommand("new", allowlist.MaxItems-2)
			batch.Candidates = append(batch.Candidates, fixtures.AddCommand("a", "b-0").Candidates...)
			batch.OrganizationID = 2
			before := allRows(t, observer)

			ended := 0
			for n := 1; ; n += every {
				var ctx context.Context
				ctx, cancel = context.WithCancel(t.Context())
				left = n
				_, err := store.AddToAllowlist(ctx, batch)
				cancel()
				if err == nil {
					break
				}
				ended++
				require.ErrorIs(t, err, context.Canceled, "at statement %d", n)
				require.Equal(t, before, allRows(t, observer), "at statement %d", n)
			}
			require.Greater(t, ended, 2*allowlist.MaxItems/every)
			require.Len(t, tableRows(t, observer, "apguard_allowlist"), 3+allowlist.MaxItems)
		})
	}
}

// With every driver, the errors say what is wrong.
func TestFailure_DriverErrors(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for reason, test := range map[string]struct {
				spoil, mend string
				want        error
			}{
				"a database that has reached its largest size": {"PRAGMA max_page_count = 1", "PRAGMA max_page_count = 100000", sqlite.ErrFull},
				"a connection that can only read":              {"PRAGMA query_only = 1", "PRAGMA query_only = 0", sqlite.ErrReadOnly},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					db := d.database(t)
					db.SetMaxOpenConns(1)
					store := newStore(t, db, sqlite.Options{})
					fixtures.Fill(t, store)
					before := allRows(t, db)
					_, err := db.ExecContext(t.Context(), test.spoil)
					require.NoError(t, err)
					_, err = store.AddToAllowlist(t.Context(), fixtures.BatchCommand("new", 1000))
					require.ErrorIs(t, err, test.want)
					require.Equal(t, before, allRows(t, db))

					_, err = db.ExecContext(t.Context(), test.mend)
					require.NoError(t, err)
					_, err = store.AddToAllowlist(t.Context(), fixtures.BatchCommand("new", 1000))
					require.NoError(t, err)
				})
			}
		})
	}
}

func TestWriter_BusyTimeout(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			path := newFile(t)
			other := d.open(t, path, testSettings)
			require.NoError(t, sqlite.Migrate(t.Context(), other))
			short := newStore(t, d.open(t, path, strings.Replace(testSettings, "5000", "1", 1)), sqlite.Options{BusyTimeout: 1})
			tx := begin(t, other)
			err := short.PutUser(t.Context(), account.User{ID: 1})
			require.ErrorIs(t, err, sqlite.ErrBusy)
			require.ErrorContains(t, err, "sqlite: put user: ")
			_, err = short.Groups(t.Context(), 1)
			require.NoError(t, err, "reading does not wait")
			require.NoError(t, tx.Rollback())
			require.NoError(t, short.PutUser(t.Context(), account.User{ID: 1}))
		})
	}
}
