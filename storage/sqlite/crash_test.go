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

	"github.com/apguard/apguard/storage/internal/fixtures"
	"github.com/apguard/apguard/storage/internal/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

// What a process does until it is killed: so many goroutines add batches of so
// many assets, and so many create disputes.
const (
	adders    = 2
	disputers = 6
	batchSize = 150
)

// The steps of all goroutines share commits, and a kill comes at any moment of
// one. What was answered is there, and no half of a step is.
func TestCrash_KilledProcess(t *testing.T) {
	t.Parallel()
	const files, rounds, longest = 10, 5, 40
	for file := range files {
		t.Run(fmt.Sprintf("file %d", file), func(t *testing.T) {
			t.Parallel()
			path, moments := newFile(t), rand.New(rand.NewPCG(uint64(file), 0))
			answered := make([]string, 0, rounds*longest)
			for round := range rounds {
				answered = append(answered, writtenUntilKilled(t, path, moments.IntN(longest))...)
				requireWholeSteps(t, path, answered, (round+1)*(adders+disputers))
			}
		})
	}
}

// writtenUntilKilled lets a process write, kills it after the given number of
// answers, and returns the names of the steps that were answered.
func writtenUntilKilled(t *testing.T, path string, answers int) []string {
	t.Helper()
	cmd := subprocess.Command(t, "write until killed", path)
	output, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var answered []string
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if len(answered) == answers {
			require.NoError(t, cmd.Process.Kill())
		}
		name, ok := strings.CutPrefix(lines.Text(), subprocess.OK+" ")
		require.True(t, ok, lines.Text())
		answered = append(answered, name)
	}
	require.Error(t, cmd.Wait(), "it was not killed")
	return answered
}

// writeUntilKilledTask writes a line for every step that was answered.
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
	return (<-failed).Error()
}

// requireWholeSteps demands that the answered steps are in the file, and besides
// them at most so many others, all of them whole.
func requireWholeSteps(t *testing.T, path string, answered []string, others int) {
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
	for name, size := range batches {
		require.Equal(t, batchSize, size, "a part of %s", name)
		found = append(found, name)
	}
	require.Len(t, tableRows(t, reader, "apguard_assets"), len(batches)*batchSize+disputes)
	require.Len(t, tableRows(t, reader, "apguard_disputes"), disputes)
	require.Equal(t, []string{"ok"}, queryColumn(t, reader, "PRAGMA integrity_check"))

	slices.Sort(found)
	for _, name := range answered {
		_, there := slices.BinarySearch(found, name)
		require.True(t, there, "%s was answered and is gone", name)
	}
	require.LessOrEqual(t, len(found)-len(answered), others, "something is there twice, or was never asked for")
}
