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
	"github.com/apguard/apguard/storage/internal/fixtures"
	"github.com/apguard/apguard/storage/internal/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

// Fewer pages than in practice make the same happen sooner.
const (
	fewerPages = 128
	pageSize   = 4096
)

// writeOn adds batches from several goroutines that never rest.
func writeOn(t *testing.T, store *sqlite.Store, name string) {
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

// aheadFile returns how many pages fit into the write-ahead file, which does not
// shrink from this size.
func aheadFile(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path + "-wal")
	require.NoError(t, err)
	return info.Size() / pageSize
}

func TestCheckpoints_LogStaysBounded(t *testing.T) {
	t.Parallel()
	// What is written while the file is looked at and moved comes on top, which is
	// much in so small a file.
	const slack = 4
	for reason, beside := range map[string]func(ctx context.Context, store *sqlite.Store) error{
		"while writers never rest": func(ctx context.Context, _ *sqlite.Store) error {
			<-ctx.Done()
			return nil
		},
		"while others read page by page": readOn,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			const readers = 3
			path := newFile(t)
			store := open(t, path)
			atMost := sqlite.SetCheckpointPages(store, fewerPages)
			// On a busy machine, readers may take long for a page.
			require.NoError(t, sqlite.SetReadersWait(store, 2*time.Second))
			writeOn(t, store, "before")

			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var (
				group sync.WaitGroup
				errs  [readers]error
			)
			for i := range readers {
				group.Go(func() { errs[i] = beside(ctx, store) })
			}
			writeOn(t, store, "beside")
			cancel()
			group.Wait()
			require.Equal(t, [readers]error{}, errs)
			require.Less(t, aheadFile(t, path), slack*atMost)
		})
	}
	t.Run("or would not", func(t *testing.T) {
		t.Parallel()
		path := newFile(t)
		store := open(t, path)
		atMost := sqlite.SetCheckpointPages(open(t, newFile(t)), fewerPages)
		writeOn(t, store, "before")
		writeOn(t, store, "beside")
		require.Greater(t, aheadFile(t, path), 2*slack*atMost, "these writes are too few to tell")
	})
}

// readOn reads all changes, again and again.
func readOn(ctx context.Context, store *sqlite.Store) error {
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

// A reader that stays keeps the pages from being moved, and nobody from writing.
// When it has gone, the file is begun anew.
func TestCheckpoints_LongReaderDoesNotBlockWriter(t *testing.T) {
	t.Parallel()
	store := open(t, newFile(t))
	atMost := sqlite.SetCheckpointPages(store, fewerPages)
	_, reader := sqlite.Pools(store)
	tx, err := reader.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	require.NoError(t, err)
	require.Empty(t, tableRows(t, tx, "apguard_changes"))

	for n := 0; writtenAhead(t, store) <= atMost; n++ {
		writeOn(t, store, fmt.Sprint("beside-", n))
	}
	held := writtenAhead(t, store)
	require.Empty(t, tableRows(t, tx, "apguard_changes"), "the reader sees what it saw")
	require.NoError(t, tx.Rollback())

	for n := 0; writtenAhead(t, store) >= held; n++ {
		require.Less(t, n, 10, "the file is not begun anew")
		writeOn(t, store, fmt.Sprint("after-", n))
	}
}

func writtenAhead(t *testing.T, store *sqlite.Store) int64 {
	t.Helper()
	pages, err := sqlite.LogPages(store)
	require.NoError(t, err)
	return pages
}
