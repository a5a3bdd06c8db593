package deliver_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/sqlite"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// toggle changes the status of one asset n times, so that all but the last change can be pruned.
func (f *fixture) toggle(kind asset.Type, n int) {
	f.t.Helper()
	for i := range n {
		_, err := f.store.SetAssetStatuses(f.t.Context(), asset.SetStatusesCommand{
			Items: []asset.StatusItem{{
				Identity: asset.Identity{Type: kind, Canonical: "https://toggled.example/"}, Status: asset.Statuses()[1+i%2],
			}},
			Origin: asset.Origin{Cause: asset.CauseManual}, At: f.clock(),
		})
		require.NoError(f.t, err)
	}
}

// prune removes all changes but the last one of each asset.
func (f *fixture) prune() {
	f.t.Helper()
	_, err := asset.NewHistoryService(f.store).Prune(f.t.Context(), f.clock().Add(time.Hour))
	require.NoError(f.t, err)
}

// gated is a store whose feed does not tell its end while a test holds the lock.
type gated struct {
	storage.Store
	mu sync.Mutex
}

func (g *gated) Feed(ctx context.Context) (asset.Feed, error) {
	g.mu.Lock()
	defer g.mu.Unlock()

	return g.Store.Feed(ctx)
}

// What was examined before changes were pruned does not keep an endpoint from going on.
func TestSender_Run_PrunedWhileExamined(t *testing.T) {
	t.Parallel()
	store := &gated{Store: memory.New()}
	f := newFixtureOn(t, store, true)
	r := newReceiver(t, nil)
	f.create(r.URL, webhook.Filter{Types: []asset.Type{asset.TypePage}}) // at the beginning of an empty feed
	sender := f.sender(deliver.Options{})
	f.run(sender)
	f.toggle(asset.TypeURL, 5)
	eventually(t, func() bool { return sender.Examined() == 1 })
	store.mu.Lock()
	f.toggle(asset.TypeURL, 5)
	f.prune()
	store.mu.Unlock()
	f.change(asset.TypePage, asset.StatusBlocked, 1)
	require.Equal(t, 1, f.event(deliver.EventDelivered).Events)
}

// A loss of pruned changes is reported once, although the sender has read the rest before.
func TestSender_Run_PrunedIsLostOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	r, other := newReceiver(t, nil), newReceiver(t, nil)
	f.block(1)
	e := f.create(r.URL, webhook.Filter{})
	_, err := f.webhooks.Pause(t.Context(), e.ID)
	require.NoError(t, err)
	f.create(other.URL, webhook.Filter{})
	f.run(f.sender(deliver.Options{}))
	f.block(900)
	f.toggle(asset.TypeURL, 3)
	f.sent(903)
	f.prune()
	_, err = f.webhooks.Resume(t.Context(), e.ID)
	require.NoError(t, err)
	require.Equal(t, 1, f.sent(901))
}

// sent waits until messages have had that many events, and returns how often a place was lost.
func (f *fixture) sent(events int) (lost int) {
	f.t.Helper()
	for events > 0 {
		switch got := <-f.events; got.Kind {
		case deliver.EventLost:
			lost++
		case deliver.EventDelivered:
			events -= got.Events
		default:
			require.FailNow(f.t, "unexpected event", "%+v", got)
		}
	}
	return lost
}

// replaceable is a store that can be replaced.
type replaceable struct{ now atomic.Pointer[storage.Store] }

func (r *replaceable) store() storage.Store { return *r.now.Load() }

func (r *replaceable) Since(ctx context.Context, after asset.FeedCursor, limit int) (step.Page[asset.FeedEntry], error) {
	return r.store().Since(ctx, after, limit)
}

func (r *replaceable) Feed(ctx context.Context) (asset.Feed, error) { return r.store().Feed(ctx) }

func (r *replaceable) PublishChanges(ctx context.Context, limit int) (bool, error) {
	return r.store().PublishChanges(ctx, limit)
}

// A store that has lost changes, as after a failover, uses their positions again. The new changes are
// sent although the sender has examined those positions before.
func TestSender_Run_StoreGoesBack(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	open := func(name string) storage.Store {
		store, err := sqlite.Open(t.Context(), filepath.Join(folder, name), sqlite.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, store.Close()) })
		return store
	}
	first := open("early.db")
	require.NoError(t, first.Close())
	data, err := os.ReadFile(filepath.Join(folder, "early.db"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "late.db"), data, 0o600))
	early, late := open("early.db"), open("late.db")

	var feed replaceable
	feed.now.Store(&late)
	endpoints := memory.New()
	f := newFixtureOn(t, late, true)
	f.webhooks = webhook.NewService(endpoints, &feed, endpoints, webhook.Options{Clock: f.clock, AllowPrivate: true})
	r := newReceiver(t, nil)
	f.create(r.URL, webhook.Filter{Types: []asset.Type{asset.TypePage}})
	sender := f.sender(deliver.Options{})
	f.run(sender)
	f.block(100)
	eventually(t, func() bool { return sender.Examined() == 1 })
	feed.now.Store(&early)
	f.store = early
	f.change(asset.TypePage, asset.StatusBlocked, 5)
	require.Equal(t, 5, f.event(deliver.EventDelivered).Events)
}

// Endpoints with nothing to send read a long feed together, not one after the other.
func TestSender_Run_LongFeed(t *testing.T) {
	t.Parallel()
	store := &counting{Store: memory.New()}
	f := newFixtureOn(t, store, true)
	for range 50 {
		f.create("http://localhost:1/", webhook.Filter{Types: []asset.Type{asset.TypeEmail}})
	}
	r := newReceiver(t, nil)
	f.create(r.URL, webhook.Filter{Types: []asset.Type{asset.TypePage}})
	for range 18 {
		f.block(1000)
	}
	f.change(asset.TypePage, asset.StatusBlocked, 1)
	f.run(f.sender(deliver.Options{}))
	f.event(deliver.EventDelivered)
	require.LessOrEqual(t, store.since.Load(), int64(2*19))
}

// When the message that was to be repeated is gone, what comes after it is sent at once.
func TestSender_Run_MessageIsGone(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	r := newReceiver(t, nil)
	e := f.createFor(r.URL, webhook.EventTypes()...)
	d := f.dispute(1)
	f.closeDispute(d.ID, dispute.StateRejected)
	f.block(1)
	_, err := f.store.UpdateEndpoint(t.Context(), e.ID, func(e webhook.Endpoint) (webhook.Endpoint, error) {
		e.Batch, e.DueAt, e.Failures = webhook.Batch{First: 1, Last: 1, Dispute: true}, f.clock(), 1
		return e, nil
	}, audit.Entry{})
	require.NoError(t, err)
	_, err = dispute.NewQueueService(f.store, dispute.QueueOptions{}).Prune(t.Context(), f.clock().Add(time.Hour))
	require.NoError(t, err)
	f.run(f.sender(deliver.Options{}))
	f.event(deliver.EventDelivered)
	require.Equal(t, []string{"asset.status_changed"}, r.kinds(t))
}
