package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// conn implements sqlstore.Conn.
type conn struct {
	on runner
	// waiting has the statements that are sent with the next one: the BEGIN of the
	// transaction, and those that were queued.
	waiting []*pgx.QueuedQuery
	// begun reports whether the server has answered BEGIN.
	begun bool
}

// runner is a connection or a transaction.
type runner interface {
	Exec(ctx context.Context, statement string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
	SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
}

// Exec implements sqlstore.Conn.
func (c *conn) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	tag, err := c.exec(ctx, statement, args...)
	return tag.RowsAffected(), err
}

// Queue implements sqlstore.Conn.
func (c *conn) Queue(_ context.Context, statement string, args ...any) error {
	c.waiting = append(c.waiting, &pgx.QueuedQuery{SQL: statement, Arguments: args})
	return nil
}

// Insert implements sqlstore.Conn.
func (c *conn) Insert(ctx context.Context, statement string, args ...any) (int64, error) {
	id, err := one[int64](ctx, c, statement+" RETURNING id", args...)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// one runs a statement that returns a single value.
func one[T any](ctx context.Context, c *conn, statement string, args ...any) (T, error) {
	rows, err := c.query(ctx, statement, args...)
	if err != nil {
		var none T
		return none, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
}

// Query implements sqlstore.Conn.
func (c *conn) Query(ctx context.Context, query string, args ...any) (sqlstore.Rows, error) {
	found, err := c.query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return rows{found}, nil
}

// rows implements sqlstore.Rows.
type rows struct{ pgx.Rows }

// Close implements sqlstore.Rows.
func (r rows) Close() error {
	r.Rows.Close()
	return nil
}

// Serialize implements sqlstore.Conn.
//
// It updates a row. With a lock alone, a transaction with an older snapshot would not fail
// and would continue with stale data.
func (c *conn) Serialize(ctx context.Context, name string) error {
	tag, err := c.exec(ctx, "UPDATE apguard_locks SET taken = taken + 1 WHERE name = $1", name)
	if err == nil && tag.RowsAffected() != 1 {
		return fmt.Errorf("unknown lock %q", name)
	}
	return err
}

// ReserveIDs implements sqlstore.Conn.
func (c *conn) ReserveIDs(ctx context.Context, table string) error {
	sequence := table + "_id_seq"
	_, err := c.exec(ctx, `SELECT setval('`+sequence+`', t.largest) FROM (SELECT max(id) AS largest FROM `+table+`) t
		WHERE t.largest >= (SELECT last_value FROM `+sequence+`)`)
	return err
}
