//go:build cgo

package sqlite_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/internal/test/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

// Calls that succeeded before the database was full are stored, and no part of the others.
// The store works again once there is space.
func TestWriter_MaxPageCount(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			const size, goroutines = 50, 4
			path := newFile(t)
			observer := d.open(t, path, testSettings)
			require.NoError(t, sqlite.Migrate(t.Context(), observer))
			limited := limitedConnector{Connector: d.connector(t, path, testSettings), pages: new(atomic.Int64)}
			limited.pages.Store(200)
			db := sql.OpenDB(limited)
			t.Cleanup(func() { require.NoError(t, db.Close()) })
			store := newStore(t, db, sqlite.Options{})
			fixtures.Fill(t, store)

			var added [goroutines][]string
			subprocess.CallTogether(t, goroutines, func(i int) error {
				for n := 0; ; n++ {
					name := fmt.Sprintf("%d-%d", i, n)
					_, err := store.AddToAllowlist(t.Context(), fixtures.BatchCommand(name, size))
					if errors.Is(err, sqlite.ErrFull) {
						return nil
					}
					if err != nil {
						return err
					}
					added[i] = append(added[i], name)
				}
			})
			stored := slices.Concat(added[:]...)
			require.NotEmpty(t, stored)
			for _, name := range stored {
				for _, one := range fixtures.BatchCommand(name, size).Entries {
					_, err := asset.NewService(store, asset.Options{}).Get(t.Context(), one.Asset.Identity)
					require.NoError(t, err, "%v was stored", one.Asset.Identity)
				}
			}
			require.Len(t, tableRows(t, observer, "apguard_allowlist"), 3+len(stored)*size)
			require.Len(t, tableRows(t, observer, "apguard_assets"), 5+len(stored)*size)
			require.Equal(t, []string{"ok"}, queryColumn(t, observer, "PRAGMA integrity_check"))

			limited.pages.Store(100_000)
			db.SetMaxIdleConns(0)
			_, err := store.AddToAllowlist(t.Context(), fixtures.BatchCommand("space", 1000))
			require.NoError(t, err)
		})
	}
}

// limitedConnector limits the size of the database on every connection. SQLite keeps the
// limit with the connection, and the pool may close a connection after a failed transaction.
type limitedConnector struct {
	driver.Connector
	pages *atomic.Int64
}

// Connect implements driver.Connector.
func (c limitedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	limit := fmt.Sprintf("PRAGMA max_page_count = %d", c.pages.Load())
	_, err = opened.(driver.ExecerContext).ExecContext(ctx, limit, nil)
	return opened, err
}

// A damaged page affects only the calls that need it.
func TestOpen_DamagedFile(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	fixtures.Fill(t, store)
	_, err = store.AddToAllowlist(t.Context(), fixtures.BatchCommand("more", 100))
	require.NoError(t, err)
	_, reader := sqlite.Pools(store)
	root, err := strconv.Atoi(queryColumn(t, reader, "SELECT rootpage FROM sqlite_master WHERE name = 'apguard_changes'")[0])
	require.NoError(t, err)
	pageSize, err := strconv.Atoi(queryColumn(t, reader, "PRAGMA page_size")[0])
	require.NoError(t, err)
	require.NoError(t, store.Close())
	damage(t, path, int64(root-1)*int64(pageSize), pageSize)

	store = open(t, path)
	_, reader = sqlite.Pools(store)
	before := tableRows(t, reader, "apguard_assets")
	_, err = store.Changes(t.Context(), asset.ListChangesRequest{Limit: 10})
	require.ErrorIs(t, err, sqlite.ErrNotADatabase)
	_, err = store.SetAssetStatuses(t.Context(), fixtures.BlockCommand("new"))
	require.ErrorIs(t, err, sqlite.ErrNotADatabase)
	require.Equal(t, before, tableRows(t, reader, "apguard_assets"), "a step that failed must store nothing")
	_, err = store.CreateDispute(t.Context(), fixtures.DisputeCommand("new", "note"))
	require.NoError(t, err)
}

// damage overwrites a part of the file with zeros.
func damage(t *testing.T, path string, at int64, size int) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteAt(make([]byte, size), at)
	require.NoError(t, errors.Join(err, file.Close()))
}
