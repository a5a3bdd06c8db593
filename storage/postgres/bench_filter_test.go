package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/benchtest"
)

// BenchmarkChangesFilter measures [benchtest.ChangesFilter] on 5,000,000 changes and on 1,000,000.
func BenchmarkChangesFilter(b *testing.B) {
	benchtest.ChangesFilter(b, func(size int) asset.Store { return open(b, filledChangelog(b, size)) })
}

// filledChangelog returns a database with the changes that [benchtest.ChangesFilter] describes.
func filledChangelog(tb testing.TB, size int) string {
	tb.Helper()
	dsn := newDatabase(tb)
	require.NoError(tb, open(tb, dsn).Close())
	on := connect(tb, dsn)
	for _, statement := range []string{
		`INSERT INTO apguard_assets (id, type, identity_hash, canonical, status)
			SELECT i / 5 + 1, CASE WHEN i * 100 / $1 = 0 THEN 46 WHEN i % 500 < 5 THEN 1 WHEN i % 1000 < 500 THEN 0 ELSE 30 END,
				sha256(i::TEXT::BYTEA), 'https://host-' || i || '.example', 1
			FROM generate_series(0::BIGINT, $1::BIGINT - 1, 5) AS n (i)`,
		`INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
			SELECT nextval('apguard_changes_id_seq'), a.id, a.type, CASE WHEN i % 100 = 3 THEN 1 ELSE 0 END,
				CASE WHEN i % 100 = 3 THEN 0 WHEN i * 100 / $1 = 0 THEN 2 ELSE 1 END,
				1600000000000 + i * 1000, 0, 0, ''
			FROM generate_series(0::BIGINT, $1::BIGINT - 1) AS n (i) JOIN apguard_assets a ON a.id = i / 5 + 1
			ORDER BY i`,
	} {
		_, err := on.Exec(tb.Context(), statement, size)
		require.NoError(tb, err)
	}
	_, err := on.Exec(tb.Context(), "VACUUM ANALYZE")
	require.NoError(tb, err)
	return dsn
}
