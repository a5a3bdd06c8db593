package source_test

import (
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/client/source"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/test/contentstest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage/memory"
)

// A list that was fetched over HTTP answers as the server does: no content of many has another verdict.
// A false hit would be one of 10^8 runs of this test.
func TestHashes_law(t *testing.T) {
	t.Parallel()
	assets, contents := testsize.Of(500, 2000, 100_000), testsize.Of(2000, 10_000, 1_000_000)
	guard := apguard.New(memory.New(), apguard.Options{})
	o := hashes.New(hashes.Options{})
	r := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{o}})
	list, fetch := hashlist.New(time.Hour), source.Hashes(newHashesClient(t, guard, o))
	drawn := contentstest.New(assets / 20)
	for identities := range slices.Chunk(drawn.Identities(assets), asset.MaxItems) {
		items := make([]asset.StatusItem, len(identities))
		for i, identity := range identities {
			items[i] = asset.StatusItem{Identity: identity, Status: drawn.Status()}
		}
		_, err := guard.Assets.SetStatuses(t.Context(), asset.SetStatusesRequest{Items: items})
		require.NoError(t, err)
		require.NoError(t, r.Refresh(t.Context()))
		require.NoError(t, list.Refresh(t.Context(), fetch))
	}
	statuses := make(map[asset.Status]int)
	for checked := 0; checked < contents; checked += check.MaxItems {
		some := make([]string, min(check.MaxItems, contents-checked))
		for i := range some {
			some[i] = drawn.Content()
		}
		want, err := guard.Checks.CheckBatch(t.Context(), some)
		require.NoError(t, err)
		got, err := list.CheckBatch(t.Context(), some)
		require.NoError(t, err)
		for i := range want {
			if want[i].Match != nil {
				want[i].Match.ID, want[i].Match.Basis = 0, asset.Basis{} // a list does not have them
			}
			require.Equal(t, want[i], got[i])
			statuses[want[i].Status]++
		}
	}
	t.Logf("%d assets, %d contents: %v", assets, contents, statuses)
	for _, status := range asset.Statuses() {
		require.Greater(t, statuses[status], contents/10, status)
	}
}

// newHashesClient returns a client of a server with the hash lists.
func newHashesClient(t *testing.T, guard *apguard.Guard, o *hashes.Origin) *client.Client {
	t.Helper()
	require.NoError(t, guard.Keys.Put(t.Context(), "apg_wallet", account.KeyRequest{Scopes: []account.Scope{account.ScopeCheck}}))
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{Hashes: o, RefusalDelay: -1})
	require.NoError(t, err)
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	c, err := client.New(server.URL, client.Options{Key: "apg_wallet", Retries: -1})
	require.NoError(t, err)
	return c
}

// A list says what the server says while that is away, until it is outdated.
func TestHashes_errors(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{})
	o := hashes.New(hashes.Options{})
	r := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{o}})
	fetch := source.Hashes(newHashesClient(t, guard, o))
	list := hashlist.New(time.Hour)
	require.ErrorIs(t, list.Refresh(t.Context(), fetch), client.ErrUnavailable, "it is not filled")
	require.NoError(t, r.Refresh(t.Context()))
	require.NoError(t, list.Refresh(t.Context(), fetch))
	without := source.Hashes(newHashesClient(t, guard, nil))
	require.ErrorIs(t, list.Refresh(t.Context(), without), client.ErrNotFound)
	_, err := list.Check(t.Context(), "example.com")
	require.NoError(t, err)
}

// Hash lists at the edge, of a Replica that reads a server over HTTP, are those of the server. A version within a page of
// changes is unknown there, and answered with whole lists.
func TestHashes_edge(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, newStore(t))
	guard := o.guard.Load()
	c, err := client.New(o.url, client.Options{Key: key, Retries: -1})
	require.NoError(t, err)
	server, edge := hashes.New(hashes.Options{}), hashes.New(hashes.Options{})
	near := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{server}})
	far := feed.NewReplica(source.New(c), feed.Options{Views: []feed.View{edge}})
	drawn := contentstest.New(20)
	identities := drawn.Identities(100)
	change := func() {
		items := make([]asset.StatusItem, 5)
		for i := range items {
			items[i] = asset.StatusItem{Identity: identities[drawn.IntN(len(identities))], Status: drawn.Status()}
		}
		o.setStatuses(t, items)
		require.NoError(t, near.Refresh(t.Context()))
	}
	change()
	require.NoError(t, far.Refresh(t.Context()))
	lists := map[string]*hashlist.List{"of the server": hashlist.New(time.Hour), "of the edge": hashlist.New(time.Hour)}
	differences := 0
	for range 20 {
		fresh, err := server.Since(lists["of the server"].State().Version)
		require.NoError(t, err)
		require.NoError(t, lists["of the server"].Update(hashlist.Response{Data: fresh.Data, AsOf: time.Now(), Rules: classify.Version}))
		change()
		change()
		require.NoError(t, far.Refresh(t.Context()))
		want, err := server.Since("")
		require.NoError(t, err)
		for name, list := range lists {
			response, err := edge.Since(list.State().Version)
			require.NoError(t, err)
			require.NoError(t, list.Update(hashlist.Response{Data: response.Data, AsOf: time.Now(), Rules: classify.Version}), name)
			require.Equal(t, want.Version, list.State().Version, name)
			whole, err := edge.Since("")
			require.NoError(t, err)
			require.Equal(t, want.Data, whole.Data, name)
			if response.Since != "" {
				differences++
			}
		}
		between := asset.Feed{Store: far.State().Store}.Cursor(far.State().Cursor.Position() - 1)
		response, err := edge.Since(between.String())
		require.NoError(t, err)
		require.Empty(t, response.Since, "a version within a page")
	}
	require.Greater(t, differences, 10)
}
