package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
)

// pair is a primary with a standby that it waits for.
type pair struct {
	primary, standby *cluster
}

func newPair(t *testing.T) pair {
	t.Helper()
	primary := newCluster(t)
	migrate(t, primary.dsn())
	p := pair{primary, newStandby(t, primary)}
	p.waitForStandby(t)
	return p
}

// dsn returns the connection string of both servers.
func (p pair) dsn() string { return dsnOf(p.primary, p.standby) }

// waitForStandby makes the primary wait for the standby in each commit.
func (p pair) waitForStandby(t *testing.T) {
	t.Helper()
	execute(t, p.primary.dsn(), "ALTER SYSTEM SET synchronous_standby_names = '*'")
	execute(t, p.primary.dsn(), "SELECT pg_reload_conf()")
	require.Eventually(t, func() bool {
		return queryValue[int](t, p.primary.dsn(), "SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')") == 1
	}, time.Minute, 10*time.Millisecond)
}

// alone makes the standby the primary, which waits for no other.
func (p pair) alone(t *testing.T) *cluster {
	t.Helper()
	require.NoError(t, p.standby.promote())
	execute(t, p.standby.dsn(), "ALTER SYSTEM RESET synchronous_standby_names")
	execute(t, p.standby.dsn(), "SELECT pg_reload_conf()")
	return p.standby
}

// switched returns the pair in which the standby is the primary, and the other server its standby.
func (p pair) switched(t *testing.T) pair {
	t.Helper()
	require.NoError(t, p.standby.promote())
	require.NoError(t, p.primary.follow(p.standby))
	s := pair{p.standby, p.primary}
	s.waitForStandby(t)
	return s
}

// adders add assets, each with an idempotency key, and repeat an addition until it succeeds.
type adders struct {
	group sync.WaitGroup
	stop  chan struct{}
	// acknowledged has the number of assets that each has added.
	acknowledged [4]atomic.Int64
	// slowest is the longest time until an addition was acknowledged.
	slowest atomic.Int64
}

// startAdders starts several of them, on the stores in turn.
func startAdders(t *testing.T, stores ...storage.Store) *adders {
	t.Helper()
	accounttest.Organizations(t, stores[0], 1)
	a := &adders{stop: make(chan struct{})}
	for writer := range a.acknowledged {
		guard := apguard.New(stores[writer%len(stores)], apguard.Options{})
		a.group.Go(func() {
			for n := int64(0); t.Context().Err() == nil; n++ {
				select {
				case <-a.stop:
					return
				default:
					begin := time.Now()
					add(t, guard, contentOf(writer, n))
					a.slowest.Store(max(a.slowest.Load(), int64(time.Since(begin))))
					a.acknowledged[writer].Add(1)
				}
			}
		})
	}
	t.Cleanup(a.group.Wait)
	return a
}

// contentOf returns what a writer adds after n others.
func contentOf(writer int, n int64) string {
	return fmt.Sprintf("https://%d-%d.example.com", writer, n)
}

// retryPause is how long a client waits before it repeats a call. Calls fail at once while no
// server answers.
const retryPause = 100 * time.Millisecond

// add repeats an addition until it succeeds.
func add(t *testing.T, guard *apguard.Guard, content string) {
	t.Helper()
	for retry := time.Tick(retryPause); ; <-retry {
		err := try(t.Context(), guard, content)
		if err == nil {
			return
		}
		if !isTemporary(err) {
			t.Error(err)
			return
		}
	}
}

// isTemporary reports whether a call can be repeated after the error.
func isTemporary(err error) bool {
	return errors.Is(err, asset.ErrUnavailable) || errors.Is(err, asset.ErrOutcomeUnknown) || errors.Is(err, context.DeadlineExceeded)
}

// try adds an asset once. Its key is the content.
func try(ctx context.Context, guard *apguard.Guard, content string) error {
	added, err := guard.Allowlist.Add(ctx, allowlist.AddRequest{
		OrganizationID: 1, Items: []allowlist.Item{{Content: content}},
		Idempotency: idempotency.Key{Text: content},
	})
	if err != nil {
		return err
	}
	return added.Results[0].Err // allowlist.ErrExists if a repetition is executed again
}

// more waits until each of them has added more assets.
func (a *adders) more(t *testing.T) {
	t.Helper()
	for writer := range a.acknowledged {
		enough := a.acknowledged[writer].Load() + 5
		require.Eventually(t, func() bool { return a.acknowledged[writer].Load() > enough }, time.Minute, time.Millisecond)
	}
}

// end ends the additions.
func (a *adders) end() {
	close(a.stop)
	a.group.Wait()
}

// total returns the number of assets that all of them have added.
func (a *adders) total() (n int64) {
	for writer := range a.acknowledged {
		n += a.acknowledged[writer].Load()
	}
	return n
}

// requireAll ends the additions and requires that the primary has each acknowledged asset once.
func (a *adders) requireAll(t *testing.T, primary string) {
	t.Helper()
	a.end()
	stored := queryValue[[]int64](t, primary, `SELECT ARRAY[(SELECT count(*) FROM apguard_assets),
		(SELECT count(*) FROM apguard_changes), (SELECT count(*) FROM apguard_allowlist)]`)
	n := a.total()
	require.Equal(t, []int64{n, n, n}, stored)
	t.Logf("%d assets acknowledged, none lost or repeated; the slowest took %v", n, time.Duration(a.slowest.Load()))
}

