package memory_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/storage/internal/fixtures"
	"github.com/apguard/apguard/storage/memory"
)

func TestIdempotency_Prune(t *testing.T) {
	t.Parallel()
	const old, fresh = 40, 1000
	store := memory.New()
	create := func(n int, after time.Duration) {
		cmd := fixtures.ClaimedDispute(fixtures.Claim(fmt.Sprint("key ", n), ""), fmt.Sprint("asset-", n))
		cmd.Claim.At = cmd.Claim.At.Add(after)
		_, err := store.CreateDispute(t.Context(), cmd)
		require.NoError(t, err)
	}
	for n := range old {
		create(n, 0)
	}
	for n := range fresh {
		create(old+n, 2*idempotency.Lifetime)
	}
	require.Equal(t, old+fresh, memory.Records(store), "no record is old enough")
	for n := range fresh {
		create(old+fresh+n, 2*idempotency.Lifetime+time.Millisecond)
		require.GreaterOrEqual(t, memory.Records(store), old+fresh-(n+1)*(idempotency.PruneLimit-1), "few are deleted at once")
	}
	for n := range fresh {
		create(old+2*fresh+n, 2*idempotency.Lifetime+time.Millisecond)
	}
	require.Less(t, memory.Records(store), old+3*fresh, "old records are deleted")
	require.GreaterOrEqual(t, memory.Records(store), 3*fresh, "others stay")
}

func TestIdempotency_NoKey(t *testing.T) {
	t.Parallel()
	store := memory.New()
	_, err := store.AddToAllowlist(t.Context(), fixtures.AddCommand("a"))
	require.NoError(t, err)
	_, err = store.CreateDispute(t.Context(), dispute.CreateCommand{Identity: fixtures.Identity("a")})
	require.NoError(t, err)
	require.Zero(t, memory.Records(store))
}
