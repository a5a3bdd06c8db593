package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"

	"github.com/jackc/pgx/v5"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// InSQLTx is [InTx] for a transaction of database/sql:
//
//	tx, err := db.BeginTx(ctx, nil)
//	...
//	_, err = guard.With(postgres.InSQLTx(tx)).SetStatus(ctx, content, status, origin)
//
// The driver of db must be github.com/jackc/pgx/v5/stdlib, or wrap it and pass arguments of
// all types to it. With another driver, every call fails with [ErrDriver] and changes nothing. After the end of the
// transaction, the error is sql.ErrTxDone.
func InSQLTx(tx *sql.Tx) storage.Store {
	return newInTx(func(ctx context.Context, step sqlstore.Step) error {
		call := &sqlCall{step: step}
		_, err := tx.ExecContext(ctx, "-- apguard", call)
		if !call.done {
			return cmp.Or(err, ErrDriver)
		}
		return cmp.Or(call.err, err)
	})
}

// sqlCall is the argument of an empty statement, as *sql.Tx has no method Raw. It implements
// pgx.QueryRewriter, which pgx calls with its connection before it sends the statement. The step
// runs in that call, while database/sql keeps the connection from other calls and from the end of
// the transaction.
type sqlCall struct {
	step sqlstore.Step
	done bool
	err  error
}

// RewriteQuery implements pgx.QueryRewriter. It leaves the error to InSQLTx: that of a
// statement reaches the tracer of the host application.
func (c *sqlCall) RewriteQuery(ctx context.Context, on *pgx.Conn, statement string, _ []any) (string, []any, error) {
	c.done, c.err = true, runOn(ctx, on, c.step)
	return statement, nil, nil
}

// Value implements driver.Valuer. Other drivers call it.
func (*sqlCall) Value() (driver.Value, error) { return nil, ErrDriver }
