package postgres_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/postgres"
)

// The test binary starts itself again as another process: the role says what to
// do there, with the database that the connection string names.
const (
	roleVariable = "APGUARD_TEST_ROLE"
	dsnVariable  = "APGUARD_TEST_DSN"
)

// succeeded is what a process writes when nothing went wrong.
const succeeded = "ok"

func TestMain(m *testing.M) {
	role, dsn := os.Getenv(roleVariable), os.Getenv(dsnVariable)
	switch role {
	case "":
		os.Exit(m.Run())
	case "open":
		tell(openOnSignal(dsn))
	case "add until killed":
		addUntilKilled(dsn)
	}
}

// tell writes a line for the process that started this one.
func tell(line string) {
	_, _ = fmt.Fprintln(os.Stdout, line)
}

// process prepares a process with the role.
func process(t *testing.T, role, dsn string) *exec.Cmd {
	t.Helper()
	executable, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), executable)
	cmd.Env = append(os.Environ(), roleVariable+"="+role, dsnVariable+"="+dsn)
	cmd.Stderr = os.Stderr
	return cmd
}

// openOnSignal opens the database as soon as standard input ends, writes to it,
// and returns the text of what went wrong.
func openOnSignal(dsn string) string {
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := openAndWrite(context.Background(), dsn); err != nil {
		return err.Error()
	}
	return succeeded
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
		var started [processes]struct {
			*exec.Cmd
			start  io.Closer
			output strings.Builder
		}
		for i := range started {
			p := &started[i]
			p.Cmd = process(t, "open", dsn)
			p.Stdout = &p.output
			var err error
			p.start, err = p.StdinPipe()
			require.NoError(t, err)
			require.NoError(t, p.Start())
		}
		for i := range started {
			require.NoError(t, started[i].start.Close())
		}
		for i := range started {
			require.NoError(t, started[i].Wait())
			require.Equal(t, succeeded+"\n", started[i].output.String())
		}
		requireGroups(t, dsn, processes)
	}
}

func TestOpen_ConcurrentGoroutines(t *testing.T) {
	t.Parallel()
	const rounds, goroutines = 8, 6
	for range rounds {
		dsn := database(t)
		start, done := make(chan struct{}), make(chan error)
		for range goroutines {
			go func() {
				<-start
				done <- openAndWrite(t.Context(), dsn)
			}()
		}
		close(start)
		for range goroutines {
			require.NoError(t, <-done)
		}
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

// addition returns an addition of assets that no other batch has.
func addition(batch, size int) allowlist.Addition {
	a := allowlist.Addition{
		OrganizationID: 1,
		At:             time.Date(2025, 1, 5, 10, 0, 0, 0, time.UTC),
		Origin:         asset.Origin{Cause: asset.CauseAllowlist},
	}
	for i := range size {
		url := fmt.Sprintf("https://batch-%d.example/asset/%d", batch, i)
		a.Candidates = append(a.Candidates, allowlist.Candidate{
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: url},
			Content:  url,
			Name:     "An asset",
		})
	}
	return a
}

// addUntilKilled adds to an allowlist, a full batch at a time, and writes a line
// whenever one is stored.
func addUntilKilled(dsn string) {
	ctx := context.Background()
	store, err := postgres.Open(ctx, dsn, postgres.Options{})
	for batch := 0; err == nil; batch++ {
		if _, err = store.AddToAllowlist(ctx, addition(batch, allowlist.MaxItems)); err == nil {
			tell(succeeded)
		}
	}
	tell(err.Error())
}

func TestCrash_KilledProcess(t *testing.T) {
	t.Parallel()
	const rounds, answered = 4, 2
	for range rounds {
		dsn := database(t)
		cmd := process(t, "add until killed", dsn)
		output, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(output)
		for range answered {
			require.True(t, lines.Scan())
			require.Equal(t, succeeded, lines.Text())
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
