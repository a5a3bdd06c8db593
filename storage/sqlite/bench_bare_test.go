//go:build cgo

package sqlite_test

import (
	"database/sql/driver"
	"testing"

	"github.com/mattn/go-sqlite3"
	"github.com/stretchr/testify/require"
)

// Settings of a bare driver: those of the store, except that SQLite makes the checkpoints, and
// none except those for durability.
const (
	storeSettings = "PRAGMA cache_size = -32768; PRAGMA journal_size_limit = 67108864; PRAGMA wal_autocheckpoint = 16000"
	noSettings    = ""
)

// bareAt is the time in all rows of the bare driver.
const bareAt = int64(1_736_071_200_000)

// bareDriver is a connection of the driver without database/sql, with prepared statements.
type bareDriver struct {
	conn                  *sqlite3.SQLiteConn
	asset, changes, entry *sqlite3.SQLiteStmt
	dispute, note         *sqlite3.SQLiteStmt
}

func openBare(tb testing.TB, path, settings string) *bareDriver {
	tb.Helper()
	conn, err := new(sqlite3.SQLiteDriver).Open("file:" + path + "?_foreign_keys=1&_synchronous=FULL&_journal_mode=WAL")
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, conn.Close()) })
	prepare := func(statement string) *sqlite3.SQLiteStmt {
		prepared, err := conn.Prepare(statement)
		require.NoError(tb, err)
		tb.Cleanup(func() { require.NoError(tb, prepared.Close()) })
		return prepared.(*sqlite3.SQLiteStmt)
	}
	d := &bareDriver{
		conn: conn.(*sqlite3.SQLiteConn),
		asset: prepare(`INSERT INTO apguard_assets (type, identity_hash, canonical, status) VALUES (?, ?, ?, ?)
			ON CONFLICT (identity_hash) DO NOTHING`),
		changes: prepare(`INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
			SELECT id, type, 0, status, ?, 0, 0, '' FROM apguard_assets WHERE id BETWEEN ? AND ? ORDER BY id`),
		entry: prepare(`INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, name, description, added_at)
			VALUES (1, ?, NULL, 'An asset', '', ?)`),
		dispute: prepare(`INSERT INTO apguard_disputes (asset_id, content, email, email_key, description, state, assignee, created_at, updated_at)
			VALUES (?, ?, 'ada@acme.test', 'ada@acme.test', '', 'OPEN', 0, ?, 0)`),
		note: prepare(`INSERT INTO apguard_dispute_notes (dispute_id, position, kind, text, author, state, created_at) VALUES (?, 0, 'API', 'A note', 0, '', ?)`),
	}
	require.NoError(tb, d.run(settings))
	return d
}

// run runs statements that return no rows.
func (d *bareDriver) run(statements string) error {
	_, err := d.conn.Exec(statements, nil)
	return err
}

// insert runs a statement and returns the ID of the last row inserted.
func insert(statement *sqlite3.SQLiteStmt, args ...driver.Value) (int64, error) {
	result, err := statement.Exec(args)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// allow adds assets to an allowlist as fast as the driver can: one statement for
// each asset and each entry, and one for all changes.
func (d *bareDriver) allow(assets [][]driver.Value) error {
	if err := d.run("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	ids := make([]int64, len(assets))
	for i, one := range assets {
		var err error
		if ids[i], err = insert(d.asset, one...); err != nil {
			return err
		}
	}
	if _, err := insert(d.changes, bareAt, ids[0], ids[len(ids)-1]); err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := insert(d.entry, id, bareAt); err != nil {
			return err
		}
	}
	return d.run("COMMIT")
}

// disputes creates a dispute of a new asset.
func (d *bareDriver) disputes(one []driver.Value) error {
	if err := d.run("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	asset, err := insert(d.asset, one...)
	if err != nil {
		return err
	}
	dispute, err := insert(d.dispute, asset, one[2], bareAt)
	if err != nil {
		return err
	}
	if _, err := insert(d.note, dispute, bareAt); err != nil {
		return err
	}
	return d.run("COMMIT")
}
