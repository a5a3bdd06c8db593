package hashes_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/internal/hashwire"
	"github.com/apguard/apguard/internal/test/contentstest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// set sets the status of a content.
func set(t *testing.T, store storage.Store, content string, status asset.Status) {
	t.Helper()
	_, err := apguard.New(store, apguard.Options{}).SetStatus(t.Context(), content, status, asset.Origin{})
	require.NoError(t, err)
}

// setHosts sets the status of hosts with the numbers.
func setHosts(tb testing.TB, store storage.Store, first, n int, status asset.Status) {
	tb.Helper()
	for n > 0 {
		items := make([]asset.StatusItem, min(n, asset.MaxItems))
		for i := range items {
			items[i] = asset.StatusItem{Identity: asset.Identity{Type: asset.TypePage, Canonical: fmt.Sprintf("host%d.example", first+i)}, Status: status}
		}
		_, err := asset.NewService(store, asset.Options{}).SetStatuses(tb.Context(), asset.SetStatusesRequest{Items: items})
		require.NoError(tb, err)
		first, n = first+len(items), n-len(items)
	}
}

func since(t *testing.T, o filled, version string) hashes.Response {
	t.Helper()
	response, err := o.Since(version)
	require.NoError(t, err)
	return response
}

// decode returns the lists of a response.
func decode(t *testing.T, response hashes.Response) []hashwire.HashList {
	t.Helper()
	lists, err := hashwire.Decode(response.Data)
	require.NoError(t, err)
	require.Len(t, lists, 2)
	require.Equal(t, "blocked", lists[0].Name)
	require.Equal(t, "allowed", lists[1].Name)
	for _, list := range lists {
		require.Equal(t, response.Since != "", list.Partial)
	}
	return lists
}

func TestOrigin_Since_notFilled(t *testing.T) {
	t.Parallel()
	_, err := hashes.New(hashes.Options{}).Since("")
	require.ErrorIs(t, err, hashes.ErrNotFilled)
	require.ErrorIs(t, err, asset.ErrUnavailable)
}

// Lists with no, one and many entries.
func TestOrigin_Since_sizes(t *testing.T) {
	t.Parallel()
	store := memory.New()
	o := newOrigin(store, hashes.Options{MinimumWait: 90 * time.Second})
	client := hashlist.New(time.Hour)
	for _, hosts := range []int{0, 1, 2, 5000} {
		setHosts(t, store, 0, hosts, asset.StatusBlocked)
		refresh(t, o)
		lists := decode(t, since(t, o, ""))
		require.Equal(t, hosts, lists[0].Additions.Len())
		require.Zero(t, lists[1].Additions.Len())
		require.Equal(t, 90*time.Second, lists[0].MinimumWait)
		require.NoError(t, client.Refresh(t.Context(), fetchFrom(o)))
		require.Equal(t, hosts, client.State().Blocked)
		require.Equal(t, 90*time.Second, client.State().MinimumWait)
	}
}

// What an Origin does not know is answered with whole lists.
func TestOrigin_Since_whole(t *testing.T) {
	t.Parallel()
	store, other := memory.New(), memory.New()
	setHosts(t, store, 0, 20, asset.StatusBlocked)
	setHosts(t, other, 0, 30, asset.StatusBlocked)
	o, foreign := newOrigin(store, hashes.Options{History: 9}), newOrigin(other, hashes.Options{})
	refresh(t, o)
	refresh(t, foreign)
	version := since(t, o, "").Version
	future, err := asset.ParseFeedCursor(version)
	require.NoError(t, err)
	require.Equal(t, version, since(t, o, version).Since, "nothing has changed")
	for reason, unknown := range map[string]string{
		"none":                      "",
		"not a version":             "x",
		"a damaged one":             version[:len(version)-1] + "_",
		"with padding":              version + "=",
		"of another store":          since(t, foreign, "").Version,
		"of a store that went back": asset.Feed{Store: future.Store()}.Cursor(21).String(),
		"older than the history":    asset.Feed{Store: future.Store()}.Cursor(10).String(),
	} {
		response := since(t, o, unknown)
		require.Empty(t, response.Since, reason)
		require.Equal(t, version, response.Version, reason)
		require.Equal(t, 20, decode(t, response)[0].Additions.Len(), reason)
	}
	oldest := asset.Feed{Store: future.Store()}.Cursor(11).String()
	require.Equal(t, 9, decode(t, since(t, o, oldest))[0].Additions.Len(), "the history reaches just so far")
	setHosts(t, store, 20, 1, asset.StatusAllowed)
	refresh(t, o)
	require.Empty(t, since(t, o, oldest).Since, "the history does not grow")
	require.Equal(t, version, since(t, o, version).Since)
}

