package postgres_test

import (
	"bufio"
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/internal/test/subprocess"
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
	const rounds = 4
	for range rounds {
		dsn := newDatabase(t)
		accounttest.Organizations(t, open(t, dsn), 1)
		acknowledged := killedAfter(t, "add until killed", dsn, 2)
		require.GreaterOrEqual(t, wholeBatches(t, dsn, allowlist.MaxItems), acknowledged, "an acknowledged batch is lost")
	}
}

// putUntilKilled creates users, which the audit trail tells, and prints a line after each.
func putUntilKilled(dsn string) string {
	ctx := context.Background()
	store, err := postgres.Open(ctx, dsn, postgres.Options{})
	for id := int64(1); err == nil; id++ {
		if err = store.PutUser(ctx, account.User{ID: id}, fixtures.Act().On(id)); err == nil {
			subprocess.Print(subprocess.OK)
		}
	}
	return err.Error()
}

// A user and its entry in the audit trail are stored together or not at all.
func TestPutUser_KilledProcess(t *testing.T) {
	t.Parallel()
	const rounds = 20
	for round := range rounds {
		dsn := newDatabase(t) // the server may still do what a killed process has asked for
		migrate(t, dsn)
		acknowledged := killedAfter(t, "put until killed", dsn, round)
		rows := queryValue[[]int](t, dsn, `SELECT ARRAY[(SELECT count(*) FROM apguard_users), (SELECT count(*) FROM apguard_audit),
			(SELECT count(*) FROM apguard_users u JOIN apguard_audit a ON a.subject = CAST(u.id AS TEXT))]`)
		require.Equal(t, []int{rows[0], rows[0], rows[0]}, rows, "users, entries, and users with entries")
		require.GreaterOrEqual(t, rows[0], acknowledged, "an acknowledged user is lost")
	}
}

// killedAfter runs a process, kills it after n lines, and returns how many it has printed.
func killedAfter(t *testing.T, task, dsn string, n int) (printed int) {
	t.Helper()
	cmd := subprocess.Command(t, task, dsn)
	output, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	for lines := bufio.NewScanner(output); ; {
		if printed >= n {
			require.NoError(t, cmd.Process.Kill())
			n = math.MaxInt
		}
		if !lines.Scan() {
			break
		}
		require.Equal(t, subprocess.OK, lines.Text())
		printed++
	}
	require.Error(t, cmd.Wait(), "the process was not killed")
	return printed
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
