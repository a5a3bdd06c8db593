//go:build cgo

package sqlite_test

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/sqlite"
)

// BenchmarkCheck measures [benchtest.Checks] on 1,000,000 assets.
func BenchmarkCheck(b *testing.B) {
	size := benchtest.Sized(1_000_000)
	path := filledSites(b, size)
	service := check.NewService(open(b, path), check.Options{})
	db, err := sql.Open("sqlite3", "file:"+path+"?_cache_size=-65536")
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, db.Close()) })
	lookup, err := db.PrepareContext(b.Context(), sqlstore.SelectAsset)
	require.NoError(b, err)
	benchtest.Checks(b, size, benchtest.CheckWays{
		Lookup: func(identity asset.Identity) {
			var id, status int64
			err := lookup.QueryRowContext(b.Context(), sqlstore.IdentityHash(identity)).Scan(&id, &status)
			require.ErrorIs(b, err, sql.ErrNoRows)
		},
		Single: func(content string) {
			_, err := service.Check(b.Context(), content)
			require.NoError(b, err)
		},
		Batch: func(contents []string) {
			_, err := service.CheckBatch(b.Context(), contents)
			require.NoError(b, err)
		},
	})
}

// filledSites returns a database with BLOCKED assets, those of [benchtest.Blocked].
func filledSites(b *testing.B, size int) string {
	b.Helper()
	path := filled(b, 0)
	store := open(b, path)
	writer, _ := sqlite.Pools(store)
	indexes := dropIndexes(b, writer)
	tx, err := writer.BeginTx(b.Context(), nil)
	require.NoError(b, err)
	insert, err := tx.PrepareContext(b.Context(), "INSERT INTO apguard_assets (type, identity_hash, canonical, status) VALUES (?, ?, ?, 2)")
	require.NoError(b, err)
	defer insert.Close() //nolint:errcheck // the transaction is committed
	for i := range size {
		identity := benchtest.Blocked(i, size)
		_, err := insert.ExecContext(b.Context(), sqlstore.TypeCode(identity.Type), sqlstore.IdentityHash(identity), identity.Canonical)
		require.NoError(b, err)
	}
	require.NoError(b, tx.Commit())
	for _, statement := range []string{indexes, "PRAGMA wal_checkpoint(TRUNCATE)"} {
		_, err := writer.ExecContext(b.Context(), statement)
		require.NoError(b, err)
	}
	require.NoError(b, store.Close())
	return path
}
