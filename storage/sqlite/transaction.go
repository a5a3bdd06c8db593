package sqlite

import (
	"context"
	"database/sql"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// transaction is a transaction that writes. It prepares each statement once; the
// end of the transaction frees them.
type transaction struct {
	*sql.Tx
	prepared map[string]statement
}

// statement is a prepared statement.
type statement interface {
	ExecContext(ctx context.Context, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, args ...any) *sql.Row
}

func newTransaction(tx *sql.Tx) *transaction {
	return &transaction{Tx: tx, prepared: make(map[string]statement)}
}

// exec runs a statement whose result does not matter.
func (t *transaction) exec(ctx context.Context, text string, args ...any) error {
	_, err := t.run(ctx, text, args)
	return err
}

// insert runs an INSERT and returns the identifier of the new row. It is not for
// an INSERT that may find a conflict and do nothing.
func (t *transaction) insert(ctx context.Context, text string, args ...any) (int64, error) {
	result, err := t.run(ctx, text, args)
	if err != nil {
		return 0, err
	}
	return newID(result)
}

// insertNew runs an INSERT with "ON CONFLICT DO NOTHING" and returns the
// identifier of the new row, or 0 when there was a conflict.
func (t *transaction) insertNew(ctx context.Context, text string, args ...any) (int64, error) {
	result, err := t.run(ctx, text, args)
	if err != nil {
		return 0, err
	}
	if rows, err := result.RowsAffected(); err != nil || rows == 0 {
		return 0, err
	}
	return newID(result)
}

func newID(result sql.Result) (int64, error) {
	id, err := result.LastInsertId()
	if err != nil {
		return 0, err
	}
	return id, checkID(id)
}

// get runs a query for one row and scans it. It returns sql.ErrNoRows when there
// is none.
func (t *transaction) get(ctx context.Context, query string, args []any, dest ...any) error {
	prepared, err := t.prepare(ctx, query)
	if err != nil {
		return err
	}
	return prepared.QueryRowContext(ctx, args...).Scan(dest...)
}

func (t *transaction) run(ctx context.Context, text string, args []any) (sql.Result, error) {
	prepared, err := t.prepare(ctx, text)
	if err != nil {
		return nil, err
	}
	return prepared.ExecContext(ctx, args...)
}

func (t *transaction) prepare(ctx context.Context, text string) (statement, error) {
	if known, ok := t.prepared[text]; ok {
		return known, nil
	}
	prepared, err := t.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	t.prepared[text] = prepared
	return prepared, nil
}

// querier is what can be queried: a pool of connections or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// collect runs the query and returns what scan makes of its rows.
func collect[T any](ctx context.Context, on querier, query string, args []any, scan func(sqlstore.Row) (T, error)) ([]T, error) {
	rows, err := on.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err says what went wrong
	var all []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// collectBuilt is collect for a query that depends on a filter.
func collectBuilt[T any](ctx context.Context, on querier, built squirrel.SelectBuilder, scan func(sqlstore.Row) (T, error)) ([]T, error) {
	query, args, err := built.ToSql()
	if err != nil {
		return nil, err
	}
	return collect(ctx, on, query, args, scan)
}
