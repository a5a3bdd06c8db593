package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// finishTimeout bounds a rollback, for example. Then the connection is closed, and the server rolls
// back by itself.
const finishTimeout = 5 * time.Second

// slowStep is the duration from which on a step may have had outdated plans.
const slowStep = 100 * time.Millisecond

// engine implements sqlstore.Engine on a pool of connections.
type engine struct {
	pool          atomic.Pointer[pgxpool.Pool]
	slots         sqlstore.Slots
	maxRetries    int
	commitTimeout time.Duration
	slowStep      time.Duration
	watch         *watch
	// wantsPrimary reports whether new connections lead to a server that can be written.
	wantsPrimary bool
	// takesAny reports whether new connections may lead to such a server.
	takesAny bool
	readOnly bool
	// server, unless nil, is that of all connections.
	server *oneServer
	// owned makes Close close the pool.
	owned   bool
	running sqlstore.Shutdown
}

func newEngine(ctx context.Context, pool *pgxpool.Pool, opts Options, owned bool) *engine {
	config := pool.Config()
	size := int(config.MaxConns)
	shared := max(size-1, 1) // one is for publication
	e := &engine{
		slots:         sqlstore.NewSlots(shared, max(size/2-1, 1)),
		maxRetries:    opts.MaxRetries,
		commitTimeout: defaultCommitTimeout,
		slowStep:      slowStep,
		wantsPrimary:  wantsPrimary(config.ConnConfig),
		takesAny:      config.ConnConfig.ValidateConnect == nil,
		readOnly:      opts.ReadOnly,
		owned:         owned,
	}
	e.pool.Store(pool)
	e.watch = newWatch(ctx, config, e.wantsPrimary, e.renewPool)
	return e
}

// keep makes all connections lead to one server. It is called before the first step.
func (e *engine) keep(ctx context.Context, server *oneServer) {
	config := e.pool.Load().Config()
	config.ConnConfig.DialFunc = server.dial
	e.server, server.renew = server, e.renewPool
	e.watch = newWatch(ctx, config, true, e.renewPool)
}

// renewPool closes the connections of the pool, or if the engine owns it, begins another pool: pgx
// keeps the place of a connection that it closes for up to 15 seconds if the server does not answer.
func (e *engine) renewPool() {
	if e.server != nil {
		e.server.current.Store(nil)
	}
	old := e.pool.Load()
	if e.owned {
		if pool, err := pgxpool.NewWithConfig(context.Background(), old.Config()); err == nil {
			e.pool.Store(pool)
			go old.Close()
			return
		}
	}
	old.Reset()
}

// Close waits for running steps and closes the pool if the engine owns it. The connection of a late
// commit is closed after its answer, for which Close does not wait.
func (e *engine) Close() error {
	e.running.Close()
	e.watch.close()
	if e.owned {
		e.pool.Load().Close()
	}
	return nil
}

// run runs a step on a connection unless the engine is closed. It waits for a slot. It
// retries after a conflict or a lost connection.
func (e *engine) run(ctx context.Context, operation sqlstore.Operation, step func(ctx context.Context, on *pgx.Conn) error) (err error) {
	defer func() { err = failure(ctx, operation.Name, err) }()
	end, err := e.running.Begin()
	if err != nil {
		return err
	}
	defer end()
	leave, err := e.slots.Enter(ctx, operation.Kind)
	if err != nil {
		return err
	}
	defer func() { e.whenFree(ctx, err, leave) }()
	refused := false
	return retry(ctx, e.maxRetries, func() error {
		err := e.runOnce(ctx, step)
		if errors.Is(err, ErrReadOnly) && e.takesAny && !refused {
			// A new connection may lead to the primary. If it does not, others will not either.
			refused = true
			return fmt.Errorf("%w: %w", errLost, err)
		}
		return err
	})
}

