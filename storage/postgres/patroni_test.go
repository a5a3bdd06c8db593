package postgres_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
)

// readers check the assets that adders have added last.
type readers struct {
	guard *apguard.Guard
	group sync.WaitGroup
	stop  chan struct{}
	found atomic.Int64
}

// startReaders starts several of them. Each of the adders must have added an asset.
func startReaders(t *testing.T, store storage.Store, a *adders) *readers {
	t.Helper()
	r := &readers{guard: apguard.New(store, apguard.Options{}), stop: make(chan struct{})}
	for range 2 {
		r.group.Go(func() {
			for writer := 0; t.Context().Err() == nil; writer = (writer + 1) % len(a.acknowledged) {
				select {
				case <-r.stop:
					return
				default:
					r.read(t, contentOf(writer, a.acknowledged[writer].Load()-1))
				}
			}
		})
	}
	t.Cleanup(r.group.Wait)
	return r
}

// read checks an asset that was added, until it succeeds.
func (r *readers) read(t *testing.T, content string) {
	t.Helper()
	for retry := time.Tick(retryPause); ; <-retry {
		verdict, err := r.guard.Checks.Check(t.Context(), content)
		if err != nil && isTemporary(err) {
			continue
		}
		if err != nil || verdict.Status != asset.StatusAllowed {
			t.Error(content, "was acknowledged:", verdict.Status, err)
			return
		}
		r.found.Add(1)
		return
	}
}

// more waits until they have found more assets.
func (r *readers) more(t *testing.T) {
	t.Helper()
	enough := r.found.Load() + 5
	require.Eventually(t, func() bool { return r.found.Load() > enough }, time.Minute, time.Millisecond)
}

// A cluster that Patroni runs as docs/patroni describes loses nothing that was acknowledged, and one
// store follows its primary.
func TestFailover_Patroni(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	p := newPatroni(t)
	store := open(t, p.dsn)
	writing := startAdders(t, store)
	writing.more(t)
	reading := startReaders(t, store, writing)
	servedAfter := func(event string, begin time.Time) {
		t.Helper()
		t.Logf("%s: served after %.1f s; %d assets acknowledged until now", event, time.Since(begin).Seconds(), writing.total())
	}

	first, _ := p.members(t)
	begin := time.Now()
	require.NoError(t, first.shell(p.commands.switchover))
	writing.more(t)
	reading.more(t)
	servedAfter("switchover", begin)
	primary, standby := p.members(t)
	require.Equal(t, first, standby)

	p.waitForStandby(t)
	begin = time.Now()
	primary.fail(t)
	reading.more(t)
	servedAfter("reads, the primary was killed", begin)
	primary, standby = standby, primary
	p.start(t, standby)
	writing.more(t)
	servedAfter("writes, the primary was killed, and started again after the failover", begin)

	p.waitForStandby(t)
	begin = time.Now()
	standby.fail(t)
	require.NoError(t, primary.shell(p.commands.alone))
	writing.more(t)
	servedAfter("writes, the standby was killed, and the primary told to go on alone", begin)

	require.NoError(t, primary.shell(p.commands.again))
	p.start(t, standby)
	p.waitForStandby(t)
	writing.more(t)
	close(reading.stop)
	reading.group.Wait()
	writing.requireAll(t, p.primaryDSN(t))
}
