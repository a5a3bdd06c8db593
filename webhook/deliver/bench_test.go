package deliver_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/internal/test/postgrestest"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// BenchmarkEndpoints measures what 10,000 endpoints cost, and one more that takes other changes. The
// receiver is in the same process and answers at once, without TLS. Nearly every request has a
// connection of its own, as with 10,000 receivers.
//
//   - "s/change" is the time from a change until all endpoints have received it.
//   - "ms/other-change" is that of a change that only the one takes, and "ms/other-look" the part of
//     it in which the sender looks at all endpoints.
//   - "ms/idle-look" is the time of a look when nothing has changed.
//   - "MiB" is the memory of the sender after that, and "MiB-peak" the heap of the process during it.
func BenchmarkEndpoints(b *testing.B) {
	for name, newDB := range map[string]func(testing.TB) string{
		"sqlite":   func(tb testing.TB) string { tb.Helper(); return filepath.Join(tb.TempDir(), "bench.db") },
		"postgres": postgrestest.NewDatabase,
	} {
		b.Run(name, func(b *testing.B) {
			store, err := task{Database: newDB(b)}.open(b.Context())
			require.NoError(b, err)
			defer func() { require.NoError(b, store.Close()) }()
			m := newManyEndpoints(b, store, benchtest.Sized(10_000))
			for b.Loop() {
				m.measure(b)
			}
		})
	}
}

// manyEndpoints are endpoints that take changes of URLs, and one that takes those of pages.
type manyEndpoints struct {
	store storage.Store
	feed  *asset.FeedService
	size  int
	// delivered has an item for each message that was delivered.
	delivered chan struct{}
	sender    *deliver.Sender
}

func newManyEndpoints(b *testing.B, store storage.Store, size int) *manyEndpoints {
	b.Helper()
	m := &manyEndpoints{store: store, feed: asset.NewFeedService(store), size: size, delivered: make(chan struct{}, size)}
	webhooks := webhook.NewService(store, store, store, webhook.Options{AllowPrivate: true})
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	b.Cleanup(receiver.Close)
	var creating sync.WaitGroup
	types := make(chan asset.Type)
	for range 32 {
		creating.Go(func() {
			for kind := range types {
				_, _, err := webhooks.Create(b.Context(), webhook.CreateRequest{
					URL: receiver.URL, Events: []webhook.EventType{webhook.EventStatusChanged},
					Filter: webhook.Filter{Types: []asset.Type{kind}},
				})
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	types <- asset.TypePage
	for range size {
		types <- asset.TypeURL
	}
	close(types)
	creating.Wait()
	m.sender = deliver.New(webhooks, deliver.Options{OnEvent: func(e deliver.Event) {
		if e.Kind != deliver.EventDelivered {
			b.Errorf("%+v", e)
		}
		m.delivered <- struct{}{}
	}})
	return m
}

// change blocks a new asset and waits until that many endpoints have received it.
func (m *manyEndpoints) change(b *testing.B, kind asset.Type, endpoints int) {
	b.Helper()
	m.set(b, kind)
	m.sender.Wake()
	for range endpoints {
		<-m.delivered
	}
}

// set blocks a new asset.
func (m *manyEndpoints) set(b *testing.B, kind asset.Type) {
	b.Helper()
	feed, err := m.feed.State(b.Context())
	require.NoError(b, err)
	identity := asset.Identity{Type: kind, Canonical: fmt.Sprintf("https://bench-%d.example/", feed.Last)}
	_, err = m.store.SetAssetStatuses(b.Context(), asset.SetStatusesCommand{
		Origin: asset.Origin{Cause: asset.CauseManual}, At: time.Now(),
		Items: []asset.StatusItem{{Identity: identity, Status: asset.StatusBlocked}},
	})
	require.NoError(b, err)
	require.NoError(b, m.feed.Publish(b.Context()))
}

func (m *manyEndpoints) measure(b *testing.B) {
	b.Helper()
	before := liveMiB()
	m.set(b, asset.TypePage) // for the one endpoint, which is sent nothing yet
	idle := benchtest.Medians(benchtest.Rounds, func(int) { m.look(b, false) })
	otherLook := benchtest.Medians(benchtest.Rounds, func(int) { m.look(b, true) })

	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.sender.Run(ctx) }()
	<-m.delivered
	peak := watchPeak(ctx)
	change := benchtest.Medians(3, func(int) { m.change(b, asset.TypeURL, m.size) })
	other := benchtest.Medians(benchtest.Rounds, func(int) { m.change(b, asset.TypePage, 1) })
	stop()
	require.ErrorIs(b, <-ended, context.Canceled)
	benchtest.Figures(b, map[string]float64{
		"s/change": change[0] / 1000, "ms/other-change": other[0], "ms/other-look": otherLook[0], "ms/idle-look": idle[0],
		"MiB": liveMiB() - before, "MiB-peak": <-peak,
	})
}

// look lets the sender look, which finds one endpoint with something to do if all is true.
func (m *manyEndpoints) look(b *testing.B, all bool) {
	b.Helper()
	ready, err := m.sender.Look(b.Context(), all)
	require.NoError(b, err)
	want := 0
	if all {
		want = 1
	}
	require.Equal(b, want, ready)
}

// liveMiB returns the size of the live objects.
func liveMiB() float64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // what finalizers have released
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc) / (1 << 20)
}

// watchPeak returns the largest size of the heap until ctx ends.
func watchPeak(ctx context.Context) <-chan float64 {
	peak := make(chan float64, 1)
	go func() {
		var stats runtime.MemStats
		var largest uint64
		for next := time.Tick(20 * time.Millisecond); ctx.Err() == nil; <-next {
			runtime.ReadMemStats(&stats)
			largest = max(largest, stats.HeapAlloc)
		}
		peak <- float64(largest) / (1 << 20)
	}()
	return peak
}
