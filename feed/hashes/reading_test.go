package hashes_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/storage/memory"
)

// While clients read many responses, others share the whole lists that were made last, and miss few
// changes.
func TestOrigin_Since_reading(t *testing.T) {
	t.Parallel()
	store := memory.New()
	o := newOrigin(store, hashes.Options{})
	hosts := 0
	block := func(n int) {
		setHosts(t, store, hosts, n, asset.StatusBlocked)
		hosts += n
		refresh(t, o)
	}
	block(4000)
	first := since(t, o, "")
	end := o.Read()
	block(hashes.FewChanges)
	shared := since(t, o, "")
	require.Equal(t, first.Version, shared.Version)
	require.Same(t, &first.Data[0], &shared.Data[0])
	require.Greater(t, shared.Age, time.Duration(0))

	client := hashlist.New(time.Hour)
	require.NoError(t, client.Refresh(t.Context(), fetchFrom(o)))
	require.Equal(t, 4000, client.State().Blocked)
	require.NoError(t, client.Refresh(t.Context(), fetchFrom(o)), "few changes are a difference")
	require.Equal(t, hosts, client.State().Blocked)

	block(1)
	second := since(t, o, "")
	require.NotEqual(t, first.Version, second.Version, "it misses too many changes")
	require.Same(t, &second.Data[0], &since(t, o, first.Version).Data[0], "instead of a long difference")
	require.NoError(t, client.Refresh(t.Context(), fetchFrom(o)))
	newer := client.State().Version
	block(hashes.FewChanges)
	require.Equal(t, second.Version, since(t, o, "").Version)
	require.Equal(t, newer, since(t, o, newer).Since)
	require.NoError(t, client.Refresh(t.Context(), fetchFrom(o)))
	require.Equal(t, hosts, client.State().Blocked)

	end()
	require.NotEmpty(t, since(t, o, first.Version).Since)
	runtime.KeepAlive(first)
}

// Clients get no older lists than those that they have.
func TestOrigin_Since_readingAlmostAll(t *testing.T) {
	t.Parallel()
	store := memory.New()
	o := newOrigin(store, hashes.Options{})
	client := hashlist.New(time.Hour)
	defer o.Read()()
	for _, hosts := range []int{10, 15} {
		setHosts(t, store, 0, hosts, asset.StatusBlocked)
		refresh(t, o)
		require.NoError(t, client.Refresh(t.Context(), fetchFrom(o)))
		require.Equal(t, hosts, client.State().Blocked)
	}
	setHosts(t, store, 0, 14, asset.StatusUnknown)
	refresh(t, o)
	require.NoError(t, client.Refresh(t.Context(), fetchFrom(o)), "the difference is larger than the lists")
	require.Equal(t, 1, client.State().Blocked)
}

// Responses count as long as somebody has them.
func TestOrigin_Since_counted(t *testing.T) {
	t.Parallel()
	store := memory.New()
	o := newOrigin(store, hashes.Options{})
	setHosts(t, store, 0, 5000, asset.StatusBlocked)
	refresh(t, o)
	whole := since(t, o, "")
	require.Equal(t, int64(len(whole.Data)), o.Reading())
	require.Equal(t, int64(len(since(t, o, "").Data)), o.Reading(), "it is shared")
	setHosts(t, store, 5000, 10, asset.StatusBlocked)
	refresh(t, o)
	difference := since(t, o, whole.Version)
	again := since(t, o, "")
	require.Equal(t, int64(len(whole.Data)+len(difference.Data)+len(again.Data)), o.Reading())
	setHosts(t, store, 5010, 10, asset.StatusBlocked)
	refresh(t, o)
	last := since(t, o, "")
	runtime.KeepAlive(whole)
	runtime.KeepAlive(difference)
	runtime.KeepAlive(again)
	for end := time.Now().Add(10 * time.Second); o.Reading() > int64(len(last.Data)) && time.Now().Before(end); {
		runtime.GC() // cleanups run some time after it
		runtime.Gosched()
	}
	require.Equal(t, int64(len(last.Data)), o.Reading())
}