// runOnce runs a step on a connection of the pool. The error matches errLost if the connection
// was lost before COMMIT was sent, or leads to a server that is no longer the primary.
func (e *engine) runOnce(ctx context.Context, step func(ctx context.Context, on *pgx.Conn) error) error {
	ctx, attempt := e.watch.begin(ctx, "")
	defer e.watch.end(ctx, attempt)
	pool := e.pool.Load()
	connection, err := pool.Acquire(ctx)
	if errors.Is(err, errSkipped) { // the other servers accept no connection
		connection, err = pool.Acquire(skip(ctx, ""))
	}
	switch {
	case err == nil:
	case isReplaced(ctx), pool != e.pool.Load():
		return fmt.Errorf("%w: %w", errLost, errReplaced)
	default:
		if e.server != nil && ctx.Err() == nil {
			e.server.leave()
		}
		return connectionError(err)
	}
	defer connection.Release()
	on, begin := connection.Conn(), time.Now()
	e.watch.use(attempt, serverOf(on.PgConn()))
	err = step(ctx, on)
	switch {
	case err == nil && ctx.Err() != nil:
		// A late cancel request could cancel the next call on the connection.
		closeNow(ctx, on)
		return nil
	case err == nil:
		if time.Since(begin) >= e.slowStep {
			// The server keeps plans from when the tables were small, which scan them, until it gathers
			// statistics.
			finish(ctx, on, "discard plans")
		}
		return nil
	case isLate(err), isReplaced(ctx):
		return abandon(ctx, connection, err)
	case ctx.Err() != nil, errors.Is(err, asset.ErrOutcomeUnknown):
		closeNow(ctx, on)
		return err
	case on.IsClosed():
		return fmt.Errorf("%w: %w", errLost, err)
	case errors.Is(err, ErrReadOnly) && (e.wantsPrimary || e.takesAny):
		closeNow(ctx, on)
		pool.Reset() // the other connections lead to the same server
		if e.wantsPrimary {
			return fmt.Errorf("%w: %w", errLost, err)
		}
	}
	return err
}

// abandon takes a connection out of the pool, which would wait for the server to close it. A late
// commit keeps it until its answer. The step failed with err; abandon returns the error of runOnce.
func abandon(ctx context.Context, connection *pgxpool.Conn, err error) error {
	on := connection.Hijack()
	var late *lateCommitError
	if errors.As(err, &late) {
		go func() {
			<-late.answered
			closeNow(ctx, on)
		}()
	} else {
		closeNow(ctx, on)
	}
	switch {
	case !isReplaced(ctx):
		return err
	case errors.Is(err, asset.ErrOutcomeUnknown):
		return fmt.Errorf("%w: %w", asset.ErrOutcomeUnknown, errReplaced)
	default:
		return fmt.Errorf("%w: %w", errLost, errReplaced)
	}
}

// closeNow closes a connection, even if ctx has ended.
func closeNow(ctx context.Context, on *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTimeout)
	defer cancel()
	_ = on.Close(ctx)
}

// Read implements sqlstore.Engine.
func (e *engine) Read(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return e.run(ctx, operation, func(ctx context.Context, on *pgx.Conn) error {
		return step(ctx, &conn{on: on})
	})
}

// ReadOnce implements sqlstore.Engine.
func (e *engine) ReadOnce(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return e.run(ctx, operation, func(ctx context.Context, on *pgx.Conn) error {
		defer rollBack(ctx, on)
		return step(ctx, begin(on, "begin isolation level repeatable read read only"))
	})
}

// Write implements sqlstore.Engine.
func (e *engine) Write(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	if e.readOnly {
		return failure(ctx, operation.Name, asset.ErrReadOnly)
	}
	return e.run(ctx, operation, func(ctx context.Context, on *pgx.Conn) (err error) {
		defer func() {
			if !isLate(err) {
				rollBack(ctx, on)
			}
		}()
		c := begin(on, "begin isolation level read committed read write")
		if err = step(ctx, c); err == nil {
			err = e.commit(ctx, on, c)
		}
		if isReadOnly(err, on) {
			return fmt.Errorf("%w: %w", ErrReadOnly, err)
		}
		return err
	})
}

// isReadOnly reports whether the server has refused a write because it is a standby or only reads.
func isReadOnly(err error, on *pgx.Conn) bool {
	switch codeOf(err) {
	case codeReadOnlyTransaction:
		return true
	case codeNotSupported: // the answer of a standby to BEGIN
		return !inTransaction(on)
	default:
		return false
	}
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

// rollBack rolls the transaction back unless it has ended or never begun.
func rollBack(ctx context.Context, on *pgx.Conn) {
	if inTransaction(on) {
		finish(ctx, on, "rollback")
	}
}

// finish runs a statement after a step, even if ctx had ended before, unless the server was replaced.
// If the statement may not have run, or a cancel request may be late, it closes the connection.
func finish(ctx context.Context, on *pgx.Conn, statement string) {
	if ctx.Err() != nil && !isReplaced(ctx) {
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, finishTimeout)
	defer cancel()
	if _, err := on.Exec(ctx, statement); err != nil || ctx.Err() != nil {
		closeNow(ctx, on)
	}
}
