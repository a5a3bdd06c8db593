package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
)

// stop stops all processes of the primary, which answers nothing until the end of the test.
func (p pair) stop(t *testing.T, _ *proxy) {
	t.Helper()
	p.primary.signal(t, syscall.SIGSTOP)
	t.Cleanup(func() { p.primary.kill(t) })
}

// cut cuts the network to the primary until the end of the test.
func (pair) cut(t *testing.T, network *proxy) {
	t.Helper()
	network.Lock()
	t.Cleanup(network.Unlock)
}

// openOnHostPool opens a store on a pool whose user is only known before each connection.
func openOnHostPool(t *testing.T, dsn string) *postgres.Store {
	t.Helper()
	config, err := postgres.ParseConfig(dsn)
	require.NoError(t, err)
	config.ConnConfig.User = "unknown"
	config.BeforeConnect = func(_ context.Context, config *pgx.ConnConfig) error {
		config.User = "postgres"
		return nil
	}
	return newOnHostPool(t, config)
}

// newOnHostPool returns a store on a pool with a configuration. Both are closed at the end of the test.
func newOnHostPool(t *testing.T, config *pgxpool.Config) *postgres.Store {
	t.Helper()
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	store, err := postgres.New(t.Context(), pool, postgres.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store
}

// When the primary hangs and the standby is promoted, no call waits for the old primary. The contexts
// of the calls do not end.
func TestFailover_Hang(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	onOwnPool := func(t *testing.T, dsn string) *postgres.Store { t.Helper(); return open(t, dsn) }
	for reason, test := range map[string]struct {
		hang func(pair, *testing.T, *proxy)
		open func(*testing.T, string) *postgres.Store
	}{
		"the server is stopped":                  {pair.stop, onOwnPool},
		"the network is cut":                     {pair.cut, onOwnPool},
		"the host application has the pool":      {pair.stop, openOnHostPool},
		"it has the pool and the network is cut": {pair.cut, openOnHostPool},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			network := newProxy(t, p.primary)
			store := test.open(t, withParameter(t, proxyDSN(p.standby, network), "pool_max_conns", "20"))
			useAll(t, store)
			calls := startAdders(t, store)
			served := calls.alsoRead(t, store)
			calls.more(t)
			test.hang(p, t, network)
			server := p.alone(t)
			promoted := time.Now()
			for i := range served {
				before := served[i].Load()
				require.Eventually(t, func() bool { return served[i].Load() > before }, time.Minute, time.Millisecond)
			}
			calls.more(t)
			t.Logf("all calls were served %s after the promotion", time.Since(promoted))
			calls.requireAll(t, server.dsn())
		})
	}
}

// useAll makes all connections of the pool.
func useAll(t *testing.T, store *postgres.Store) {
	t.Helper()
	pool := postgres.Pool(store)
	for range pool.Config().MaxConns {
		connection, err := pool.Acquire(t.Context())
		require.NoError(t, err)
		defer connection.Release()
	}
}

// alsoRead starts calls that read until the additions end, and returns how often each has succeeded.
func (a *adders) alsoRead(t *testing.T, store *postgres.Store) *[16]atomic.Int64 {
	t.Helper()
	var served [16]atomic.Int64
	for i := range served {
		a.group.Go(func() {
			for {
				err := store.Ping(t.Context())
				if i%2 == 0 {
					_, err = countChanges(t, store)
				}
				if err == nil {
					served[i].Add(1)
				} else if !errors.Is(err, asset.ErrUnavailable) && !errors.Is(err, asset.ErrOutcomeUnknown) {
					t.Error(err)
				}
				select {
				case <-a.stop:
					return
				case <-time.After(10 * time.Millisecond):
				}
			}
		})
	}
	return &served
}

// A commit that hangs is not canceled, and takes no place from other calls after the promotion.
func TestFailover_HangingCommits(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	const writers = 4 // as many as write at the same time
	for reason, test := range map[string]struct {
		timeout time.Duration
		late    bool
	}{
		"while their callers wait": {timeout: time.Hour},
		"after their callers left": {timeout: 100 * time.Millisecond, late: true},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			store := accounttest.Organizations(t, open(t, p.dsn()), 1)
			pool := postgres.Pool(store)
			postgres.SetCommitTimeout(store, test.timeout)
			guard := apguard.New(store, apguard.Options{})
			require.NoError(t, p.standby.stop("immediate"))
			outcomes := make(chan error, writers)
			for i := range writers {
				go func() { outcomes <- try(t.Context(), guard, fmt.Sprintf("https://%d.example.com", i)) }()
			}
			p.awaitWaits(t, "SyncRep", writers)
			requireUnknown := func() {
				for range writers {
					require.ErrorIs(t, <-outcomes, asset.ErrOutcomeUnknown)
				}
			}
			if test.late {
				requireUnknown()
			}
			p.primary.signal(t, syscall.SIGSTOP)
			t.Cleanup(func() { p.primary.signal(t, syscall.SIGCONT) })
			require.NoError(t, p.standby.start())
			p.alone(t)
			if !test.late {
				requireUnknown()
			}
			postgres.SetCommitTimeout(store, time.Hour)
			require.NoError(t, try(t.Context(), guard, "https://0.example.com"))
			require.NotSame(t, pool, postgres.Pool(store), "pgx keeps the places of connections that it closes")
			p.primary.signal(t, syscall.SIGCONT)
			p.awaitWaits(t, "SyncRep", writers)
			log, err := os.ReadFile(filepath.Join(p.primary.dir(), "log"))
			require.NoError(t, err)
			require.NotContains(t, string(log), "canceling")
		})
	}
}

