package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Each message to the server is a round trip. A statement whose result the step does not
// need waits for the next one, so that both are one message.

// send sends the waiting statements and then the batch, in one message. It returns the
// results of the batch, which the caller closes. If a waiting statement failed, all results
// are its error.
func (c *conn) send(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	waiting := c.waiting
	c.waiting = nil
	results := c.on.SendBatch(ctx, &pgx.Batch{QueuedQueries: append(waiting, batch.QueuedQueries...)})
	for _, one := range waiting {
		if err := answer(one, results); err != nil {
			break
		}
	}
	return results
}

// answer reads the result of the next statement of a batch.
func answer(statement *pgx.QueuedQuery, results pgx.BatchResults) error {
	if statement.Fn != nil {
		return statement.Fn(results)
	}
	_, err := results.Exec()
	return err
}

// sendOne sends the waiting statements and another one.
func (c *conn) sendOne(ctx context.Context, statement string, args []any) pgx.BatchResults {
	batch := &pgx.Batch{}
	batch.Queue(statement, args...)
	return c.send(ctx, batch)
}

// exec runs a statement after the waiting ones.
func (c *conn) exec(ctx context.Context, statement string, args ...any) (pgconn.CommandTag, error) {
	if len(c.waiting) == 0 {
		return c.on.Exec(ctx, statement, args...)
	}
	results := c.sendOne(ctx, statement, args)
	tag, err := results.Exec()
	if closed := results.Close(); err == nil {
		err = closed
	}
	return tag, err
}

// query runs a query after the waiting statements. The caller closes the rows.
func (c *conn) query(ctx context.Context, query string, args ...any) (pgx.Rows, error) {
	if len(c.waiting) == 0 {
		return c.on.Query(ctx, query, args...)
	}
	results := c.sendOne(ctx, query, args)
	found, err := results.Query()
	if err != nil {
		_ = results.Close()
		return nil, err
	}
	return batchRows{found, results}, nil
}

// batchRows are the rows of the last statement of a batch.
type batchRows struct {
	pgx.Rows
	results pgx.BatchResults
}

// Close implements pgx.Rows.
func (r batchRows) Close() {
	r.Rows.Close()
	_ = r.results.Close() // a connection that fails now also fails the next statement
}
