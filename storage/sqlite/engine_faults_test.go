package sqlite_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/sqlite"
)

// Whichever statement of a step fails, the step stores nothing and the store stays usable.
func TestEngine_AnyStatementFails(t *testing.T) {
	testsize.NotShort(t)
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
					left := 1 << 20 // statements that succeed before one fails
					store := newStore(t, d.openHooked(t, path, func(string) error {
						left--
						if left == -1 {
							return driverError(codeFull)
						}
						return nil
					}), sqlite.Options{})
					fixtures.Fill(t, store)
					fixtures.FillRemovable(t, store)
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
					require.Greater(t, n, 2, "a step has a BEGIN, a statement and a COMMIT at least")
					require.NotEqual(t, before, allRows(t, observer))
				})
			}
		})
	}
}

// Whenever the context ends during a step, the step stores nothing and the store stays usable.
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
			batch.Entries = append(batch.Entries, fixtures.AddCommand("a", "b-0").Entries...)
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
