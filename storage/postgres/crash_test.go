package postgres_test

import (
	"bufio"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/internal/benchtest"
	"github.com/apguard/apguard/storage/internal/subprocess"
	"github.com/apguard/apguard/storage/postgres"
)

// addUntilKilled adds batches to an allowlist and prints a line after each.
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

func TestAddToAllowlist_KilledProcess(t *testing.T) {
	t.Parallel()
	const rounds, acknowledged = 4, 2
	for range rounds {
		dsn := newDatabase(t)
		cmd := subprocess.Command(t, "add until killed", dsn)
		output, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(output)
		for range acknowledged {
			require.True(t, lines.Scan())
			require.Equal(t, subprocess.OK, lines.Text())
		}
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
		require.GreaterOrEqual(t, wholeBatches(t, dsn, allowlist.MaxItems), acknowledged, "an acknowledged batch is lost")
	}
}

// wholeBatches returns the number of stored batches. It requires that no batch is stored in
// part.
func wholeBatches(t *testing.T, dsn string, size int) int {
	t.Helper()
	rows := queryValue[[]int](t, dsn, `SELECT ARRAY[(SELECT count(*) FROM apguard_assets),
		(SELECT count(*) FROM apguard_changes), (SELECT count(*) FROM apguard_allowlist)]`)
	require.Equal(t, []int{rows[0], rows[0], rows[0]}, rows, "a call is stored in part")
	require.Zero(t, rows[0]%size, "a batch is stored in part")
	return rows[0] / size
}
