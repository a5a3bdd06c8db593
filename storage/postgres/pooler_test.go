package postgres_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage/postgres"
)

// startPgBouncer starts PgBouncer in transaction mode before a server, with two connections, and
// returns its connection string. It skips the test if PgBouncer is not installed.
func startPgBouncer(t *testing.T, server *cluster) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		t.Skip("PgBouncer is not in the PATH: install the package pgbouncer of Debian")
	}
	pooler := cluster{bin: filepath.Dir(program), data: filepath.Join(server.dir(), "pooler", "none"), credential: server.credential}
	config := filepath.Join(server.dir(), "pgbouncer.ini")
	require.NoError(t, os.Mkdir(pooler.dir(), 0o777))
	require.NoError(t, os.Chmod(pooler.dir(), 0o777))
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, `[databases]
postgres = host=%s user=postgres
[pgbouncer]
listen_port = 5432
unix_socket_dir = %[2]s
logfile = %[2]s/log
pidfile = %[2]s/pid
auth_type = any
pool_mode = transaction
default_pool_size = 2
`, server.dir(), pooler.dir()), 0o644))
	require.NoError(t, pooler.run("pgbouncer", "-d", config))
	pid := 0
	require.Eventually(t, func() bool { // the program does not wait for it
		text, err := os.ReadFile(filepath.Join(pooler.dir(), "pid"))
		if err == nil {
			_, err = fmt.Sscan(string(text), &pid)
		}
		return err == nil
	}, time.Minute, time.Millisecond)
	t.Cleanup(func() { require.NoError(t, syscall.Kill(pid, syscall.SIGKILL)) })
	return pooler.dsn()
}

// hammer writes with several goroutines and returns their errors.
func hammer(t *testing.T, store *postgres.Store) error {
	t.Helper()
	errs := make([]error, 8)
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			for n := range int64(50) {
				id := int64(i)*100 + n + 1
				errs[i] = errors.Join(errs[i], store.PutUser(t.Context(), account.User{ID: id}, audit.Entry{}))
				_, err := store.Groups(t.Context(), id)
				errs[i] = errors.Join(errs[i], err)
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

// Behind a pooler that assigns connections by transaction, prepared statements do not work.
func TestOpen_PgBouncer(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	server := newCluster(t)
	migrate(t, server.dsn())
	dsn := startPgBouncer(t, server)
	store := open(t, withParameter(t, dsn, "default_query_exec_mode", "exec"))
	require.NoError(t, hammer(t, store))

	without, err := postgres.Open(t.Context(), dsn, postgres.Options{})
	if err == nil {
		t.Cleanup(func() { require.NoError(t, without.Close()) })
		err = hammer(t, without)
	}
	require.ErrorIs(t, err, postgres.ErrPooler, "the error names the setting")
	require.ErrorContains(t, err, "default_query_exec_mode=exec")
}