// Whatever happens to the primary, what was acknowledged is stored once, the follower gets every
// change once and in order, and no store is reopened.
func TestFailover(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	for reason, fail := range map[string]func(*testing.T, pair, *adders) *cluster{
		"the primary is killed": func(t *testing.T, p pair, _ *adders) *cluster {
			t.Helper()
			p.primary.kill(t)
			return p.alone(t)
		},
		"the primary hangs": func(t *testing.T, p pair, _ *adders) *cluster {
			t.Helper()
			p.stop(t, nil)
			return p.alone(t)
		},
		"the servers are switched twice": func(t *testing.T, p pair, a *adders) *cluster {
			t.Helper()
			require.NoError(t, p.primary.stop("fast"))
			p = p.switched(t)
			a.more(t)
			require.NoError(t, p.primary.stop("fast"))
			return p.switched(t).primary
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			all := startService(t, p.dsn())
			all.more(t)
			primary := fail(t, p, all.adders)
			begin := time.Now()
			all.more(t)
			t.Logf("served again %.1f s after the promotion", time.Since(begin).Seconds())
			all.requireAll(t, primary.dsn())
		})
	}
}

// newImpatient returns a pair, and a store that waits only a moment for the answer to a COMMIT.
func newImpatient(t *testing.T) (pair, *postgres.Store, *apguard.Guard) {
	t.Helper()
	p := newPair(t)
	store := accounttest.Organizations(t, open(t, p.dsn()), 1)
	postgres.SetCommitTimeout(store, 100*time.Millisecond)
	return p, store, apguard.New(store, apguard.Options{})
}

// A commit that waits for the standby is not canceled, so it is not acknowledged before the standby
// has it, not even to a repetition.
func TestFailover_StandbyLost(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	p, store, guard := newImpatient(t)
	key := account.Key{Hash: [32]byte{1}, Scopes: account.Scopes()}
	require.NoError(t, store.PutKey(t.Context(), key, audit.Entry{}))
	require.NoError(t, p.standby.stop("immediate"))
	const content = "https://lost.example.com"
	require.ErrorIs(t, try(t.Context(), guard, content), asset.ErrOutcomeUnknown)
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		require.ErrorIs(t, try(ctx, guard, content), context.DeadlineExceeded, "a repetition waits behind the commit")
		cancel()
	}
	use := account.KeyUse{Hash: key.Hash, At: time.Now(), LastBefore: time.Now()}
	require.NoError(t, store.RecordKeyUse(t.Context(), use), "authentication does not wait")
	require.Equal(t, 1, queryValue[int](t, p.primary.dsn(), "SELECT count(*) FROM apguard_keys WHERE last_used_at > 0"))
	p.primary.kill(t)
	require.NoError(t, p.standby.start())
	require.NoError(t, p.standby.promote())
	require.Zero(t, queryValue[int](t, p.standby.dsn(), "SELECT count(*) FROM apguard_assets"))
	require.Eventually(t, func() bool { return try(t.Context(), guard, content) == nil }, time.Minute, time.Millisecond)
	require.Equal(t, 1, queryValue[int](t, p.standby.dsn(), "SELECT count(*) FROM apguard_assets"))
}

// A restart makes a commit visible although it is still only on the primary. A repetition is not
// answered from it.
func TestFailover_PrimaryRestarted(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	p, _, guard := newImpatient(t)
	require.NoError(t, p.standby.stop("immediate"))
	const content = "https://lost.example.com"
	require.ErrorIs(t, try(t.Context(), guard, content), asset.ErrOutcomeUnknown)
	require.NoError(t, p.primary.restart("immediate"))
	require.Equal(t, 1, queryValue[int](t, p.primary.dsn(), "SELECT count(*) FROM apguard_assets"))
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		err := try(ctx, guard, content)
		require.True(t, isTemporary(err), "%v", err)
		cancel()
	}
	require.NoError(t, p.standby.start())
	require.Eventually(t, func() bool { return try(t.Context(), guard, content) == nil }, time.Minute, time.Millisecond)
}

// The commit that waits ends with the standby's return, and the repetition gets its result.
func TestFailover_StandbyReturns(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	p, _, guard := newImpatient(t)
	require.NoError(t, p.standby.stop("immediate"))
	require.ErrorIs(t, try(t.Context(), guard, "https://late.example.com"), asset.ErrOutcomeUnknown)
	require.NoError(t, p.standby.start())
	require.NoError(t, try(t.Context(), guard, "https://late.example.com"))
	require.Equal(t, 1, queryValue[int](t, p.primary.dsn(), "SELECT count(*) FROM apguard_changes"))
}

// Close neither waits for a commit that waits for the standby, nor cancels it.
func TestFailover_Close(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	p, store, guard := newImpatient(t)
	require.NoError(t, p.standby.stop("immediate"))
	require.ErrorIs(t, try(t.Context(), guard, "https://a.example.com"), asset.ErrOutcomeUnknown)
	require.NoError(t, store.Close())
	require.NoError(t, p.standby.start())
	require.Eventually(t, func() bool { return queryValue[int](t, p.primary.dsn(), "SELECT count(*) FROM apguard_assets") == 1 },
		time.Minute, 10*time.Millisecond)
	log, err := os.ReadFile(filepath.Join(p.primary.dir(), "log"))
	require.NoError(t, err)
	require.NotContains(t, string(log), "canceling wait for synchronous replication")
}