// A version is valid on every server with the store, and after a restart.
func TestOrigin_Since_restart(t *testing.T) {
	t.Parallel()
	for name, open := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := open(t)
			setHosts(t, store, 0, 100, asset.StatusBlocked)
			before := newOrigin(store, hashes.Options{})
			refresh(t, before)
			version := since(t, before, "").Version
			setHosts(t, store, 50, 3, asset.StatusAllowed)
			after := newOrigin(store, hashes.Options{})
			refresh(t, before)
			refresh(t, after)
			lists := decode(t, since(t, after, version))
			require.Equal(t, 3, lists[0].Removals.Len())
			require.Equal(t, 3, lists[1].Additions.Len())
			require.Equal(t, since(t, before, version).Data, since(t, after, version).Data)
			require.Equal(t, since(t, before, "").Data, since(t, after, "").Data)
			require.Equal(t, since(t, before, "").Version, since(t, after, "").Version)
		})
	}
}

// A change of the basis of a status alone changes no list and takes no room in the history.
func TestOrigin_Since_basisAlone(t *testing.T) {
	t.Parallel()
	store := memory.New()
	setHosts(t, store, 0, 10, asset.StatusBlocked)
	o := newOrigin(store, hashes.Options{History: 1})
	refresh(t, o)
	first := since(t, o, "").Version
	setHosts(t, store, 10, 1, asset.StatusBlocked)
	refresh(t, o)
	second := since(t, o, "")
	for _, reason := range []asset.Reason{asset.ReasonScam, asset.ReasonPhishing} {
		_, err := asset.NewService(store, asset.Options{}).SetStatus(t.Context(), asset.SetStatusRequest{
			Identity: asset.Identity{Type: asset.TypePage, Canonical: "host3.example"}, Status: asset.StatusBlocked, Reason: reason,
		})
		require.NoError(t, err)
	}
	refresh(t, o)
	for version, added := range map[string]int{first: 1, second.Version: 0} {
		lists := decode(t, since(t, o, version))
		require.True(t, lists[0].Partial)
		require.Equal(t, added, lists[0].Additions.Len())
		require.Zero(t, lists[0].Removals.Len())
		require.Equal(t, decode(t, second)[0].Checksum, lists[0].Checksum)
	}
}

// Where the difference would be longer than the lists, these are sent.
func TestOrigin_Since_longDifference(t *testing.T) {
	t.Parallel()
	store := memory.New()
	setHosts(t, store, 0, 10, asset.StatusBlocked)
	o := newOrigin(store, hashes.Options{})
	refresh(t, o)
	version := since(t, o, "").Version
	setHosts(t, store, 0, 5, asset.StatusUnknown)
	refresh(t, o)
	require.Equal(t, version, since(t, o, version).Since)
	setHosts(t, store, 5, 1, asset.StatusUnknown)
	refresh(t, o)
	require.Empty(t, since(t, o, version).Since)
}

// Clients with the same version share a response, so that each costs nothing.
func TestOrigin_Since_shared(t *testing.T) {
	t.Parallel()
	store := memory.New()
	setHosts(t, store, 0, 10, asset.StatusBlocked)
	o := newOrigin(store, hashes.Options{})
	refresh(t, o)
	version := since(t, o, "").Version
	setHosts(t, store, 10, 1, asset.StatusBlocked)
	refresh(t, o)
	for _, version := range []string{"", version} {
		first, second := since(t, o, version), since(t, o, version)
		require.Same(t, &first.Data[0], &second.Data[0])
	}
}

// Two assets that somebody has chosen can have the same hash. It is in a list as long as one of them has
// the status.
func TestOrigin_Since_collision(t *testing.T) {
	t.Parallel()
	const first, second = "https://good.example/b0c8d8b6664e67d2", "https://good.example/d82f70664f0f3fe4"
	store := memory.New()
	o := newOrigin(store, hashes.Options{})
	client := hashlist.New(time.Hour)
	for step, change := range []struct {
		content          string
		status           asset.Status
		blocked, allowed int
		want             asset.Status
	}{
		{"https://other.example", asset.StatusBlocked, 1, 0, asset.StatusUnknown},
		{"https://another.example", asset.StatusBlocked, 2, 0, asset.StatusUnknown},
		{first, asset.StatusBlocked, 3, 0, asset.StatusBlocked},
		{second, asset.StatusBlocked, 3, 0, asset.StatusBlocked},
		{first, asset.StatusUnknown, 3, 0, asset.StatusBlocked},
		{first, asset.StatusAllowed, 3, 1, asset.StatusBlocked},
		{second, asset.StatusAllowed, 2, 1, asset.StatusAllowed},
		{second, asset.StatusUnknown, 2, 1, asset.StatusAllowed},
		{first, asset.StatusUnknown, 2, 0, asset.StatusUnknown},
	} {
		set(t, store, change.content, change.status)
		refresh(t, o)
		response := since(t, o, client.State().Version)
		require.NoError(t, client.Update(hashlist.Response{Data: response.Data, AsOf: time.Now(), Rules: classify.Version}), step)
		require.Equal(t, since(t, o, "").Data, contentsOf(t, client), step)
		state := client.State()
		require.Equal(t, [2]int{change.blocked, change.allowed}, [2]int{state.Blocked, state.Allowed}, step)
		for _, content := range []string{first, second} {
			verdict, err := client.Check(t.Context(), content)
			require.NoError(t, err)
			require.Equal(t, change.want, verdict.Status, "%d: %s", step, content)
		}
		restarted := newOrigin(store, hashes.Options{})
		refresh(t, restarted)
		require.Equal(t, response.Data, since(t, restarted, response.Since).Data, step)
	}
}

