package source_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/client/source"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/internal/test/postgrestest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
)

// stores are functions that return a new store with the key.
func stores() map[string]func(tb testing.TB) storage.Store {
	memoryOnly := map[string]func(tb testing.TB) storage.Store{"memory": newStore}
	all := map[string]func(tb testing.TB) storage.Store{"memory": newStore, "sqlite": newSQLite, "postgres": newPostgres}
	return testsize.OfShort(memoryOnly, all)
}

func newSQLite(tb testing.TB) storage.Store {
	tb.Helper()
	return openSQLite(tb, filepath.Join(tb.TempDir(), "assets.db"), true)
}

func newPostgres(tb testing.TB) storage.Store {
	tb.Helper()
	store, err := postgres.Open(tb.Context(), postgrestest.NewDatabase(tb), postgres.Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, store.Close()) })
	return withKey(tb, store)
}

// setStatuses sets the statuses of assets and publishes the changes. Some may be refused.
func (o *origin) setStatuses(tb testing.TB, items []asset.StatusItem) {
	tb.Helper()
	guard := o.guard.Load()
	_, err := guard.Assets.SetStatuses(tb.Context(), asset.SetStatusesRequest{Items: items, ConfirmProtected: true})
	require.NoError(tb, err)
	require.NoError(tb, guard.Feed.Publish(tb.Context()))
}

// requireEqual requires that the mirror answers as the origin does, and returns the answers.
func (o *origin) requireEqual(tb testing.TB, m copied, contents []string) []check.Result {
	tb.Helper()
	want, err := o.guard.Load().Checks.CheckBatch(tb.Context(), contents)
	require.NoError(tb, err)
	got, err := m.CheckBatch(tb.Context(), contents)
	require.NoError(tb, err)
	require.Equal(tb, mirrored(want), got)
	return got
}

// mirrored returns the results that a mirror has in their place: of the basis of a match, it has the reason alone.
func mirrored(results []check.Result) []check.Result {
	for _, result := range results {
		if result.Match != nil {
			result.Match.Basis = asset.Basis{Reason: result.Match.Reason}
		}
	}
	return results
}

// recognizedTypes is the number of types that a content can have.
const recognizedTypes = 14

// A mirror over HTTP answers as the origin does about contents of every type, in every notation, and
// about hostile ones.
func TestSource_agreement(t *testing.T) {
	t.Parallel()
	perCheck := testsize.Of(20, 30, 1000) // rapid makes 100 checks
	for name, open := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOrigin(t, open(t))
			m := newReplica(t, o, feed.Options{Interval: time.Millisecond})
			start(t, m)
			contents, decided, types := 0, 0, make(map[asset.Type]int)
			rapid.Check(t, func(rt *rapid.T) {
				some, items := drawCases(rt, perCheck)
				o.setStatuses(t, items)
				require.NoError(t, m.Sync(t.Context()))
				for _, result := range o.requireEqual(t, m, some) {
					contents++
					types[result.Type]++
					if result.Match != nil {
						decided++
					}
				}
			})
			t.Logf("%d contents, %d of them decided by %d assets: %v", contents, decided, m.Mirror.State().Assets, types)
			delete(types, "") // refused contents
			require.Len(t, types, recognizedTypes)
			require.Greater(t, decided, contents/10)
		})
	}
}

// drawCases draws n contents, and statuses of assets that cover some of them.
func drawCases(rt *rapid.T, n int) (contents []string, items []asset.StatusItem) {
	for len(contents) < n {
		if rapid.IntRange(0, 19).Draw(rt, "hostile") == 0 {
			contents = append(contents, classifytest.Hostile().Draw(rt, "content"))
			continue
		}
		drawn := classifytest.Content().Draw(rt, "content")
		contents = append(contents, drawn.Content)
		if len(contents) < n {
			contents = append(contents, classifytest.Variant(drawn.Result).Draw(rt, "variant").Content)
		}
		covers := classify.Covering(drawn.Identity)
		items = append(items, asset.StatusItem{
			Identity: covers[rapid.IntRange(0, len(covers)-1).Draw(rt, "cover")].Identity,
			Status:   rapid.SampledFrom(asset.Statuses()).Draw(rt, "status"),
		})
	}
	return contents, items
}

// While nothing listens at the origin, the mirror answers as the origin did before, and says how old
// that is. Then it has everything that has changed meanwhile.
func TestSource_away(t *testing.T) {
	t.Parallel()
	away := testsize.Of(50*time.Millisecond, 200*time.Millisecond, time.Minute)
	for name, open := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, events := new(origin), newEvents()
			o.serve(t, open(t))
			var address atomic.Value // of the server
			listen := func() (stop func()) {
				server := httptest.NewServer(o)
				address.Store(server.Listener.Addr().String())
				return func() {
					address.Store("127.0.0.1:1") // another test may get the port of this one
					server.CloseClientConnections()
					server.Close()
				}
			}
			stop := listen()
			c, err := client.New("http://origin.example", client.Options{Key: key, Retries: -1, HTTPClient: &http.Client{Transport: &http.Transport{
				DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
					return new(net.Dialer).DialContext(ctx, network, address.Load().(string))
				},
			}}})
			require.NoError(t, err)
			m := newCopied(source.New(c), feed.Options{Interval: time.Millisecond, OnEvent: events.report})
			contents := make([]string, 300)
			for i := range contents {
				contents[i] = fmt.Sprintf([]string{"https://site-%d.com/x", "ada@site-%d.com", "@site_%d"}[i%3], i)
			}
			statusItem := func(n int, status asset.Status) asset.StatusItem {
				classified, err := classify.Classify(contents[n%len(contents)])
				require.NoError(t, err)
				return asset.StatusItem{Identity: classified.Identity, Status: status}
			}
			change := func(n int) {
				items := make([]asset.StatusItem, n)
				for i := range items {
					items[i] = statusItem(rand.IntN(len(contents))+i, asset.Statuses()[rand.IntN(3)])
				}
				o.setStatuses(t, items)
			}
			change(len(contents))
			start(t, m)
			require.NoError(t, m.Sync(t.Context()))
			before := o.requireEqual(t, m, contents)

			stop()
			gone := time.Now()
			events.until(feed.EventFailed, client.ErrUnavailable)
			for next := time.Tick(5 * time.Millisecond); time.Since(gone) < away; <-next {
				change(3)
				answers, err := m.CheckBatch(t.Context(), contents)
				require.NoError(t, err)
				require.Equal(t, before, answers, "as before")
			}
			other := asset.StatusBlocked
			if before[0].Status == other {
				other = asset.StatusAllowed
			}
			o.setStatuses(t, []asset.StatusItem{statusItem(0, other)})
			require.Error(t, m.State().Err)
			require.True(t, m.State().ReadAt.Before(gone))

			stop = listen()
			defer stop()
			require.NoError(t, m.Sync(t.Context()))
			require.NotEqual(t, before, o.requireEqual(t, m, contents))
			require.NoError(t, m.State().Err)
			for event := range events {
				require.NotEqual(t, feed.EventFilled, event.Kind, "it goes on with its copy")
				if event.Kind == feed.EventRecovered {
					break
				}
			}
		})
	}
}
