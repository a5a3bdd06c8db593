package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// conn implements sqlstore.Conn with any driver of database/sql.
type conn struct {
	on runner
	// short marks a step whose statements are short, as all that write are. They are never
	// interrupted, as that would roll back the transaction that other steps share, and as
	// database/sql and the driver are faster without a context to watch. The end of the
	// context ends the step between two statements.
	short bool
	// written is about how many bytes of rows were written, which is less than what the
	// write-ahead log takes.
	written int64
}

// rowBytes is about what a row takes without its texts, with its entries in indexes.
const rowBytes = 200

// runner is a pool of connections, a single connection or a transaction.
type runner interface {
	ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	PrepareContext(ctx context.Context, statement string) (*sql.Stmt, error)
}

// uninterrupted returns the context for a statement, or the error of a context that
// has ended.
func (c *conn) uninterrupted(ctx context.Context) (context.Context, error) {
	if !c.short {
		return ctx, nil
	}
	return context.WithoutCancel(ctx), ctx.Err()
}

// run runs a statement that returns no rows.
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
	return c.count(result, args)
}

// Queue implements sqlstore.Conn.
func (c *conn) Queue(ctx context.Context, statement string, args ...any) error {
	_, err := c.Exec(ctx, statement, args...)
	return err
}

// Insert implements sqlstore.Conn.
func (c *conn) Insert(ctx context.Context, statement string, args ...any) (int64, error) {
	result, err := c.run(ctx, statement, args)
	if err != nil {
		return 0, err
	}
	return c.newID(result, args)
}

// newID returns the identifier of the inserted row. It returns 0 if no row was
// inserted, as LastInsertId would return that of an earlier row.
func (c *conn) newID(result sql.Result, args []any) (int64, error) {
	if rows, err := c.count(result, args); err != nil || rows == 0 {
		return 0, err
	}
	return result.LastInsertId()
}

// count returns the number of rows that a statement with these arguments wrote, and counts
// the bytes.
func (c *conn) count(result sql.Result, args []any) (int64, error) {
	rows, err := result.RowsAffected()
	if rows == 0 {
		return 0, err
	}
	c.written += rows * rowBytes
	for _, arg := range args {
		c.written += textBytes(arg)
	}
	return rows, err
}

// textBytes returns the length of an argument that is a text, else 0.
func textBytes(arg any) int64 {
	switch text := arg.(type) {
	case string:
		return int64(len(text))
	case []byte:
		return int64(len(text))
	case *string:
		if text != nil {
			return int64(len(*text))
		}
	}
	return 0
}

// Query implements sqlstore.Conn.
func (c *conn) Query(ctx context.Context, query string, args ...any) (sqlstore.Rows, error) {
	ctx, err := c.uninterrupted(ctx)
	if err != nil {
		return nil, err
	}
	found, err := c.on.QueryContext(ctx, query, args...) //nolint:rowserrcheck // the reader of the rows checks it
	if err != nil {
		return nil, err
	}
	return rows{found}, nil
}

// rows scans integers without reflection, which is a tenth of the time of a long list.
type rows struct{ *sql.Rows }

// Scan implements sqlstore.Row. It may replace destinations by others of the same variables.
func (r rows) Scan(dest ...any) error {
	for i, to := range dest {
		if number, ok := to.(*int64); ok {
			dest[i] = (*integer)(number)
		}
	}
	return r.Rows.Scan(dest...)
}

type integer int64

// Scan implements sql.Scanner.
func (i *integer) Scan(value any) error {
	number, ok := value.(int64)
	if !ok {
		return fmt.Errorf("no integer: %T", value)
	}
	*i = integer(number)
	return nil
}

// Serialize implements sqlstore.Conn. SQLite has a single writer anyway.
func (c *conn) Serialize(context.Context, string) error { return nil }

// ReserveIDs implements sqlstore.Conn. AUTOINCREMENT does it.
func (c *conn) ReserveIDs(context.Context, string) error { return nil }

// AssignFeedPositions implements sqlstore.Conn. The identifier of a change is its
// position.
func (c *conn) AssignFeedPositions(context.Context, int) (bool, error) { return false, nil }

// PruneFeed implements sqlstore.Conn. The identifier of a change is its position in the feed.
func (c *conn) PruneFeed(ctx context.Context, ids []int64) error {
	_, err := c.Exec(ctx, `UPDATE apguard_store SET pruned_position = max(pruned_position, ?), prunings = prunings + 1`, slices.Max(ids))
	return err
}