// awaitWaits waits until n connections to the primary wait for an event.
func (p pair) awaitWaits(t *testing.T, event string, n int) {
	t.Helper()
	require.Eventually(t, func() bool {
		return queryValue[int](t, p.primary.dsn(), "SELECT count(*) FROM pg_stat_activity WHERE $1 IN (wait_event, wait_event_type)", event) == n
	}, time.Minute, 10*time.Millisecond)
}

// Two addresses lead to the same primary, such as those of two poolers. Calls that wait for long are
// not disturbed, whatever they wait for.
func TestFailover_Slow(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	p := newPair(t)
	first := newProxy(t, p.primary)
	config, err := postgres.ParseConfig(proxyDSN(nil, first, newProxy(t, p.primary)))
	require.NoError(t, err)
	config.BeforeConnect = func(_ context.Context, config *pgx.ConnConfig) error {
		config.ConnectTimeout = time.Minute // this machine can be slower than a probe allows
		return nil
	}
	store := newOnHostPool(t, config)
	locked := begin(t, p.primary.dsn(), pgx.ReadCommitted)
	_, err = locked.Exec(t.Context(), "LOCK TABLE apguard_groups")
	require.NoError(t, err)
	require.NoError(t, p.standby.stop("immediate"))

	var calls sync.WaitGroup
	once := func(run func(context.Context, *postgres.Store, sqlstore.Step) error, statement string) {
		calls.Go(func() {
			runs := 0
			if err := run(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
				runs++
				_, err := on.Exec(ctx, statement)
				return err
			}); err != nil || runs != 1 {
				t.Error(statement, err, runs)
			}
		})
	}
	once(postgres.Read, "SELECT pg_sleep(10)")
	once(postgres.Write, "INSERT INTO apguard_groups (organization_id, name) VALUES (1, '')")
	once(postgres.Write, "INSERT INTO apguard_locks (name, taken) VALUES ('test', 0)")
	p.awaitWaits(t, "PgSleep", 1)
	p.awaitWaits(t, "Lock", 1)
	p.awaitWaits(t, "SyncRep", 1)
	first.awaitProbes(t)
	require.NoError(t, locked.Rollback(t.Context()))
	p.awaitWaits(t, "SyncRep", 2)
	first.awaitProbes(t)
	require.NoError(t, p.standby.start())
	calls.Wait()
}

// A server that hangs for a while is not replaced if no other one is the primary.
func TestFailover_HangEnds(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	p := newPair(t)
	network := newProxy(t, p.primary)
	store := open(t, proxyDSN(p.standby, network))
	runs, ended := 0, make(chan error)
	go func() {
		ended <- postgres.Read(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
			runs++
			network.Lock()
			_, err := on.Exec(ctx, "SELECT 1")
			return err
		})
	}()
	network.awaitProbes(t)
	network.Unlock()
	require.NoError(t, <-ended)
	require.Equal(t, 1, runs)
}

// behindName returns two addresses of a server, the configuration of connections to its name, and a
// function that sets the addresses of the name.
func behindName(t *testing.T) (first, second *proxy, config *pgxpool.Config, leadsTo func(addresses ...string)) {
	t.Helper()
	server := newCluster(t)
	migrate(t, server.dsn())
	first, second = newProxy(t, server), newProxy(t, server)
	config, err := postgres.ParseConfig(proxyDSN(nil, first))
	require.NoError(t, err)
	var current atomic.Pointer[[]string]
	config.ConnConfig.Host = "name"
	config.ConnConfig.LookupFunc = func(context.Context, string) ([]string, error) { return *current.Load(), nil }
	return first, second, config, func(addresses ...string) { current.Store(&addresses) }
}

// The name of the server leads to another address when the server hangs.
func TestFailover_NameMoves(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	first, second, config, nameLeadsTo := behindName(t)
	nameLeadsTo(first.address)
	store := newOnHostPool(t, config)
	runs := 0
	require.NoError(t, postgres.Read(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
		if runs++; runs == 1 {
			nameLeadsTo(second.address)
			pair{}.cut(t, first)
		}
		_, err := on.Exec(ctx, "SELECT 1")
		return err
	}))
	require.Equal(t, 2, runs)
}

