//go:build cgo

package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/test/feedtest"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/internal/test/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

// recordChangesTask records changes from several goroutines, one by one and in batches. Some
// assets are shared with other processes.
func recordChangesTask(path string) string {
	const goroutines = 4
	ctx := context.Background()
	store, err := sqlite.Open(ctx, path, longTimeout())
	if err != nil {
		return err.Error()
	}
	quota := feedtest.Changes() / followedProcesses / goroutines
	done := make(chan error, goroutines)
	var group sync.WaitGroup
	for i := range goroutines {
		group.Go(func() { done <- recordChanges(ctx, store, fmt.Sprintf("%d-%d", os.Getpid(), i), quota) })
	}
	group.Wait()
	for range goroutines {
		if err := <-done; err != nil {
			return err.Error()
		}
	}
	return subprocess.Result(store.Close())
}

func recordChanges(ctx context.Context, store *sqlite.Store, name string, changes int) error {
	const batch = 40
	for n := 0; n < changes; n += 2 * batch {
		if _, err := store.AddToAllowlist(ctx, fixtures.BatchCommand(fmt.Sprintf("%s-%d", name, n), batch)); err != nil {
			return err
		}
		for i := range batch {
			for _, write := range []asset.SetStatusesCommand{fixtures.BlockCommand(name), fixtures.BlockCommand("shared")} {
				write.Items[0].Status = asset.Statuses()[(i+1)%3]
				if _, err := store.SetAssetStatuses(ctx, write); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// followedProcesses is the number of processes that write.
const followedProcesses = 2

// Two processes record changes in one file while this one reads the feed from its start. The
// number of changes is that of feedtest.
func TestSince_TwoProcessesWrite(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	path := newFile(t)
	store := accounttest.Organizations(t, open(t, path), 1)
	done, ended := make(chan struct{}), make([]error, followedProcesses)
	var (
		processes [followedProcesses]*exec.Cmd
		output    [followedProcesses][]byte
		group     sync.WaitGroup
	)
	for i := range processes {
		processes[i] = subprocess.Command(t, "record changes", path)
		group.Go(func() { output[i], ended[i] = processes[i].Output() })
	}
	go func() {
		group.Wait()
		close(done)
	}()
	begin := time.Now()
	got, polls, err := feedtest.Until(t.Context(), store, done)
	require.NoError(t, err)
	for i := range processes {
		require.NoError(t, ended[i])
		require.Equal(t, subprocess.OK+"\n", string(output[i]))
	}
	t.Logf("%d changes by %d processes in %v, read with %d calls", len(got), followedProcesses, time.Since(begin), polls)
	require.GreaterOrEqual(t, len(got), feedtest.Changes()*9/10)
	feedtest.RequireAll(t, store, got)
	for i := range got[1:] {
		require.Greater(t, got[i+1].Change.ID, got[i].Change.ID, "IDs must grow from one commit to the next")
	}
}

func TestSince_CursorOfAnotherFile(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	store := open(t, path)
	feedtest.TestCursors(t, store, open(t, newFile(t)),
		func() storage.Store { return open(t, path) },
		func() {
			writer, _ := sqlite.Pools(store)
			_, err := writer.ExecContext(t.Context(), "DELETE FROM apguard_changes; DELETE FROM sqlite_sequence")
			require.NoError(t, err)
		})
}
