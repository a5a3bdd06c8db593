package postgres_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/internal/benchtest"
	"github.com/apguard/apguard/storage/internal/subprocess"
	"github.com/apguard/apguard/storage/postgres"
)

func TestMain(m *testing.M) {
	if os.Getenv(serverVariable) == "" {
		fmt.Fprintln(os.Stderr, skipped)
	}
	subprocess.Main(m, map[string]subprocess.Task{
		"open":             openTogether,
		"add until killed": addUntilKilled,
	})
}

// openTogether opens the database after the start and writes to it.
func openTogether(dsn string) string {
	subprocess.AwaitStart()
	return subprocess.Result(openAndWrite(context.Background(), dsn))
}

func openAndWrite(ctx context.Context, dsn string) error {
	store, err := postgres.Open(ctx, dsn, postgres.Options{})
	if err != nil {
		return err
	}
	_, err = store.PutGroup(ctx, account.Group{OrganizationID: 1})
	return errors.Join(err, store.Close())
}

func TestOpen_ConcurrentProcesses(t *testing.T) {
	t.Parallel()
	const rounds, processes = 4, 5
	for range rounds {
		dsn := database(t)
		subprocess.RunTogether(t, processes, "open", dsn)
		requireGroups(t, dsn, processes)
	}
}

func TestOpen_ConcurrentGoroutines(t *testing.T) {
	t.Parallel()
	const rounds, goroutines = 8, 6
	for range rounds {
		dsn := database(t)
		subprocess.CallTogether(t, goroutines, func(int) error { return openAndWrite(t.Context(), dsn) })
		requireGroups(t, dsn, goroutines)
	}
}

// requireGroups demands that n groups were stored, and the schema made once.
func requireGroups(t *testing.T, dsn string, n int) {
	t.Helper()
	require.Equal(t, n, single[int](t, dsn, "SELECT count(*) FROM apguard_groups"))
	require.True(t, single[bool](t, dsn,
		"SELECT count(version_id) = count(DISTINCT version_id) FROM apguard_schema_version"), "a migration ran twice")
}

// addUntilKilled adds full batches to an allowlist, and prints a line after each.
func addUntilKilled(dsn string) string {
	ctx := context.Background()
	store, err := postgres.Open(ctx, dsn, postgres.Options{})
	for batch := 0; err == nil; batch++ {
		if _, err = store.AddToAllowlist(ctx, benchtest.AddCommand(batch, allowlist.MaxItems)); err == nil {
			subprocess.Print(subprocess.OK)
		}
	}
	return err.Error()
}

func TestCrash_KilledProcess(t *testing.T) {
	t.Parallel()
	const rounds, answered = 4, 2
	for range rounds {
		dsn := database(t)
		cmd := subprocess.Command(t, "add until killed", dsn)
		output, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(output)
		for range answered {
			require.True(t, lines.Scan())
			require.Equal(t, subprocess.OK, lines.Text())
		}
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
		require.GreaterOrEqual(t, wholeBatches(t, dsn, allowlist.MaxItems), answered, "what was answered is gone")
	}
}

// wholeBatches returns how many batches of that size are stored, and demands that
// none is stored in parts.
func wholeBatches(t *testing.T, dsn string, size int) int {
	t.Helper()
	rows := single[[]int](t, dsn, `SELECT ARRAY[(SELECT count(*) FROM apguard_assets),
		(SELECT count(*) FROM apguard_changes), (SELECT count(*) FROM apguard_allowlist)]`)
	require.Equal(t, []int{rows[0], rows[0], rows[0]}, rows, "a step is stored in parts")
	require.Zero(t, rows[0]%size, "a batch is stored in parts")
	return rows[0] / size
}