// A server that was left is skipped by new connections while another one accepts them.
func TestFailover_LeftServer(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	first, second, config, nameLeadsTo := behindName(t)
	nameLeadsTo(first.address, second.address)
	var tried sync.Map
	config.ConnConfig.AfterNetConnect = func(_ context.Context, _ *pgconn.Config, on net.Conn) (net.Conn, error) {
		tried.Store(on.RemoteAddr().String(), true)
		return on, nil
	}
	store := newOnHostPool(t, config)
	first.Lock() // it hangs
	require.NoError(t, store.Ping(t.Context()))

	connectionTries := func(p *proxy) bool {
		tried.Clear()
		postgres.Pool(store).Reset()
		require.NoError(t, store.Ping(t.Context()))
		_, found := tried.Load(p.address)
		return found
	}
	require.False(t, connectionTries(first))
	first.Unlock()
	down := listen(t)
	require.NoError(t, down.Close())
	nameLeadsTo(first.address, down.Addr().String())
	require.True(t, connectionTries(first))
	nameLeadsTo(first.address, second.address)
	require.False(t, connectionTries(second), "they are tried in order again")
}

// A server that hangs is left although no call waits for it as long as it takes to find out.
func TestFailover_CallersLeave(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	server := newCluster(t)
	migrate(t, server.dsn())
	first, second := newProxy(t, server), newProxy(t, server)
	config, err := postgres.ParseConfig(proxyDSN(nil, first, second))
	require.NoError(t, err)
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return true } // as if idle for long
	store := newOnHostPool(t, config)
	require.NoError(t, store.Ping(t.Context()))
	pair{}.cut(t, first)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, store.Ping(ctx), context.DeadlineExceeded)
	require.Eventually(t, func() bool { return second.connections.Load() > 0 }, time.Minute, time.Millisecond)
	require.NoError(t, store.Ping(t.Context()))
}

// Calls whose callers left are soon forgotten, with any target_session_attrs.
func TestRead_CallerLeaves(t *testing.T) {
	t.Parallel()
	for _, attrs := range []string{"primary", "any"} {
		store := open(t, withParameter(t, newDatabase(t), "target_session_attrs", attrs))
		ctx, cancel := context.WithCancel(t.Context())
		require.ErrorIs(t, postgres.Read(ctx, store, func(ctx context.Context, _ sqlstore.Conn) error {
			cancel()
			return ctx.Err()
		}), context.Canceled)
		require.Eventually(t, func() bool { return postgres.Attempts(store) == 0 }, waitTimeout, pollInterval)
	}
}

// A name that led to a standby for a moment leaves no connection there that refuses writes, although
// the store does not ask for the primary.
func TestFailover_FlipWithAnyServer(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	primary := newCluster(t)
	migrate(t, primary.dsn())
	standby := newProxy(t, newStandby(t, primary))
	toPrimary := newProxy(t, primary)
	config, err := postgres.ParseConfig(proxyDSN(nil, standby) + "&target_session_attrs=any")
	require.NoError(t, err)
	config.ConnConfig.Host = "name"
	var current atomic.Pointer[proxy]
	config.ConnConfig.LookupFunc = func(context.Context, string) ([]string, error) { return []string{current.Load().address}, nil }
	current.Store(standby)
	store := newOnHostPool(t, config)
	const size = 10
	connect := func() {
		for range size {
			connection, err := postgres.Pool(store).Acquire(t.Context())
			require.NoError(t, err)
			defer connection.Release()
		}
	}

	connect()
	current.Store(toPrimary)
	for id := range int64(size) {
		require.NoError(t, store.PutUser(t.Context(), account.User{ID: id + 1}, audit.Entry{}))
	}

	current.Store(standby)
	postgres.Pool(store).Reset()
	connect()
	runs := 0
	require.ErrorIs(t, postgres.Write(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
		runs++
		_, err := on.Exec(ctx, "SELECT 1")
		return err
	}), postgres.ErrReadOnly)
	require.Equal(t, 2, runs, "a call connects anew once")
}

// A store that does not ask for the primary does not leave a server that hangs.
func TestFailover_HangWithAnyServer(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	p := newPair(t)
	network := newProxy(t, p.primary)
	store := open(t, withParameter(t, proxyDSN(p.standby, network), "target_session_attrs", "any"))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // longer than it would take
	defer cancel()
	runs := 0
	require.ErrorIs(t, postgres.Read(ctx, store, func(ctx context.Context, on sqlstore.Conn) error {
		if runs++; runs == 1 {
			p.cut(t, network)
		}
		_, err := on.Exec(ctx, "SELECT 1")
		return err
	}), context.DeadlineExceeded)
	require.Equal(t, 1, runs)
}
