//go:build cgo

package sqlite_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/internal/test/plantest"
	"github.com/apguard/apguard/storage/sqlite"
)

// fillOld gives 20 entries an end and 1,000 assets a change, all in 1970.
func fillOld(t *testing.T, store *sqlite.Store) {
	t.Helper()
	writer, _ := sqlite.Pools(store)
	_, err := writer.ExecContext(t.Context(), `UPDATE apguard_allowlist SET expires_at = asset_id WHERE asset_id % 100 = 7`)
	require.NoError(t, err)
	_, err = writer.ExecContext(t.Context(), `INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT id, type, 0, 1, id, 4, 0, '' FROM apguard_assets WHERE id > 1000`)
	require.NoError(t, err)
}

// recorder is an engine that records the statements of its writes.
type recorder struct {
	sqlstore.Engine
	statements []plantest.Statement
}

// Write implements sqlstore.Engine.
func (r *recorder) Write(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return r.Engine.Write(ctx, operation, func(ctx context.Context, on sqlstore.Conn) error {
		return step(ctx, recordingConn{on, r})
	})
}

func (r *recorder) record(statement string, args []any) {
	r.statements = append(r.statements, plantest.Statement{SQL: statement, Args: args})
}

type recordingConn struct {
	sqlstore.Conn
	recorder *recorder
}

// Exec implements sqlstore.Conn.
func (c recordingConn) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	c.recorder.record(statement, args)
	return c.Conn.Exec(ctx, statement, args...)
}

// Queue implements sqlstore.Conn.
func (c recordingConn) Queue(ctx context.Context, statement string, args ...any) error {
	c.recorder.record(statement, args)
	return c.Conn.Queue(ctx, statement, args...)
}

// Query implements sqlstore.Conn.
func (c recordingConn) Query(ctx context.Context, query string, args ...any) (sqlstore.Rows, error) {
	c.recorder.record(query, args)
	return c.Conn.Query(ctx, query, args...)
}

// No statement of a call that removes something scans a table, whatever the call does with the
// rows that it finds.
func testRemovalPlans(t *testing.T, stores map[string]*sqlite.Store) {
	t.Helper()
	for name, removal := range plantest.Removals(1) {
		for kind, store := range stores {
			t.Run(name+", "+kind, func(t *testing.T) {
				writer, reader := sqlite.Pools(store)
				tx, err := writer.BeginTx(t.Context(), nil)
				require.NoError(t, err)
				recorder := &recorder{Engine: sqlite.HostTx(tx)}
				err = removal.Call(t.Context(), sqlstore.New(recorder, sqlite.Dialect()))
				require.NoError(t, errors.Join(err, tx.Rollback()))
				removal.RequireChanges(t, recorder.statements)
				scanned := strings.NewReplacer("SCAN json_each ", "", "SCAN "+removal.Scans+" ", "") // the first is a list of IDs
				for _, statement := range recorder.statements {
					require.NotContains(t, scanned.Replace(explain(t, reader, statement)), "SCAN ", statement.SQL)
				}
			})
		}
	}
}
