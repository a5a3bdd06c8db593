package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// BenchmarkCheck measures [benchtest.Checks] on 100,000 assets.
func BenchmarkCheck(b *testing.B) {
	size := benchtest.Sized(100_000)
	dsn := newDatabase(b)
	store := open(b, dsn)
	benchtest.Block(b, store, size)
	execute(b, dsn, "VACUUM ANALYZE")
	guard, on := apguard.New(store, apguard.Options{}), connect(b, dsn)
	benchtest.Checks(b, size, benchtest.CheckWays{
		Lookup: func(identity asset.Identity) {
			rows, err := on.Query(b.Context(), "SELECT id, status FROM apguard_assets WHERE identity_hash = $1", sqlstore.IdentityHash(identity))
			require.NoError(b, err)
			require.False(b, rows.Next())
			require.NoError(b, rows.Err())
		},
		Single: func(content string) {
			_, err := guard.Checks.Check(b.Context(), content)
			require.NoError(b, err)
		},
		Batch: func(contents []string) {
			_, err := guard.Checks.CheckBatch(b.Context(), contents)
			require.NoError(b, err)
		},
	})
}
