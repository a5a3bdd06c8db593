//go:build cgo

package sqlite_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/fixtures"
	"github.com/apguard/apguard/storage/internal/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

// What was answered before the database was full is there, and nothing of what was
// refused. With room, the store goes on.
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
			answered := slices.Concat(added[:]...)
			require.NotEmpty(t, answered)
			for _, name := range answered {
				for _, one := range fixtures.BatchCommand(name, size).Candidates {
					_, err := store.AssetByIdentity(t.Context(), one.Identity)
					require.NoError(t, err, "%v was answered", one.Identity)
				}
			}
			require.Len(t, tableRows(t, observer, "apguard_allowlist"), 3+len(answered)*size)
			require.Len(t, tableRows(t, observer, "apguard_assets"), 4+len(answered)*size)
			require.Equal(t, []string{"ok"}, queryColumn(t, observer, "PRAGMA integrity_check"))

			limited.pages.Store(100_000)
			db.SetMaxIdleConns(0)
			_, err := store.AddToAllowlist(t.Context(), fixtures.BatchCommand("room", 1000))
			require.NoError(t, err)
		})
	}
}

// sized limits the size of the database on every connection, as SQLite keeps that
// limit with the connection, and one on which a transaction fails may be closed.
type limitedConnector struct {
	driver.Connector
	pages *atomic.Int64
}

// Connect implements driver.Connector.
func (s limitedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := s.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	limit := fmt.Sprintf("PRAGMA max_page_count = %d", s.pages.Load())
	_, err = opened.(driver.ExecerContext).ExecContext(ctx, limit, nil)
	return opened, err
}

// A damaged page is found where it is needed, and the rest of the file serves on.
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
	_, err = store.Changes(t.Context(), asset.ChangeFilter{}, asset.ChangeCursor{}, 10)
	require.ErrorIs(t, err, sqlite.ErrNotADatabase)
	_, err = store.SetAssetStatus(t.Context(), fixtures.BlockCommand("new"))
	require.ErrorIs(t, err, sqlite.ErrNotADatabase)
	require.Equal(t, before, tableRows(t, reader, "apguard_assets"), "a step that met the damage has left something")
	_, err = store.CreateDispute(t.Context(), fixtures.DisputeCommand("new", "note"))
	require.NoError(t, err)
}

// damage overwrites a part of the file.
func damage(t *testing.T, path string, at int64, size int) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteAt(make([]byte, size), at)
	require.NoError(t, errors.Join(err, file.Close()))
}

func TestWriter_LockedByOtherProcess(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	short, err := sqlite.Open(t.Context(), path, sqlite.Options{BusyTimeout: time.Millisecond})
	require.NoError(t, err)
	defer func() { require.NoError(t, short.Close()) }()

	cmd := subprocess.Command(t, "lock", path)
	release, err := cmd.StdinPipe()
	require.NoError(t, err)
	output, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	locked := make([]byte, len(subprocess.OK)+1)
	_, err = io.ReadFull(output, locked)
	require.NoError(t, err)
	require.Equal(t, subprocess.OK+"\n", string(locked))

	require.ErrorIs(t, short.PutUser(t.Context(), account.User{ID: 1}), sqlite.ErrBusy)
	_, err = short.Groups(t.Context(), 1)
	require.NoError(t, err, "reading does not wait")
	require.NoError(t, release.Close())
	require.NoError(t, cmd.Wait())
	require.NoError(t, short.PutUser(t.Context(), account.User{ID: 1}))
}

// lockTask keeps others from writing until the signal.
func lockTask(path string) string {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err.Error()
	}
	writer, _ := sqlite.Pools(store)
	tx, err := writer.BeginTx(ctx, nil)
	if err != nil {
		return err.Error()
	}
	subprocess.Print(subprocess.OK)
	subprocess.AwaitStart()
	return subprocess.Result(errors.Join(tx.Rollback(), store.Close()))
}

const (
	busyWrites = 20
	busySize   = 25
)

func TestWriter_ManyProcesses(t *testing.T) {
	t.Parallel()
	const processes = 3
	path := newFile(t)
	store := open(t, path)
	subprocess.RunTogether(t, processes, "write", path)
	_, reader := sqlite.Pools(store)
	require.Len(t, tableRows(t, reader, "apguard_allowlist"), processes*busyWrites*busySize)
	require.Len(t, tableRows(t, reader, "apguard_changes"), processes*busyWrites*busySize)
	require.Len(t, tableRows(t, reader, "apguard_disputes"), processes*busyWrites)
	require.Equal(t, []string{"ok"}, queryColumn(t, reader, "PRAGMA integrity_check"))
}

// writeTask writes what no other process writes.
func writeTask(path string) string {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, path, longTimeout())
	if err != nil {
		return err.Error()
	}
	subprocess.AwaitStart()
	for i := range busyWrites {
		name := fmt.Sprintf("%d-%d", os.Getpid(), i)
		if _, err = store.AddToAllowlist(ctx, fixtures.BatchCommand(name, busySize)); err != nil {
			break
		}
		if _, err = store.CreateDispute(ctx, fixtures.DisputeCommand(name, "note")); err != nil {
			break
		}
	}
	return subprocess.Result(errors.Join(err, store.Close()))
}
