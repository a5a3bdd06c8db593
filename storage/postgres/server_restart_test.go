package postgres_test

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/benchtest"
	"github.com/apguard/apguard/internal/testsize"
	"github.com/apguard/apguard/storage/postgres"
)

// cluster is a server for one test.
type cluster struct {
	bin, data  string
	credential *syscall.Credential
}

// newCluster starts a server that is stopped at the end of the test. It skips the test if
// the programs of PostgreSQL are not installed.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{bin: serverPrograms(t)}
	dir, err := os.MkdirTemp("", "apguard-postgres") //nolint:usetesting // t.TempDir is closed to the user of the server
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	c.data = filepath.Join(dir, "data")
	if os.Getuid() == 0 {
		c.credential = postgresUser(t)
		require.NoError(t, os.Chown(dir, int(c.credential.Uid), int(c.credential.Gid)))
	}
	require.NoError(t, c.run("initdb", "-D", c.data, "-U", "postgres", "--auth=trust", "--no-sync"))
	require.NoError(t, c.run("pg_ctl", "-D", c.data, "-w", "-l", filepath.Join(dir, "log"), "start",
		"-o", "-c listen_addresses='' -c unix_socket_directories="+dir))
	t.Cleanup(func() { require.NoError(t, c.run("pg_ctl", "-D", c.data, "-w", "-m", "immediate", "stop")) })
	return c
}

// dsn returns the connection string. It has the socket of the server, as a port may be taken.
func (c *cluster) dsn() string {
	return "postgres://postgres@/postgres?host=" + url.QueryEscape(filepath.Dir(c.data))
}

// restart stops the server in the given mode and starts it again.
func (c *cluster) restart(mode string) error {
	return c.run("pg_ctl", "-D", c.data, "-w", "-m", mode, "-l", filepath.Join(filepath.Dir(c.data), "log"), "restart")
}

// run runs a program. Its output goes to a file, because a server that it starts keeps the
// output open.
func (c *cluster) run(program string, args ...string) error {
	output, err := os.CreateTemp("", "apguard-postgres")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(output.Name()) }()
	cmd := exec.Command(filepath.Join(c.bin, program), args...) //nolint:noctx // it also runs after the test
	cmd.Dir = filepath.Dir(c.data)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.credential}
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Run(); err != nil {
		text, readErr := os.ReadFile(output.Name())
		return errors.Join(fmt.Errorf("%s: %w: %s", program, err, text), readErr, output.Close())
	}
	return output.Close()
}

// serverPrograms returns the directory with initdb and pg_ctl.
func serverPrograms(t *testing.T) string {
	t.Helper()
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	require.NoError(t, err)
	if len(found) == 0 {
		t.Skip("initdb and pg_ctl of PostgreSQL are not in the PATH")
	}
	return filepath.Dir(slices.Max(found))
}

// postgresUser returns the user for a server, which must not run as root.
func postgresUser(t *testing.T) *syscall.Credential {
	t.Helper()
	account, err := user.Lookup("postgres")
	if err != nil {
		t.Skip("running as root requires a user postgres: ", err)
	}
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	require.NoError(t, err)
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	require.NoError(t, err)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// The server restarts while batches are added, with and without a clean shutdown.
func TestRetry_ServerRestart(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	const size = 500
	server := newCluster(t)
	store := open(t, server.dsn())
	acknowledged, unknown, batch := 0, 0, 0
	add := func() error {
		_, err := store.AddToAllowlist(t.Context(), benchtest.AddCommand(batch, size))
		batch++
		switch {
		case err == nil:
			acknowledged++
		case errors.Is(err, postgres.ErrOutcomeUnknown):
			unknown++
		default:
			require.ErrorIs(t, err, postgres.ErrUnreachable)
			require.ErrorIs(t, err, asset.ErrUnavailable)
		}
		return err
	}
	for _, mode := range []string{"fast", "immediate", "fast", "immediate"} {
		require.NoError(t, add())
		restarted := make(chan error, 1)
		go func() { restarted <- server.restart(mode) }()
		for running := true; running; {
			_ = add() // add has checked the error
			select {
			case err := <-restarted:
				require.NoError(t, err)
				running = false
			default:
			}
		}
		require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}), "the store is usable afterwards")
	}
	stored := wholeBatches(t, server.dsn(), size)
	require.GreaterOrEqual(t, stored, acknowledged, "an acknowledged batch is lost")
	require.LessOrEqual(t, stored, acknowledged+unknown)
}

// The server waits for a standby that does not exist. When the wait is canceled, it answers
// that it has committed.
func TestCommit_Timeout(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	server := newCluster(t)
	migrate(t, server.dsn())
	execute(t, server.dsn(), "ALTER SYSTEM SET synchronous_standby_names = 'away'")
	require.NoError(t, server.restart("fast"))
	execute(t, server.dsn(), "CHECKPOINT") // until then, a server process may not know the setting
	store := open(t, server.dsn())
	postgres.SetCommitTimeout(store, 50*time.Millisecond)
	for id := range int64(3) {
		require.ErrorIs(t, store.PutUser(t.Context(), account.User{ID: id + 1}), postgres.ErrOutcomeUnknown)
	}
}
