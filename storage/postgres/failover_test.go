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
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/internal/testsize"
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
	guard *apguard.Guard
	group sync.WaitGroup
	stop  chan struct{}
	// acknowledged has the number of assets that each has added.
	acknowledged [4]atomic.Int64
}

// startAdders starts several of them.
func startAdders(t *testing.T, store storage.Store) *adders {
	t.Helper()
	a := &adders{guard: apguard.New(store, apguard.Options{}), stop: make(chan struct{})}
	for writer := range a.acknowledged {
		a.group.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-a.stop:
					return
				default:
					a.add(t, fmt.Sprintf("https://%d-%d.example.com", writer, n))
					a.acknowledged[writer].Add(1)
				}
			}
		})
	}
	return a
}

// add repeats an addition until it succeeds.
func (a *adders) add(t *testing.T, content string) {
	t.Helper()
	for {
		err := a.try(t.Context(), content)
		if err == nil {
			return
		}
		if !errors.Is(err, asset.ErrUnavailable) && !errors.Is(err, asset.ErrOutcomeUnknown) {
			t.Error(err)
			return
		}
	}
}

// try adds an asset once. Its key is the content.
func (a *adders) try(ctx context.Context, content string) error {
	_, err := a.guard.Allowlist.Add(ctx, allowlist.AddRequest{
		OrganizationID: 1, Items: []allowlist.Item{{Content: content}},
		Idempotency: idempotency.Key{Text: content},
	})
	return err
}

// more waits until each of them has added more assets.
func (a *adders) more(t *testing.T) {
	t.Helper()
	for writer := range a.acknowledged {
		enough := a.acknowledged[writer].Load() + 5
		require.Eventually(t, func() bool { return a.acknowledged[writer].Load() > enough }, time.Minute, time.Millisecond)
	}
}

// requireAll ends the additions and requires that the server has each acknowledged asset once.
func (a *adders) requireAll(t *testing.T, server *cluster) {
	t.Helper()
	close(a.stop)
	a.group.Wait()
	stored := queryValue[[]int64](t, server.dsn(), `SELECT ARRAY[(SELECT count(*) FROM apguard_assets),
		(SELECT count(*) FROM apguard_changes), (SELECT count(*) FROM apguard_allowlist)]`)
	n := int64(0)
	for writer := range a.acknowledged {
		n += a.acknowledged[writer].Load()
	}
	require.Equal(t, []int64{n, n, n}, stored)
}

// Whatever happens to the primary, what was acknowledged is stored once, and no store is reopened.
func TestFailover(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	for reason, fail := range map[string]func(*testing.T, pair, *adders) *cluster{
		"the primary is killed": func(t *testing.T, p pair, _ *adders) *cluster {
			t.Helper()
			p.primary.kill(t)
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
			writing := startAdders(t, open(t, p.dsn()))
			writing.more(t)
			primary := fail(t, p, writing)
			writing.more(t)
			writing.requireAll(t, primary)
		})
	}
}

// A commit that waits for the standby is not canceled, so it is not acknowledged before the standby
// has it, not even to a repetition.
func TestFailover_StandbyLost(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	p := newPair(t)
	store := open(t, p.dsn())
	postgres.SetCommitTimeout(store, 100*time.Millisecond)
	writing := &adders{guard: apguard.New(store, apguard.Options{})}
	key := account.Key{Hash: [32]byte{1}, Scopes: account.Scopes()}
	require.NoError(t, store.PutKey(t.Context(), key))
	require.NoError(t, p.standby.stop("immediate"))
	const content = "https://lost.example.com"
	require.ErrorIs(t, writing.try(t.Context(), content), asset.ErrOutcomeUnknown)
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		require.ErrorIs(t, writing.try(ctx, content), context.DeadlineExceeded, "a repetition waits behind the commit")
		cancel()
	}
	use := account.KeyUse{Hash: key.Hash, At: time.Now(), LastBefore: time.Now()}
	require.NoError(t, store.RecordKeyUse(t.Context(), use), "authentication does not wait")
	require.Equal(t, 1, queryValue[int](t, p.primary.dsn(), "SELECT count(*) FROM apguard_keys WHERE last_used_at > 0"))
	p.primary.kill(t)
	require.NoError(t, p.standby.start())
	require.NoError(t, p.standby.promote())
	require.Zero(t, queryValue[int](t, p.standby.dsn(), "SELECT count(*) FROM apguard_assets"))
	require.Eventually(t, func() bool { return writing.try(t.Context(), content) == nil }, time.Minute, time.Millisecond)
	require.Equal(t, 1, queryValue[int](t, p.standby.dsn(), "SELECT count(*) FROM apguard_assets"))
}

// The commit that waits ends with the standby's return, and the repetition gets its result.
func TestFailover_StandbyReturns(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	p := newPair(t)
	store := open(t, p.dsn())
	postgres.SetCommitTimeout(store, 100*time.Millisecond)
	writing := &adders{guard: apguard.New(store, apguard.Options{})}
	require.NoError(t, p.standby.stop("immediate"))
	require.ErrorIs(t, writing.try(t.Context(), "https://late.example.com"), asset.ErrOutcomeUnknown)
	require.NoError(t, p.standby.start())
	require.NoError(t, writing.try(t.Context(), "https://late.example.com"))
	require.Equal(t, 1, queryValue[int](t, p.primary.dsn(), "SELECT count(*) FROM apguard_changes"))
}

// Close neither waits for a commit that waits for the standby, nor cancels it.
func TestFailover_Close(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	p := newPair(t)
	store := open(t, p.dsn())
	postgres.SetCommitTimeout(store, 100*time.Millisecond)
	require.NoError(t, p.standby.stop("immediate"))
	require.ErrorIs(t, (&adders{guard: apguard.New(store, apguard.Options{})}).try(t.Context(), "https://a.example.com"), asset.ErrOutcomeUnknown)
	require.NoError(t, store.Close())
	require.NoError(t, p.standby.start())
	require.Eventually(t, func() bool { return queryValue[int](t, p.primary.dsn(), "SELECT count(*) FROM apguard_assets") == 1 },
		time.Minute, 10*time.Millisecond)
	log, err := os.ReadFile(filepath.Join(p.primary.dir(), "log"))
	require.NoError(t, err)
	require.NotContains(t, string(log), "canceling wait for synchronous replication")
}
