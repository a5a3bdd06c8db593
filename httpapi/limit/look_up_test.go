package limit_test

import (
	"context"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi/limit"
)

// The credentials of a client network are looked up one by one, in order, and those of others meanwhile.
func TestLoad_BeginLookUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		load := limit.NewLoad(limit.Maxima{})
		var (
			group sync.WaitGroup
			begun []string
			ends  = make(map[string]func())
		)
		begin := func(ctx context.Context, name, client string) {
			group.Go(func() {
				end, err := load.BeginLookUp(ctx, netip.MustParseAddr(client))
				if err != nil {
					require.Equal(t, beyondAll(limit.PolicyRequests), err)
					name += " refused"
				}
				begun, ends[name] = append(begun, name), end
			})
			synctest.Wait()
		}
		end := func(name string) {
			ends[name]()
			synctest.Wait()
		}
		gone, leave := context.WithCancel(t.Context())
		begin(t.Context(), "1", "2001:db8::1")
		begin(gone, "2", "2001:db8::2")
		begin(t.Context(), "3", "2001:db8::3")
		begin(t.Context(), "4", "2001:db8::1")
		begin(t.Context(), "another network", "2001:db8:0:1::1")
		require.Equal(t, []string{"1", "another network"}, begun)
		leave()
		synctest.Wait()
		end("1")
		require.Equal(t, []string{"1", "another network", "2 refused", "3"}, begun)
		end("3")
		end("4")
		end("another network")
		begin(t.Context(), "5", "2001:db8::9")
		require.Equal(t, []string{"1", "another network", "2 refused", "3", "4", "5"}, begun)
		end("5")
		group.Wait()
		require.Zero(t, limit.LookUps(load), "nothing is left")
	})
}
