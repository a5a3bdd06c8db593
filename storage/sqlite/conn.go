package sqlite

import (
	"context"
	"database/sql"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// conn implements sqlstore.Conn with any driver of database/sql.
type conn struct {
	on runner
	// writes says that the step writes. Its statements are short and are not
	// interrupted, which would undo the whole transaction: the end of the context
	// ends the step between two of them. It also saves the driver much of its work.
	writes bool
	// rows is how many rows have been written.
	rows int64
}

// runner is a pool of connections, one of them, or a transaction.
type runner interface {
	ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	PrepareContext(ctx context.Context, statement string) (*sql.Stmt, error)
}

// uninterrupted returns the context for a statement, or the error of one that has
// ended.
func (c *conn) uninterrupted(ctx context.Context) (context.Context, error) {
	if !c.writes {
		return ctx, nil
	}
	return context.WithoutCancel(ctx), ctx.Err()
}

// run runs a statement that returns nothing.
func (c *conn) run(ctx context.Context, statement string, args []any) (sql.Result, error) {
	ctx, err := c.uninterrupted(ctx)
	if err != nil {
		return nil, err
	}
	return c.on.ExecContext(ctx, statement, args...)
}

// Exec implements sqlstore.Conn.
func (c *conn) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	result, err := c.run(ctx, statement, args)
	if err != nil {
		return 0, err
	}
	return c.count(result)
}

// Insert implements sqlstore.Conn.
func (c *conn) Insert(ctx context.Context, statement string, args ...any) (int64, error) {
	result, err := c.run(ctx, statement, args)
	if err != nil {
		return 0, err
	}
	return c.newID(result)
}

// newID returns the identifier of the row that an INSERT has written, or 0. After
// one that did nothing, LastInsertId is that of an earlier row.
func (c *conn) newID(result sql.Result) (int64, error) {
	if rows, err := c.count(result); err != nil || rows == 0 {
		return 0, err
	}
	return result.LastInsertId()
}

// count notes how many rows a statement has written.
func (c *conn) count(result sql.Result) (int64, error) {
	rows, err := result.RowsAffected()
	c.rows += rows
	return rows, err
}

// Query implements sqlstore.Conn.
func (c *conn) Query(ctx context.Context, query string, args ...any) (sqlstore.Rows, error) {
	ctx, err := c.uninterrupted(ctx)
	if err != nil {
		return nil, err
	}
	return c.on.QueryContext(ctx, query, args...) //nolint:rowserrcheck // whoever reads the rows asks
}

// Serialize implements sqlstore.Conn. One transaction writes at a time anyway.
func (c *conn) Serialize(context.Context, string) error { return nil }

// ReserveIDs implements sqlstore.Conn. AUTOINCREMENT does so by itself.
func (c *conn) ReserveIDs(context.Context, string) error { return nil }

// AssignFeedPositions implements sqlstore.Conn. Every change has its identifier.
func (c *conn) AssignFeedPositions(context.Context, int) (bool, error) { return false, nil }