// After each of 1,000 steps of random changes, a client that updates holds what a new one holds.
func TestOrigin_steps(t *testing.T) {
	t.Parallel()
	store := memory.New()
	guard := apguard.New(store, apguard.Options{})
	drawn := contentstest.New(30)
	identities := drawn.Identities(testsize.Of(100, 400, 4000))
	o := newOrigin(store, hashes.Options{})
	client := hashlist.New(time.Hour)
	differences := 0
	for range testsize.Of(50, 200, 1000) {
		items := make([]asset.StatusItem, 1+drawn.IntN(20))
		for i := range items {
			items[i] = asset.StatusItem{Identity: identities[drawn.IntN(len(identities))], Status: drawn.Status()}
		}
		_, err := guard.Assets.SetStatuses(t.Context(), asset.SetStatusesRequest{Items: items, ConfirmProtected: true})
		require.NoError(t, err)
		refresh(t, o)
		response := since(t, o, client.State().Version)
		require.NoError(t, client.Update(hashlist.Response{Data: response.Data, AsOf: time.Now(), Rules: classify.Version}))
		fresh := hashlist.New(time.Hour)
		require.NoError(t, fresh.Refresh(t.Context(), fetchFrom(o)))
		require.Equal(t, contentsOf(t, fresh), contentsOf(t, client))
		if response.Since != "" {
			differences++
		}
	}
	require.Greater(t, differences, testsize.Of(40, 180, 980))
}

// An asset that changes while it is listed, so that it is listed twice, has its new status.
func TestOrigin_Refresh_changedWhileListed(t *testing.T) {
	t.Parallel()
	store := &listed{Store: memory.New()}
	setHosts(t, store.Store, 0, 3, asset.StatusAllowed)
	store.afterAllowed = func() { setHosts(t, store.Store, 1, 1, asset.StatusBlocked) }
	o := newOrigin(store, hashes.Options{})
	refresh(t, o)
	for _, want := range []int{1, 0} {
		lists := decode(t, since(t, o, ""))
		require.Equal(t, want, lists[0].Additions.Len())
		require.Equal(t, 2, lists[1].Additions.Len())
		setHosts(t, store.Store, 1, 1, asset.StatusUnknown)
		refresh(t, o)
	}
}

// listed is a store that is changed after its ALLOWED assets were listed.
type listed struct {
	storage.Store
	afterAllowed func()
}

func (l *listed) Assets(ctx context.Context, req asset.ListRequest) (step.Page[asset.Listed], error) {
	page, err := l.Store.Assets(ctx, req)
	if req.Filter.Status == asset.StatusAllowed && !page.More {
		l.afterAllowed()
	}
	return page, err
}

// A host with 10,000 paths is no slower to check than others, and each of its paths is known.
func TestOrigin_paths(t *testing.T) {
	t.Parallel()
	store := memory.New()
	n := testsize.OfShort(100, 10_000)
	random := rand.New(rand.NewPCG(1, 2))
	contents := make([]string, n)
	guard := apguard.New(store, apguard.Options{})
	items := make([]asset.StatusItem, n)
	for i := range contents {
		contents[i] = fmt.Sprintf("https://host.example/%x", random.Uint64())
		items[i] = asset.StatusItem{Identity: asset.Identity{Type: asset.TypeURL, Canonical: contents[i]}, Status: asset.Statuses()[i%3]}
	}
	for len(items) > 0 {
		some := items[:min(len(items), asset.MaxItems)]
		_, err := guard.Assets.SetStatuses(t.Context(), asset.SetStatusesRequest{Items: some})
		require.NoError(t, err)
		items = items[len(some):]
	}
	o := newOrigin(store, hashes.Options{})
	refresh(t, o)
	client := hashlist.New(time.Hour)
	require.NoError(t, client.Refresh(t.Context(), fetchFrom(o)))
	for len(contents) > 0 {
		some := contents[:min(len(contents), 500)]
		requireAnswers(t, guard, client, some)
		contents = contents[len(some):]
	}
}
