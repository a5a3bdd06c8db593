package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const (
	// defaultCommitTimeout bounds the wait for the answer to a COMMIT.
	defaultCommitTimeout = 30 * time.Second
	// rollbackTimeout bounds a rollback. Then the connection is closed, and the server
	// rolls back by itself.
	rollbackTimeout = 5 * time.Second
)

// engine implements sqlstore.Engine on a pool of connections.
type engine struct {
	pool          *pgxpool.Pool
	slots         sqlstore.Slots
	maxRetries    int
	commitTimeout time.Duration
	// owned makes Close close the pool.
	owned   bool
	running sqlstore.Shutdown
}

func newEngine(pool *pgxpool.Pool, opts Options, owned bool) *engine {
	size := int(pool.Config().MaxConns)
	return &engine{
		pool:          pool,
		slots:         sqlstore.NewSlots(size, max(size/2-1, 1)),
		maxRetries:    opts.MaxRetries,
		commitTimeout: defaultCommitTimeout,
		owned:         owned,
	}
}

// Close waits for running steps and closes the pool if the engine owns it.
func (e *engine) Close() error {
	e.running.Close()
	if e.owned {
		e.pool.Close()
	}
	return nil
}

// run runs a step on a connection unless the engine is closed. It waits for a slot. It
// retries after a conflict or a lost connection.
func (e *engine) run(ctx context.Context, operation sqlstore.Operation, step func(on *pgx.Conn) error) error {
	return failure(ctx, operation.Name, e.running.Run(func() error {
		return e.slots.Run(ctx, operation.Kind, func() error {
			return retry(ctx, e.maxRetries, func() error { return e.runOnce(ctx, step) })
		})
	}))
}

// runOnce runs a step on a connection of the pool. The error matches errLost if the
// connection was lost before COMMIT was sent.
func (e *engine) runOnce(ctx context.Context, step func(on *pgx.Conn) error) error {
	connection, err := e.pool.Acquire(ctx)
	if err != nil {
		return connectionError(err)
	}
	defer connection.Release()
	on := connection.Conn()
	err = step(on)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil || errors.Is(err, ErrOutcomeUnknown) {
		// A late cancel request could cancel the next call on the connection.
		closeNow(ctx, on)
		return err
	}
	if on.IsClosed() {
		return fmt.Errorf("%w: %w", errLost, err)
	}
	return err
}

// closeNow closes a connection, even if ctx has ended.
func closeNow(ctx context.Context, on *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
	defer cancel()
	_ = on.Close(ctx)
}

// Read implements sqlstore.Engine.
func (e *engine) Read(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return e.run(ctx, operation, func(on *pgx.Conn) error {
		return step(ctx, &conn{on: on})
	})
}

// ReadOnce implements sqlstore.Engine.
func (e *engine) ReadOnce(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return e.run(ctx, operation, func(on *pgx.Conn) error {
		defer rollBack(ctx, on)
		return step(ctx, begin(on, "begin isolation level repeatable read read only"))
	})
}

// Write implements sqlstore.Engine.
func (e *engine) Write(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return e.run(ctx, operation, func(on *pgx.Conn) error {
		defer rollBack(ctx, on)
		c := begin(on, "begin isolation level read committed read write")
		err := step(ctx, c)
		if err == nil {
			err = e.commit(ctx, on, c)
		}
		if codeOf(err) == codeNotSupported && !inTransaction(on) { // the server is a standby
			return fmt.Errorf("%w: %w", ErrReadOnly, err)
		}
		return err
	})
}

// begin returns a connection that begins a transaction with the first statement.
func begin(on *pgx.Conn, statement string) *conn {
	c := &conn{on: on}
	first := &pgx.QueuedQuery{SQL: statement}
	first.Exec(func(pgconn.CommandTag) error {
		c.begun = true
		return nil
	})
	c.waiting = append(c.waiting, first)
	return c
}

func inTransaction(on *pgx.Conn) bool { return on.PgConn().TxStatus() != 'I' }

// rollBack rolls the transaction back unless it has ended or never begun, even if ctx has
// ended.
func rollBack(ctx context.Context, on *pgx.Conn) {
	if !inTransaction(on) {
		return
	}
	short, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
	defer cancel()
	if _, err := on.Exec(short, "rollback"); err != nil {
		closeNow(ctx, on)
	}
}

// commit commits a transaction unless ctx has ended. Once COMMIT is sent, it waits for
// the answer even if ctx ends. Waiting statements are sent with COMMIT. If BEGIN is one of them
// and the server has only answered that it ended the connection, it has read none of them.
//
// pgconn.SafeToRetry cannot decide whether the transaction was committed: it also returns
// true for a connection that was lost during that wait.
//
// If the wait is canceled while the server waits for its standbys, the server answers that
// it has committed, although perhaps no standby has the transaction.
func (e *engine) commit(ctx context.Context, on *pgx.Conn, c *conn) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if on.IsClosed() {
		return pgconn.ErrConnClosed
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.commitTimeout)
	defer cancel()
	tag, err := c.exec(ctx, "commit")
	if err == nil && tag.String() == "ROLLBACK" {
		err = pgx.ErrTxCommitRollback
	}
	if isRefusal(err) || !c.begun && codeOf(err) == codeAdminShutdown {
		return err
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%w: %s", ErrOutcomeUnknown, err.Error())
	}
	return nil
}

// isRefusal reports whether the server has answered that it did not commit. It returns false
// for an error that closes the connection, because the server may have committed before.
func isRefusal(err error) bool {
	var failed *pgconn.PgError
	if errors.As(err, &failed) {
		return failed.SeverityUnlocalized == "ERROR" && failed.Code != codeCompletionUnknown
	}
	return errors.Is(err, pgx.ErrTxCommitRollback)
}
