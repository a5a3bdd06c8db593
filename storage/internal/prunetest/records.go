// Package prunetest tests that stores delete old records of idempotency keys.
package prunetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/fixtures"
)

// TestRecords stores records and requires that each new one deletes a few old ones. It gets
// a new store, and a function that counts its records.
func TestRecords(t *testing.T, store storage.Store, count func() int) {
	t.Helper()
	stored := 0
	add := func(after time.Duration) {
		stored++
		cmd := fixtures.ClaimedCommand(fixtures.Claim(fmt.Sprint("key ", stored), ""), fmt.Sprint("asset-", stored))
		cmd.Claim.At = cmd.Claim.At.Add(after)
		_, err := store.AddToAllowlist(t.Context(), cmd)
		require.NoError(t, err)
	}
	const old = 3*idempotency.PruneLimit - 1
	for range old {
		add(0)
	}
	add(2 * idempotency.Lifetime)
	require.Equal(t, old+1, count(), "no record is old enough")
	for n := range 3 {
		add(2*idempotency.Lifetime + time.Millisecond)
		require.Equal(t, max(old-(n+1)*idempotency.PruneLimit, 0)+n+2, count(), "after %d more records", n+1)
	}
	add(3 * idempotency.Lifetime)
	require.Equal(t, 5, count(), "records that have not expired stay")
	add(5 * idempotency.Lifetime)
	require.Equal(t, 2, count(), "old records are deleted later")
}
