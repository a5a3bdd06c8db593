//go:build cgo

package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/internal/test/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

// A process writes until it is killed: some goroutines add batches of assets, others create
// disputes, and one creates users, which the audit trail tells.
const (
	adders    = 2
	disputers = 6
	admins    = 1
	batchSize = 150
)

// The steps of all goroutines share commits, and the process is killed at any time. Steps that
// succeeded are stored, and no step is stored in part.
func TestCrash_KilledProcess(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	const files, rounds, maxSteps = 10, 5, 40
	for file := range files {
		t.Run(fmt.Sprintf("file %d", file), func(t *testing.T) {
			t.Parallel()
			path, random := newFile(t), rand.New(rand.NewPCG(uint64(file), 0))
			accounttest.Organizations(t, open(t, path), 1)
			succeeded := make([]string, 0, rounds*maxSteps)
			for round := range rounds {
				succeeded = append(succeeded, writtenUntilKilled(t, path, random.IntN(maxSteps))...)
				requireWholeSteps(t, path, succeeded, (round+1)*(adders+disputers+admins))
			}
		})
	}
}

// writtenUntilKilled runs a process that writes, kills it after n steps, and returns the names
// of the steps that succeeded.
func writtenUntilKilled(t *testing.T, path string, n int) []string {
	t.Helper()
	cmd := subprocess.Command(t, "write until killed", path)
	output, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var succeeded []string
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if len(succeeded) == n {
			require.NoError(t, cmd.Process.Kill())
		}
		name, ok := strings.CutPrefix(lines.Text(), subprocess.OK+" ")
		require.True(t, ok, lines.Text())
		succeeded = append(succeeded, name)
	}
	require.Error(t, cmd.Wait(), "the process was not killed")
	return succeeded
}

// writeUntilKilledTask writes until it is killed. It prints a line after every step.
func writeUntilKilledTask(path string) string {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err.Error()
	}
	failed := make(chan error)
	repeat := func(kind string, i int, step func(name string) error) {
		for n := 0; ; n++ {
			name := fmt.Sprintf("%s-%d-%d-%d", kind, os.Getpid(), i, n)
			if err := step(name); err != nil {
				failed <- err
				return
			}
			subprocess.Print(subprocess.OK + " " + name)
		}
	}
	for i := range adders {
		go repeat("batch", i, func(name string) error {
			_, err := store.AddToAllowlist(ctx, fixtures.BatchCommand(name, batchSize))
			return err
		})
	}
	for i := range disputers {
		go repeat("dispute", i, func(name string) error {
			_, err := store.CreateDispute(ctx, fixtures.DisputeCommand(name, name))
			return err
		})
	}
	for i := range admins {
		id := int64(os.Getpid()) << 20
		go repeat("user", i, func(name string) error {
			id++
			return store.PutUser(ctx, account.User{ID: id, FullName: name}, fixtures.Act().On(id))
		})
	}
	return (<-failed).Error()
}

// requireWholeSteps requires that the steps that succeeded are stored, that at most maxOthers
// more are, and that no step is stored in part.
func requireWholeSteps(t *testing.T, path string, succeeded []string, maxOthers int) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	_, reader := sqlite.Pools(store)

	batches := make(map[string]int)
	for _, canonical := range queryColumn(t, reader, `SELECT a.canonical FROM apguard_allowlist e
		JOIN apguard_assets a ON a.id = e.asset_id JOIN apguard_changes c ON c.asset_id = a.id`) {
		batches[canonical[len("https://"):strings.LastIndex(canonical, "-")]]++
	}
	found := queryColumn(t, reader, `SELECT n.text FROM apguard_disputes d
		JOIN apguard_dispute_notes n ON n.dispute_id = d.id JOIN apguard_assets a ON a.id = d.asset_id`)
	disputes := len(found)
	found = append(found, queryColumn(t, reader, "SELECT full_name FROM apguard_users")...)
	require.Equal(t, queryColumn(t, reader, "SELECT CAST(id AS TEXT) FROM apguard_users ORDER BY id"),
		queryColumn(t, reader, "SELECT subject FROM apguard_audit ORDER BY id"), "users and their entries")
	for name, size := range batches {
		require.Equal(t, batchSize, size, "a part of %s", name)
		found = append(found, name)
	}
	require.Len(t, tableRows(t, reader, "apguard_assets"), len(batches)*batchSize+disputes)
	require.Len(t, tableRows(t, reader, "apguard_disputes"), disputes)
	require.Equal(t, []string{"ok"}, queryColumn(t, reader, "PRAGMA integrity_check"))

	slices.Sort(found)
	for _, name := range succeeded {
		_, ok := slices.BinarySearch(found, name)
		require.True(t, ok, "%s is lost", name)
	}
	require.LessOrEqual(t, len(found)-len(succeeded), maxOthers, "steps are stored twice or were never made")
}
