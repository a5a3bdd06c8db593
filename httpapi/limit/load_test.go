package limit_test

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi/limit"
)

// beyondCaller and beyondAll return the errors beyond the two limits of a policy.
func beyondCaller(policy string, quota int64) error {
	return &limit.Error{Policy: policy, Quota: quota}
}

func beyondAll(policy string) error {
	return &limit.Error{Policy: policy, Status: http.StatusServiceUnavailable}
}

// request returns a request of a caller. Organization 0 means none.
func request(caller string, organization int64, costly bool) limit.Request {
	return limit.Request{Caller: caller, Principal: account.Principal{OrganizationID: organization}, Costly: costly}
}

func TestLoad_Enter(t *testing.T) {
	t.Parallel()
	load := limit.NewLoad(limit.Maxima{Requests: 5, RequestsPerCaller: 3, Costly: 3, CostlyPerCaller: 2})
	require.NoError(t, load.Enter(request("a", 0, true)))
	require.NoError(t, load.Enter(request("a", 0, true)))
	require.Equal(t, beyondCaller(limit.PolicyCostly, 2), load.Enter(request("a", 0, true)))
	require.NoError(t, load.Enter(request("a", 0, false)), "the refused one holds no place")
	require.Equal(t, beyondCaller(limit.PolicyRequests, 3), load.Enter(request("a", 0, false)))
	require.NoError(t, load.Enter(request("b", 0, true)))
	require.Equal(t, beyondAll(limit.PolicyCostly), load.Enter(request("b", 0, true)))
	require.NoError(t, load.Enter(request("b", 0, false)))
	require.Equal(t, beyondAll(limit.PolicyRequests), load.Enter(request("b", 0, false)))
	load.Leave(request("a", 0, true))
	require.NoError(t, load.Enter(request("c", 0, true)))
}

func TestLoad_Enter_organization(t *testing.T) {
	t.Parallel()
	load := limit.NewLoad(limit.Maxima{Requests: 20, RequestsPerCaller: 4, Costly: 10, CostlyPerCaller: 2, CostlyPerOrganization: 3})
	require.NoError(t, load.Enter(request("a", 1, true)))
	require.NoError(t, load.Enter(request("a", 1, true)))
	require.Equal(t, beyondCaller(limit.PolicyCostly, 2), load.Enter(request("a", 1, true)))
	require.NoError(t, load.Enter(request("b", 1, true)))
	for range 5 {
		require.Equal(t, beyondCaller(limit.PolicyCostlyOrganization, 3), load.Enter(request("b", 1, true)), "another key helps nothing")
	}
	require.NoError(t, load.Enter(request("b", 1, false)), "the limit is for costly requests")
	require.NoError(t, load.Enter(request("c", 2, true)), "another organization")
	for _, caller := range []string{"d", "e", "f", "g"} {
		require.NoError(t, load.Enter(request(caller, 0, true)), "no organization")
	}
	load.Leave(request("a", 1, true))
	require.NoError(t, load.Enter(request("b", 1, true)), "the refused ones hold no place")
}

// The requests in flight never exceed a limit, and none is refused below them.
func TestLoad_Enter_law(t *testing.T) {
	t.Parallel()
	organizations := map[string]int64{"a": 1, "b": 1, "c": 0}
	rapid.Check(t, func(t *rapid.T) {
		small := rapid.Int64Range(0, 4)
		maxima := limit.Maxima{
			Requests: small.Draw(t, "all"), RequestsPerCaller: small.Draw(t, "each"),
			Costly: small.Draw(t, "costly"), CostlyPerCaller: small.Draw(t, "costly of each"),
			CostlyPerOrganization: small.Draw(t, "costly of an organization"),
		}
		load := limit.NewLoad(maxima)
		var inFlight []limit.Request
		count := func(of func(limit.Request) bool) int64 {
			var n int64
			for _, r := range inFlight {
				if of(r) {
					n++
				}
			}
			return n
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			if len(inFlight) > 0 && rapid.Bool().Draw(t, "leave") {
				i := rapid.IntRange(0, len(inFlight)-1).Draw(t, "which")
				load.Leave(inFlight[i])
				inFlight = append(inFlight[:i], inFlight[i+1:]...)
				continue
			}
			caller := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "caller")
			r := request(caller, organizations[caller], rapid.Bool().Draw(t, "is costly"))
			ofCaller := func(o limit.Request) bool { return o.Caller == r.Caller }
			ofOrganization := func(o limit.Request) bool { return organizations[o.Caller] == organizations[r.Caller] }
			fits := count(func(limit.Request) bool { return true }) < maxima.Requests && count(ofCaller) < maxima.RequestsPerCaller
			if r.Costly {
				fits = fits && count(func(o limit.Request) bool { return o.Costly }) < maxima.Costly &&
					count(func(o limit.Request) bool { return o.Costly && ofCaller(o) }) < maxima.CostlyPerCaller &&
					(organizations[caller] == 0 ||
						count(func(o limit.Request) bool { return o.Costly && ofOrganization(o) }) < maxima.CostlyPerOrganization)
			}
			err := load.Enter(r)
			require.Equal(t, fits, err == nil)
			if fits {
				inFlight = append(inFlight, r)
			}
		}
	})
}

// The clock of the test moves only while all goroutines wait.
func TestLoad_Delay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		load := limit.NewLoad(limit.Maxima{Requests: 3, RequestsPerCaller: 2})
		gone, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, leave)
		addr := netip.MustParseAddr
		require.Equal(t, time.Millisecond, load.Delay(gone, addr("192.0.2.1"), time.Second), "the client disconnects")
		require.Zero(t, load.Delay(t.Context(), addr("192.0.2.1"), -1), "no delay")
		for range 2 { // the second time, those of the first time do not count
			var waiting sync.WaitGroup
			for _, c := range []struct {
				reason, client string
				want           time.Duration
			}{
				{"the first one", "2001:db8::1", time.Second},
				{"at the per-caller limit", "2001:db8::2", time.Second},
				{"beyond the per-caller limit", "2001:db8::3", 0},
				{"at the other limit", "192.0.2.1", time.Second},
				{"beyond the other limit", "192.0.2.2", 0},
			} {
				waiting.Go(func() {
					if took := load.Delay(t.Context(), addr(c.client), time.Second); took != c.want {
						t.Errorf("%s: %s, want %s", c.reason, took, c.want)
					}
				})
				synctest.Wait()
			}
			waiting.Wait()
		}
	})
}

func TestLoad_BeginDrain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		load := limit.NewLoad(limit.Maxima{Requests: 3, RequestsPerCaller: 2})
		addr := netip.MustParseAddr
		require.NoError(t, load.BeginDrain(addr("2001:db8::1")))
		require.Equal(t, time.Second, load.Delay(t.Context(), addr("2001:db8::2"), time.Second))
		require.NoError(t, load.BeginDrain(addr("2001:db8::2")))
		require.Equal(t, beyondCaller(limit.PolicyRequests, 2), load.BeginDrain(addr("2001:db8::3")), "the same network")
		require.Zero(t, load.Delay(t.Context(), addr("2001:db8::3"), time.Second), "those that are delayed have the same limit")
		require.NoError(t, load.BeginDrain(addr("192.0.2.1")))
		require.Equal(t, beyondAll(limit.PolicyRequests), load.BeginDrain(addr("192.0.2.2")))
		load.EndDrain(addr("2001:db8::9"))
		require.NoError(t, load.BeginDrain(addr("192.0.2.2")))
	})
}
