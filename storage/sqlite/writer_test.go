package sqlite_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage/sqlite"
)

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
			err := short.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{})
			require.ErrorIs(t, err, sqlite.ErrBusy)
			require.ErrorContains(t, err, "sqlite: put user: ")
			_, err = short.Groups(t.Context(), 1)
			require.NoError(t, err, "reads must not wait")
			require.NoError(t, tx.Rollback())
			require.NoError(t, short.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}))
		})
	}
}
