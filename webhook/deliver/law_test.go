package deliver_test

import (
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/sqlite"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// stores are the stores of one process on which several senders run.
func stores(t *testing.T) map[string]storage.Store {
	t.Helper()
	file, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"), sqlite.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, file.Close()) })
	return map[string]storage.Store{"memory": memory.New(), "sqlite": file}
}

// Two senders on one store send each message once and in order, to one request of an endpoint at a
// time.
func TestSender_Run_TwoSenders(t *testing.T) {
	t.Parallel()
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixtureOn(t, store, true)
			filters := []webhook.Filter{{}, {Statuses: []asset.Status{asset.StatusAllowed}}, {Types: []asset.Type{asset.TypePage}}}
			receivers := make([]*receiver, 2*len(filters))
			for i := range receivers {
				receivers[i] = newReceiver(t, nil)
				f.create(receivers[i].URL, filters[i%len(filters)])
			}
			f.run(f.sender(deliver.Options{}))
			f.run(f.sender(deliver.Options{Concurrency: 2}))
			random := rand.New(rand.NewPCG(1, 2))
			for range 60 {
				kinds, statuses := []asset.Type{asset.TypeURL, asset.TypePage}, []asset.Status{asset.StatusAllowed, asset.StatusBlocked}
				f.change(kinds[random.IntN(2)], statuses[random.IntN(2)], 1+random.IntN(150))
			}
			for i, r := range receivers {
				want := f.matching(filters[i%len(filters)])
				eventually(t, func() bool { return len(r.assets(t)) >= len(want) })
				require.Equal(t, want, r.assets(t))
				ids := make(map[string]bool)
				for _, got := range r.requests() {
					require.False(t, ids[got.id], "a message is sent once")
					ids[got.id] = true
				}
			}
		})
	}
}

// Whatever receivers answer, and however often senders stop, each receiver accepts every change
// that its filter matches, in order. Only whole messages are repeated.
func TestSender_Run_Law(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	var calm atomic.Bool
	type accepting struct {
		*receiver
		filter   webhook.Filter
		accepted chan string // IDs of messages that it has answered with success
	}
	filters := []webhook.Filter{{}, {Statuses: []asset.Status{asset.StatusAllowed}}, {Types: []asset.Type{asset.TypePage}}}
	receivers := make([]accepting, 6)
	for i := range receivers {
		accepted := make(chan string, 100_000)
		var r *receiver
		r = newReceiver(t, func(w http.ResponseWriter, req *http.Request) {
			answer := rand.IntN(6)
			if calm.Load() {
				answer = 5
			}
			switch answer {
			case 0:
				w.WriteHeader(http.StatusInternalServerError)
			case 1:
				w.Header().Set("Retry-After", "30")
				w.WriteHeader(http.StatusTooManyRequests)
			case 2:
				http.Redirect(w, req, r.URL, http.StatusTemporaryRedirect)
			case 3: // processed, but the sender does not learn of it
				panic(http.ErrAbortHandler)
			default:
				accepted <- req.Header.Get("webhook-id")
			}
		})
		receivers[i] = accepting{r, filters[i%3], accepted}
		f.create(r.URL, filters[i%3])
	}
	// quiet waits until nothing is sent before the time passes. A lease must not expire during a
	// request, after which a message may be repeated late.
	quiet := func() {
		for i, r := range receivers {
			eventually(t, func() bool {
				e, err := f.store.EndpointByID(t.Context(), int64(i+1))
				require.NoError(t, err)
				require.Equal(t, webhook.StateActive, e.State)
				if !e.DueAt.IsZero() {
					return e.Lease == "" && e.DueAt.After(f.clock())
				}
				return len(r.assets(t)) == len(f.matching(r.filter))
			})
		}
	}
	stop := f.run(f.sender(deliver.Options{}))
	f.run(f.sender(deliver.Options{}))
	for n := range 80 {
		kinds, statuses := []asset.Type{asset.TypeURL, asset.TypePage}, []asset.Status{asset.StatusAllowed, asset.StatusBlocked}
		f.change(kinds[rand.IntN(2)], statuses[rand.IntN(2)], 1+rand.IntN(60))
		if n%3 == 0 {
			quiet()
			f.pass(3 * time.Minute)
		}
		if n%10 == 9 {
			quiet()
			stop()
			stop = f.run(f.sender(deliver.Options{}))
		}
	}
	calm.Store(true)
	for range 3 {
		quiet()
		f.pass(14 * time.Hour)
	}
	quiet()
	for _, r := range receivers {
		require.Equal(t, f.matching(r.filter), r.assets(t), "in order, with nothing lost")
		r.requireOrder(t)
		close(r.accepted)
		accepted := make(map[string]bool)
		for id := range r.accepted {
			accepted[id] = true
		}
		for _, got := range r.requests() {
			require.True(t, accepted[got.id], "every message is accepted in the end")
		}
	}
}

// requireOrder requires that the receiver gets no message again once it has got a later one.
func (r *receiver) requireOrder(t *testing.T) {
	t.Helper()
	seen := make(map[string]bool)
	last := ""
	for _, got := range r.requests() {
		require.False(t, seen[got.id] && got.id != last, "a message must not be repeated after a later one")
		seen[got.id], last = true, got.id
	}
}
