package sqlite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/fixtures"
	"github.com/apguard/apguard/storage/sqlite"
)

// The errors of every driver are recognized.
func TestFailure_DriverErrors(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for reason, test := range map[string]struct {
				cause, remedy string
				want          error
			}{
				"a database of the maximum size": {"PRAGMA max_page_count = 1", "PRAGMA max_page_count = 100000", sqlite.ErrFull},
				"a read-only connection":         {"PRAGMA query_only = 1", "PRAGMA query_only = 0", sqlite.ErrReadOnly},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					db := d.database(t)
					db.SetMaxOpenConns(1)
					store := newStore(t, db, sqlite.Options{})
					fixtures.Fill(t, store)
					before := allRows(t, db)
					_, err := db.ExecContext(t.Context(), test.cause)
					require.NoError(t, err)
					_, err = store.AddToAllowlist(t.Context(), fixtures.BatchCommand("new", 1000))
					require.ErrorIs(t, err, test.want)
					require.Equal(t, before, allRows(t, db))

					_, err = db.ExecContext(t.Context(), test.remedy)
					require.NoError(t, err)
					_, err = store.AddToAllowlist(t.Context(), fixtures.BatchCommand("new", 1000))
					require.NoError(t, err)
				})
			}
		})
	}
}
