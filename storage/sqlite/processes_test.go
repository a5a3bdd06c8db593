//go:build cgo

package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/storage/sqlite"
)

// The test binary starts itself again as another process: the role says what to
// do there, with the database at the path.
const (
	roleVariable = "APGUARD_TEST_ROLE"
	pathVariable = "APGUARD_TEST_PATH"
)

// succeeded is what a process writes when nothing went wrong.
const succeeded = "ok"

func TestMain(m *testing.M) {
	role, path := os.Getenv(roleVariable), os.Getenv(pathVariable)
	switch role {
	case "":
		os.Exit(m.Run())
	case "open":
		tell(openOnSignal(path))
	case "name the error":
		tell(nameError(path))
	case "add until killed":
		addUntilKilled(path)
	}
}

// tell writes a line for the process that started this one.
func tell(line string) {
	_, _ = fmt.Fprintln(os.Stdout, line)
}

// process prepares a process with the role.
func process(t *testing.T, role, path string) *exec.Cmd {
	t.Helper()
	executable, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), executable)
	cmd.Env = append(os.Environ(), roleVariable+"="+role, pathVariable+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

// openOnSignal opens the database as soon as standard input ends, writes to it,
// and returns the text of what went wrong.
func openOnSignal(path string) string {
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := openAndWrite(context.Background(), path); err != nil {
		return err.Error()
	}
	return succeeded
}

func openAndWrite(ctx context.Context, path string) error {
	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	_, err = store.PutGroup(ctx, account.Group{OrganizationID: 1})
	return errors.Join(err, store.Close())
}

func TestProcessesOpenANewFileAtTheSameMoment(t *testing.T) {
	t.Parallel()
	const rounds, processes = 12, 6
	for range rounds {
		path := filepath.Join(t.TempDir(), "a.db")
		var started [processes]struct {
			*exec.Cmd
			start  io.Closer
			output strings.Builder
		}
		for i := range started {
			p := &started[i]
			p.Cmd = process(t, "open", path)
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
		requireGroups(t, path, processes)
	}
}

func TestGoroutinesOpenANewFileAtTheSameMoment(t *testing.T) {
	t.Parallel()
	const rounds, goroutines = 25, 8
	for range rounds {
		path := filepath.Join(t.TempDir(), "a.db")
		start, done := make(chan struct{}), make(chan error)
		for range goroutines {
			go func() {
				<-start
				done <- openAndWrite(t.Context(), path)
			}()
		}
		close(start)
		for range goroutines {
			require.NoError(t, <-done)
		}
		requireGroups(t, path, goroutines)
	}
}

// requireGroups demands that n groups were stored, and the schema made once.
func requireGroups(t *testing.T, path string, n int) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	groups, err := store.Groups(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, groups, n)

	_, reader := sqlite.Pools(store)
	var versions, distinct int
	require.NoError(t, reader.QueryRowContext(t.Context(),
		"SELECT count(version_id), count(DISTINCT version_id) FROM apguard_schema_version").Scan(&versions, &distinct))
	require.Equal(t, distinct, versions, "a migration ran twice")
}

// addUntilKilled adds to an allowlist, a full batch at a time, and writes a line
// whenever one is stored.
func addUntilKilled(path string) {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	for batch := 0; err == nil; batch++ {
		if _, err = store.AddToAllowlist(ctx, addition(batch, allowlist.MaxItems)); err == nil {
			tell(succeeded)
		}
	}
	tell(err.Error())
}

func TestAKilledProcessLeavesWholeBatches(t *testing.T) {
	t.Parallel()
	const rounds, answered = 4, 2
	for range rounds {
		path := filepath.Join(t.TempDir(), "a.db")
		cmd := process(t, "add until killed", path)
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

		_, reader := sqlite.Pools(open(t, path))
		for _, table := range []string{"apguard_assets", "apguard_changes", "apguard_allowlist"} {
			var rows int
			require.NoError(t, reader.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&rows))
			require.GreaterOrEqual(t, rows, answered*allowlist.MaxItems, "what was answered is gone from %s", table)
			require.Zero(t, rows%allowlist.MaxItems, "a part of a batch is in %s", table)
		}
	}
}

// nameError opens the database and returns which error of the package that gives.
func nameError(path string) string {
	store, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	switch {
	case err == nil:
		return errors.Join(errors.New(succeeded), store.Close()).Error()
	case errors.Is(err, sqlite.ErrReadOnly) && strings.Contains(err.Error(), path):
		return "read-only"
	default:
		return err.Error()
	}
}
