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
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
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
	c := newDirectory(t)
	require.NoError(t, c.run("initdb", "-D", c.data, "-U", "postgres", "--auth=trust", "--no-sync"))
	require.NoError(t, c.start())
	return c
}

// newStandby starts a standby of a server, which is stopped at the end of the test.
func newStandby(t *testing.T, primary *cluster) *cluster {
	t.Helper()
	c := newDirectory(t)
	require.NoError(t, c.run("pg_basebackup", "-D", c.data, "-d", primary.dsn(), "-R", "-X", "stream", "--checkpoint=fast", "--no-sync"))
	require.NoError(t, c.start())
	return c
}

// newDirectory returns a server without data, which is stopped at the end of the test if it runs.
func newDirectory(t *testing.T) *cluster {
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
	t.Cleanup(func() {
		if _, err := os.Stat(filepath.Join(c.data, "postmaster.pid")); err == nil {
			require.NoError(t, c.stop("immediate"))
		}
	})
	return c
}

func (c *cluster) dir() string { return filepath.Dir(c.data) }

// dsn returns the connection string. It has the socket of the server, as a port may be taken.
func (c *cluster) dsn() string { return dsnOf(c) }

// dsnOf returns the connection string of several servers.
func dsnOf(servers ...*cluster) string {
	hosts := make([]string, len(servers))
	for i, c := range servers {
		hosts[i] = url.QueryEscape(c.dir())
	}
	return "postgres://postgres@/postgres?host=" + strings.Join(hosts, ",")
}

func (c *cluster) start() error {
	return c.run("pg_ctl", "-D", c.data, "-w", "-l", filepath.Join(c.dir(), "log"), "start",
		"-o", "-c listen_addresses='' -c unix_socket_directories="+c.dir())
}

// stop stops the server in the given mode.
func (c *cluster) stop(mode string) error {
	return c.run("pg_ctl", "-D", c.data, "-w", "-m", mode, "stop")
}

// restart stops the server in the given mode and starts it again.
func (c *cluster) restart(mode string) error {
	return c.run("pg_ctl", "-D", c.data, "-w", "-m", mode, "-l", filepath.Join(c.dir(), "log"), "restart")
}

// promote makes a standby the primary.
func (c *cluster) promote() error { return c.run("pg_ctl", "-D", c.data, "-w", "promote") }

// follow restarts a stopped server as a standby of another one.
func (c *cluster) follow(primary *cluster) error {
	settings := fmt.Sprintf("primary_conninfo = 'host=%s user=postgres'\n", primary.dir())
	if err := os.WriteFile(filepath.Join(c.data, "postgresql.auto.conf"), []byte(settings), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(c.data, "standby.signal"), nil, 0o644); err != nil {
		return err
	}
	return c.start()
}

// kill ends all processes of the server at once.
func (c *cluster) kill(t *testing.T) {
	t.Helper()
	c.signal(t, syscall.SIGKILL)
	require.NoError(t, os.Remove(filepath.Join(c.data, "postmaster.pid")))
}

// signal sends a signal to all processes of the server.
func (c *cluster) signal(t *testing.T, signal syscall.Signal) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.data, "postmaster.pid"))
	require.NoError(t, err)
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	require.NoError(t, err)
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	require.NoError(t, err)
	for _, child := range append([]string{first}, strings.Fields(string(children))...) {
		id, err := strconv.Atoi(child)
		require.NoError(t, err)
		if err := syscall.Kill(id, signal); !errors.Is(err, syscall.ESRCH) {
			require.NoError(t, err)
		}
	}
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
	cmd.Dir = c.dir()
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
		path, err = filepath.EvalSymlinks(path)
		require.NoError(t, err)
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
