//go:build cgo

package sqlite_test

import (
	"database/sql"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/sqlite"
)

// fillStep is the number of rows that one transaction inserts.
const fillStep = 100_000

// numbers begins a statement for filled. n (i) has the numbers of the rows.
const numbers = "WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2) "

// filled returns the path of a database in which the statements inserted rows, numbered from 0.
// Their arguments are the first and the last number of the step and the size. The indexes are
// created afterwards.
func filled(tb testing.TB, size int, statements ...string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "filled.db")
	store, err := sqlite.Open(tb.Context(), path, sqlite.Options{})
	require.NoError(tb, err)
	writer, _ := sqlite.Pools(store)
	indexes := dropIndexes(tb, writer)
	for first := 0; first < size; first += fillStep {
		tx, err := writer.BeginTx(tb.Context(), nil)
		require.NoError(tb, err)
		for _, statement := range statements {
			_, err := tx.ExecContext(tb.Context(), statement, first, min(size, first+fillStep)-1, size)
			require.NoError(tb, err)
		}
		require.NoError(tb, tx.Commit())
	}
	for _, statement := range []string{indexes, "PRAGMA wal_checkpoint(TRUNCATE)"} {
		_, err := writer.ExecContext(tb.Context(), statement)
		require.NoError(tb, err)
	}
	require.NoError(tb, store.Close())
	return path
}

// dropIndexes drops all indexes and returns the statements that create them.
func dropIndexes(tb testing.TB, db *sql.DB) string {
	tb.Helper()
	var drop, create string
	err := db.QueryRowContext(tb.Context(), `SELECT group_concat('DROP INDEX ' || name, ';'), group_concat(sql, ';')
		FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`).Scan(&drop, &create)
	require.NoError(tb, err)
	_, err = db.ExecContext(tb.Context(), drop)
	require.NoError(tb, err)
	return create
}

// copied returns the path of a copy of the file.
func copied(tb testing.TB, path string) string {
	tb.Helper()
	from, err := os.Open(path)
	require.NoError(tb, err)
	defer from.Close() //nolint:errcheck // it is only read
	to, err := os.Create(filepath.Join(tb.TempDir(), "copy.db"))
	require.NoError(tb, err)
	_, err = io.Copy(to, from)
	require.NoError(tb, err)
	require.NoError(tb, to.Sync())
	require.NoError(tb, to.Close())
	return to.Name()
}

// filledAllowlist returns a database with an allowlist of one organization.
func filledAllowlist(tb testing.TB, size int) string {
	tb.Helper()
	return filled(tb, size,
		numbers+`INSERT INTO apguard_assets (id, type, identity_hash, canonical, status)
			SELECT i + 1, 0, randomblob(24), 'https://host-' || i || '.example', 1 FROM n`,
		numbers+`INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
			SELECT i + 1, 0, 0, 1, 1600000000000 + i, 0, 0, '' FROM n`,
		numbers+`INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, name, description, added_at)
			SELECT 1, i + 1, NULL, 'An asset', '', 1600000000000 + i FROM n`)
}

// filledChangelog returns a database with the changes that [benchtest.ChangesFilter] describes.
func filledChangelog(tb testing.TB, size int) string {
	tb.Helper()
	return filled(tb, size,
		numbers+`INSERT INTO apguard_assets (id, type, identity_hash, canonical, status)
			SELECT i / 5 + 1, CASE WHEN i * 100 / ?3 = 0 THEN 46 WHEN i % 500 < 5 THEN 1 WHEN i % 1000 < 500 THEN 0 ELSE 30 END,
				randomblob(24), 'https://host-' || i || '.example', 1 FROM n WHERE i % 5 = 0`,
		numbers+`INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
			SELECT i / 5 + 1, (SELECT type FROM apguard_assets WHERE id = i / 5 + 1), CASE WHEN i % 100 = 3 THEN 1 ELSE 0 END,
				CASE WHEN i % 100 = 3 THEN 0 WHEN i * 100 / ?3 = 0 THEN 2 ELSE 1 END,
				1600000000000 + i * 1000, 0, 0, '' FROM n`)
}

// filledReports returns a database with reports of one organization, one for each second from
// benchtest.FirstRow, each with one proposal. One report in a hundred has a rare status, one a rare brand,
// and so on for the reporter, the review and the reviewer; these are spread evenly. The oldest
// fortieth has values of its own in all of these except the reporter.
func filledReports(tb testing.TB, size int) string {
	tb.Helper()
	return filled(tb, size,
		numbers+`INSERT INTO apguard_assets (id, type, identity_hash, canonical, status)
			SELECT i + 1, 0, randomblob(24), 'https://host-' || i || '.example', 1 FROM n`,
		`INSERT INTO apguard_users (id, full_name, full_name_fold, email, email_fold, email_key, automation, deactivated)
			SELECT u.column1, 'Ada', 'ADA', 'ada@acme.test', 'ADA@ACME.TEST', 'ada@acme.test', u.column1 = 1, FALSE FROM (VALUES (1), (2)) u
			WHERE ?1 = 0`,
		numbers+`INSERT INTO apguard_reports (id, organization_id, title, title_fold, description, description_fold,
				status, brand_id, reporter_id, created_at, updated_at)
			SELECT i + 1, 1, 'Report ' || i, upper('Report ' || i), 'It asks for a seed phrase.', upper('It asks for a seed phrase.'),
				CASE WHEN i % 100 = 1 THEN 'IN_PROGRESS' WHEN i * 40 / ?3 = 0 THEN 'TODO' ELSE 'CLOSED' END,
				CASE WHEN i % 100 = 2 THEN 2 WHEN i * 40 / ?3 = 0 THEN 3 ELSE 1 END,
				CASE WHEN i % 100 = 3 THEN 2 ELSE 1 END,
				1600000000000 + i * 1000, 1600000000000 + i * 1000 FROM n`,
		numbers+`INSERT INTO apguard_proposals (report_id, asset_id, content, canonical_fold, proposed_status,
				review_id, review_status, reviewed_by, reviewed_at)
			SELECT i + 1, i + 1, '', upper('https://host-' || i || '.example'), 'BLOCKED', 0,
				CASE WHEN i % 100 = 4 THEN 'REJECT' WHEN i % 100 = 5 THEN 'SKIP' WHEN i * 40 / ?3 = 0 THEN 'ESCALATE' ELSE 'APPROVE' END,
				CASE WHEN i % 100 = 6 THEN 2 WHEN i * 40 / ?3 = 0 THEN 3 ELSE 1 END, 1600000000000 + i * 1000 FROM n`)
}
