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

// defaultCommitTimeout is how long the server may take to answer that it has
// committed.
const defaultCommitTimeout = 30 * time.Second

// rollbackTimeout is how long the server may take to roll back before the
// connection is given up, which has the same effect.
const rollbackTimeout = 5 * time.Second

// engine runs the steps of a store on a pool of connections.
type engine struct {
	pool       *pgxpool.Pool
	maxRetries int
	// commitTimeout is how long the server may take to answer that it has committed.
	commitTimeout time.Duration
	// owned says that Close closes the pool.
	owned bool
	gate  sqlstore.Gate
}

// Close waits for steps under way and closes the pool if it is the engine's.
func (e *engine) Close() error {
	e.gate.Close()
	if e.owned {
		e.pool.Close()
	}
	return nil
}

// during runs something on a connection while the engine is not closed, again and
// again if it fails for a reason that may have gone by then.
func (e *engine) during(ctx context.Context, operation string, run func(on *pgx.Conn) error) error {
	return failure(ctx, operation, e.gate.Pass(func() error {
		return repeat(ctx, e.maxRetries, func() error { return e.connected(ctx, run) })
	}))
}

// connected runs something on a connection of the pool. The error is errLost when
// the connection was closed by that, unless it says more already.
func (e *engine) connected(ctx context.Context, run func(on *pgx.Conn) error) error {
	connection, err := e.pool.Acquire(ctx)
	if err != nil {
		return unreachable(err)
	}
	defer connection.Release()
	on := connection.Conn()
	err = run(on)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil || errors.Is(err, ErrOutcomeUnknown) {
		// What cancels a statement can come late, and hit another call's.
		closeNow(ctx, on)
		return err
	}
	if on.IsClosed() {
		return fmt.Errorf("%w: %w", errLost, err)
	}
	return err
}

// closeNow closes a connection, whether ctx has ended or not.
func closeNow(ctx context.Context, on *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
	defer cancel()
	_ = on.Close(ctx) // it is of no use any more
}

// unreachable returns ErrUnreachable with the text of why no connection was made.
// The error itself is left out: it can be that of a context that is not the
// caller's.
func unreachable(err error) error {
	return fmt.Errorf("%w: %s", ErrUnreachable, err.Error())
}

// Read implements sqlstore.Engine.
func (e *engine) Read(ctx context.Context, operation string, step sqlstore.Step) error {
	return e.during(ctx, operation, func(on *pgx.Conn) error {
		return step(ctx, &conn{on: on})
	})
}

// ReadOnce implements sqlstore.Engine.
func (e *engine) ReadOnce(ctx context.Context, operation string, step sqlstore.Step) error {
	return e.during(ctx, operation, func(on *pgx.Conn) error {
		tx, err := on.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
		if err != nil {
			return err
		}
		defer rollBack(ctx, tx)
		return step(ctx, &conn{on: tx})
	})
}

// Write implements sqlstore.Engine.
func (e *engine) Write(ctx context.Context, operation string, step sqlstore.Step) error {
	return e.during(ctx, operation, func(on *pgx.Conn) error {
		tx, err := on.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted, AccessMode: pgx.ReadWrite})
		if err != nil {
			return err
		}
		defer rollBack(ctx, tx)
		if err := step(ctx, &conn{on: tx}); err != nil {
			return err
		}
		return e.commit(ctx, tx)
	})
}

// rollBack ends a transaction if it has not ended, whether ctx has or not.
func rollBack(ctx context.Context, tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
	defer cancel()
	_ = tx.Rollback(ctx) // the connection is closed when this fails
}

// commit commits a transaction unless ctx has ended. Once the server has been
// told, its answer is waited for whatever becomes of ctx.
//
// pgconn.SafeToRetry cannot say whether the server has been told: it also says so
// of a connection that was lost while its answer was waited for.
//
// A server that is told to wait no longer for its standbys answers that it has
// committed, though none may have the transaction.
func (e *engine) commit(ctx context.Context, tx pgx.Tx) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if tx.Conn().IsClosed() {
		return pgconn.ErrConnClosed
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.commitTimeout)
	defer cancel()
	err := tx.Commit(ctx)
	if isRefusal(err) {
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

// isRefusal reports whether the server has answered that it did not commit. When
// it closes the connection in its answer, it may have committed.
func isRefusal(err error) bool {
	var failed *pgconn.PgError
	if errors.As(err, &failed) {
		return failed.SeverityUnlocalized == "ERROR" && failed.Code != codeCompletionUnknown
	}
	return errors.Is(err, pgx.ErrTxCommitRollback)
}
