//go:build cgo

package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/internal/test/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

// The test has smaller limits than the store, so that it reaches them sooner.
const fewerBytes = 512 << 10

// writeBatches adds batches from several goroutines without a pause.
func writeBatches(t *testing.T, store *sqlite.Store, name string) {
	t.Helper()
	const goroutines, batches, size = 4, 100, 10
	subprocess.CallTogether(t, goroutines, func(i int) error {
		for n := range batches {
			if _, err := store.AddToAllowlist(t.Context(), fixtures.BatchCommand(fmt.Sprintf("%s-%d-%d", name, i, n), size)); err != nil {
				return err
			}
		}
		return nil
	})
}

// logFileBytes returns the size of the file of the write-ahead log. The file does not shrink
// with such small limits.
func logFileBytes(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path + "-wal")
	require.NoError(t, err)
	return info.Size()
}

func TestCheckpoints_LogStaysBounded(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	// The log also has the bytes written during a checkpoint. They are many with such small
	// limits.
	const slack = 4
	for reason, read := range map[string]func(ctx context.Context, store *sqlite.Store) error{
		"continuous writes": func(ctx context.Context, _ *sqlite.Store) error {
			<-ctx.Done()
			return nil
		},
		"continuous writes and reads": readChangelog,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			const readers = 3
			path := newFile(t)
			store := accounttest.Organizations(t, open(t, path), 1)
			tooMany := sqlite.SetCheckpointBytes(store, fewerBytes)
			// On a busy machine, reading a page may take long.
			require.NoError(t, sqlite.SetReadersWait(store, 2*time.Second))
			writeBatches(t, store, "before")

			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var (
				group sync.WaitGroup
				errs  [readers]error
			)
			for i := range readers {
				group.Go(func() { errs[i] = read(ctx, store) })
			}
			writeBatches(t, store, "during")
			cancel()
			group.Wait()
			require.Equal(t, [readers]error{}, errs)
			require.Less(t, logFileBytes(t, path), slack*tooMany)
		})
	}
	t.Run("without smaller limits", func(t *testing.T) {
		t.Parallel()
		path := newFile(t)
		store := accounttest.Organizations(t, open(t, path), 1)
		tooMany := sqlite.SetCheckpointBytes(open(t, newFile(t)), fewerBytes)
		writeBatches(t, store, "before")
		writeBatches(t, store, "during")
		require.Greater(t, logFileBytes(t, path), 2*slack*tooMany, "too few writes for this test")
	})
}

// readChangelog reads all changes, again and again.
func readChangelog(ctx context.Context, store *sqlite.Store) error {
	service := asset.NewService(store, asset.Options{})
	for {
		for _, err := range service.Changes(ctx, asset.ChangeFilter{}) {
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
}

// A long read prevents checkpoints, but not writes. After it, the log restarts.
func TestCheckpoints_LongReaderDoesNotBlockWriter(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	store := accounttest.Organizations(t, open(t, newFile(t)), 1)
	tooMany := sqlite.SetCheckpointBytes(store, fewerBytes)
	require.NoError(t, sqlite.SetReadersWait(store, time.Millisecond))
	_, reader := sqlite.Pools(store)
	tx, err := reader.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	require.NoError(t, err)
	require.Empty(t, tableRows(t, tx, "apguard_changes"))

	for n := 0; logBytes(t, store) <= tooMany; n++ {
		writeBatches(t, store, fmt.Sprint("during-", n))
	}
	held := logBytes(t, store)
	require.Empty(t, tableRows(t, tx, "apguard_changes"), "the snapshot of the reader changed")
	require.NoError(t, tx.Rollback())

	for n := 0; logBytes(t, store) >= held; n++ {
		require.Less(t, n, 10, "the log does not restart")
		writeBatches(t, store, fmt.Sprint("after-", n))
	}
}

func logBytes(t *testing.T, store *sqlite.Store) int64 {
	t.Helper()
	size, err := sqlite.LogBytes(store)
	require.NoError(t, err)
	return size
}

// The limits are bytes, whatever the size of pages.
func TestCheckpoints_LargePages(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	path := newFile(t)
	db, err := sql.Open("sqlite3", "file:"+path)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "PRAGMA page_size = 65536; VACUUM")
	require.NoError(t, err)
	require.NoError(t, db.Close())

	store := accounttest.Organizations(t, open(t, path), 1)
	tooMany := sqlite.SetCheckpointBytes(store, fewerBytes)
	writeBatches(t, store, "large")
	var pageSize int64
	writer, _ := sqlite.Pools(store)
	require.NoError(t, writer.QueryRowContext(t.Context(), "PRAGMA page_size").Scan(&pageSize))
	require.EqualValues(t, 65536, pageSize)
	require.Less(t, logFileBytes(t, path), 2*tooMany)
}

// The writer waits for a checkpoint that is slower, so that the log stays bounded.
func TestCheckpoints_SlowCheckpoint(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	store := accounttest.Organizations(t, open(t, newFile(t)), 1)
	tooMany := sqlite.SetCheckpointBytes(store, fewerBytes)
	busy, err := sqlite.CheckpointDB(store).Conn(t.Context()) // its only connection
	require.NoError(t, err)
	defer busy.Close() //nolint:errcheck // it is closed below, unless the test fails
	for n, waited := 0, 0; waited < 3; n++ {
		size, timeout := logBytes(t, store), time.Minute
		require.Less(t, size, 2*tooMany, "the writer does not wait")
		if size >= tooMany {
			timeout = 100 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		_, err := store.AddToAllowlist(ctx, fixtures.BatchCommand(fmt.Sprint("slow-", n), 100))
		cancel()
		if waited++; err == nil {
			waited = 0
			continue
		}
		require.ErrorIs(t, err, context.DeadlineExceeded, "the writer waits")
	}
	require.GreaterOrEqual(t, logBytes(t, store), tooMany)
	require.NoError(t, busy.Close())
	_, err = store.AddToAllowlist(t.Context(), fixtures.BatchCommand("after", 1))
	require.NoError(t, err)
	require.Less(t, logBytes(t, store), tooMany, "the log has restarted")
}
