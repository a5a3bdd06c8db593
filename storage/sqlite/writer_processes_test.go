//go:build cgo

package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/internal/test/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

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

	require.ErrorIs(t, short.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}), sqlite.ErrBusy)
	_, err = short.Groups(t.Context(), 1)
	require.NoError(t, err, "reads must not wait")
	require.NoError(t, release.Close())
	require.NoError(t, cmd.Wait())
	require.NoError(t, short.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}))
}

// lockTask keeps other stores from writing until the signal.
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
	processWrites    = 20
	processBatchSize = 25
)

func TestWriter_ManyProcesses(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	const processes = 3
	path := newFile(t)
	store := accounttest.Organizations(t, open(t, path), 1)
	subprocess.RunTogether(t, processes, "write", path)
	_, reader := sqlite.Pools(store)
	require.Len(t, tableRows(t, reader, "apguard_allowlist"), processes*processWrites*processBatchSize)
	require.Len(t, tableRows(t, reader, "apguard_changes"), processes*processWrites*processBatchSize)
	require.Len(t, tableRows(t, reader, "apguard_disputes"), processes*processWrites)
	require.Equal(t, []string{"ok"}, queryColumn(t, reader, "PRAGMA integrity_check"))
}

// writeTask writes assets and disputes that no other process writes.
func writeTask(path string) string {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, path, longTimeout())
	if err != nil {
		return err.Error()
	}
	subprocess.AwaitStart()
	for i := range processWrites {
		name := fmt.Sprintf("%d-%d", os.Getpid(), i)
		if _, err = store.AddToAllowlist(ctx, fixtures.BatchCommand(name, processBatchSize)); err != nil {
			break
		}
		if _, err = store.CreateDispute(ctx, fixtures.DisputeCommand(name, "note")); err != nil {
			break
		}
	}
	return subprocess.Result(errors.Join(err, store.Close()))
}
