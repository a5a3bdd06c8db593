package limit_test

import (
	"context"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/httpapi/limit"
)

// waitingLookUps starts look-ups that may have to wait.
type waitingLookUps struct {
	load  *limit.Load
	group sync.WaitGroup
	mu    sync.Mutex
	begun []string
}

// begin begins a look-up and records its name when its turn comes.
func (l *waitingLookUps) begin(ctx context.Context, name, client string, refused bool) {
	l.group.Go(func() {
		if l.load.BeginLookUp(ctx, netip.MustParseAddr(client), refused) != nil {
			name += " refused"
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.begun = append(l.begun, name)
	})
	synctest.Wait()
}

func (l *waitingLookUps) end(client string) {
	l.load.EndLookUp(netip.MustParseAddr(client))
	synctest.Wait()
}

func TestLoad_BeginLookUp_order(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &waitingLookUps{load: limit.NewLoad(limit.Maxima{Requests: 4, RequestsPerCaller: 2})}
		ctx := t.Context()
		l.begin(ctx, "1", "2001:db8::1", false)
		l.begin(ctx, "2", "2001:db8::2", false)
		l.begin(ctx, "3", "2001:db8::3", false)
		l.begin(ctx, "4", "2001:db8::1", false)
		require.Equal(t, []string{"1", "2"}, l.begun, "the others of this network wait")
		l.begin(ctx, "another network", "2001:db8:0:1::1", false)
		l.begin(ctx, "another client", "192.0.2.1", false)
		l.begin(ctx, "one more", "192.0.2.2", false)
		require.Equal(t, []string{"1", "2", "another network", "another client", "one more refused"}, l.begun, "the server-wide limit")
		l.end("192.0.2.1")
		require.Len(t, l.begun, 5, "those that wait are not of this client")
		l.begun = nil
		l.end("2001:db8::9")
		l.end("2001:db8::9")
		require.ElementsMatch(t, []string{"3", "4"}, l.begun)
		l.group.Wait()
	})
}

func TestLoad_BeginLookUp_refusedClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &waitingLookUps{load: limit.NewLoad(limit.Maxima{Requests: 3, RequestsPerCaller: 2})}
		gone, leave := context.WithCancel(t.Context())
		const client = "192.0.2.1"
		l.begin(t.Context(), "1", client, true)
		l.begin(gone, "2", client, true)
		l.begin(t.Context(), "3", client, true)
		l.begin(t.Context(), "4", client, false)
		require.Equal(t, []string{"1"}, l.begun, "one by one")
		l.begin(t.Context(), "5", client, true)
		require.Equal(t, []string{"1", "5 refused"}, l.begun, "as many wait as requests are allowed")
		leave()
		synctest.Wait()
		require.Equal(t, []string{"1", "5 refused", "2 refused"}, l.begun, "the context has ended")
		l.end(client)
		require.ElementsMatch(t, []string{"1", "5 refused", "2 refused", "3", "4"}, l.begun)
		l.end(client)
		l.end(client)
		l.begin(t.Context(), "6", client, true)
		require.Equal(t, "6", l.begun[5])
		l.group.Wait()
	})
}

// Limits of zero allow nothing, and nothing waits for what never comes.
func TestLoad_BeginLookUp_zero(t *testing.T) {
	t.Parallel()
	for _, maxima := range []limit.Maxima{{}, {Requests: 1}, {RequestsPerCaller: 1}} {
		require.Equal(t, beyondAll(limit.PolicyRequests), limit.NewLoad(maxima).BeginLookUp(t.Context(), netip.Addr{}, false))
	}
}

// The look-ups that run never exceed a limit, and each that waits gets its turn.
func TestLoad_BeginLookUp_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		all, each := rapid.Int64Range(1, 8).Draw(rt, "all"), rapid.Int64Range(1, 4).Draw(rt, "each")
		clients := rapid.SliceOfN(rapid.SampledFrom([]string{"192.0.2.1", "192.0.2.2", "192.0.2.3"}), 1, 40).Draw(rt, "clients")
		refused := rapid.SliceOfN(rapid.Bool(), len(clients), len(clients)).Draw(rt, "refused")
		load := limit.NewLoad(limit.Maxima{Requests: all, RequestsPerCaller: each})
		var (
			group   sync.WaitGroup
			mu      sync.Mutex
			running = make(map[string]int64)
			total   int64
			most    = make(map[string]int64)
			mostAll int64
		)
		count := func(client string, n int64) {
			mu.Lock()
			defer mu.Unlock()
			running[client] += n
			total += n
			most[client], mostAll = max(most[client], running[client]), max(mostAll, total)
		}
		for i, client := range clients {
			group.Go(func() {
				addr := netip.MustParseAddr(client)
				if load.BeginLookUp(context.Background(), addr, refused[i]) != nil {
					return
				}
				count(client, 1)
				count(client, -1)
				load.EndLookUp(addr)
			})
		}
		group.Wait()
		require.LessOrEqual(rt, mostAll, all)
		for _, n := range most {
			require.LessOrEqual(rt, n, each)
		}
		for range all { // nothing is left behind
			require.NoError(rt, load.BeginLookUp(context.Background(), netip.AddrFrom4([4]byte{10, byte(total)}), false))
			total++
		}
	})
}
