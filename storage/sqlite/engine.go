package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// engine runs the steps of a store on pools of connections.
type engine struct {
	writer *writer
	reader *sql.DB
	// checkpoints is nil for a database that the host opened.
	checkpoints *checkpoints
	// pools are what Close closes, in this order.
	pools []*sql.DB

	gate       sqlstore.Gate
	closing    sync.Once
	closingErr error
}

// Close waits for steps under way and closes the pools.
func (e *engine) Close() error {
	e.gate.Close()
	e.closing.Do(func() {
		e.writer.wait()
		e.checkpoints.wait()
		for _, pool := range e.pools {
			e.closingErr = errors.Join(e.closingErr, pool.Close())
		}
	})
	return e.closingErr
}

// during runs something while the engine is not closed.
func (e *engine) during(ctx context.Context, operation string, run func() error) error {
	return failure(ctx, operation, e.gate.Pass(run))
}

// Read implements sqlstore.Engine.
func (e *engine) Read(ctx context.Context, operation string, step sqlstore.Step) error {
	return e.during(ctx, operation, func() error {
		return step(ctx, &conn{on: e.reader})
	})
}

// ReadOnce implements sqlstore.Engine.
func (e *engine) ReadOnce(ctx context.Context, operation string, step sqlstore.Step) error {
	return e.during(ctx, operation, func() error {
		tx, err := beginOn(ctx, e.reader, "BEGIN DEFERRED")
		if err != nil {
			return err
		}
		defer tx.Close()   //nolint:errcheck // it is given back, or broken
		defer rollBack(tx) //nolint:contextcheck // it must happen after the end of ctx too
		return step(ctx, &conn{on: tx})
	})
}

// Write implements sqlstore.Engine.
func (e *engine) Write(ctx context.Context, operation string, step sqlstore.Step) error {
	return e.during(ctx, operation, func() error {
		return e.writer.do(ctx, step)
	})
}
