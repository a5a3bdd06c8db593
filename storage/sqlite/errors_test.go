package sqlite_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
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
					require.ErrorIs(t, err, asset.ErrUnavailable)
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

func TestFailure_Unavailable(t *testing.T) {
	t.Parallel()
	const (
		codeReadOnlyDisk = 8 | 4<<8 // SQLITE_READONLY_DBMOVED
		codeIOErrWrite   = 10 | 3<<8
		codeCorrupt      = 11
		codeCantOpen     = 14
		codeConstraint   = 19
	)
	for reason, test := range map[string]struct {
		code int
		want bool
	}{
		"another writer":               {codeBusy, true},
		"a full disk":                  {codeFull, true},
		"a failed read or write":       {codeIOErr, true},
		"a failed write":               {codeIOErrWrite, true},
		"a file that cannot be opened": {codeCantOpen, true},
		"a read-only file":             {codeReadOnlyDisk, true},
		"a damaged database":           {codeCorrupt, false},
		"another file":                 {codeNotADB, false},
		"an error in a statement":      {codeError, false},
		"a violated constraint":        {codeConstraint, false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			var broken atomic.Bool
			path := newFile(t)
			require.NoError(t, sqlite.Migrate(t.Context(), pureGo().open(t, path, testSettings)))
			store := newStore(t, pureGo().openHooked(t, path, func(string) error {
				if broken.Load() {
					return driverError(test.code)
				}
				return nil
			}), sqlite.Options{BusyTimeout: time.Millisecond})
			broken.Store(true)
			for operation, call := range map[string]func() error{
				"read":  func() error { _, err := store.Groups(t.Context(), 1); return err },
				"write": func() error { return store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}) },
				"ping":  func() error { return store.Ping(t.Context()) },
			} {
				err := call()
				require.Error(t, err, operation)
				require.Equal(t, test.want, errors.Is(err, asset.ErrUnavailable), "%s: %v", operation, err)
				require.NotContains(t, err.Error(), asset.ErrUnavailable.Error(), "the text has the reason alone")
			}
			broken.Store(false)
			require.NoError(t, store.Ping(t.Context()))
			require.NoError(t, store.Close())
			require.ErrorIs(t, store.Ping(t.Context()), asset.ErrUnavailable)
		})
	}
}
