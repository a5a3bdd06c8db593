package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// engine implements sqlstore.Engine on pools of connections.
type engine struct {
	writer *writer
	reader *sql.DB
	// slots are those of reader.
	slots sqlstore.Slots
	// checkpoints is nil on a database of the host application.
	checkpoints *checkpoints
	// pools are closed by Close, in this order.
	pools []*sql.DB
	// file is not known on a database of the host application.
	file openFile

	running    sqlstore.Shutdown
	closing    sync.Once
	closingErr error
}

// Close waits for running steps and closes the pools.
func (e *engine) Close() error {
	e.running.Close()
	e.closing.Do(func() {
		e.writer.wait()
		e.checkpoints.wait()
		for _, pool := range e.pools {
			e.closingErr = errors.Join(e.closingErr, pool.Close())
		}
	})
	return e.closingErr
}

// during runs a function unless the engine is closed.
func (e *engine) during(ctx context.Context, operation sqlstore.Operation, run func() error) error {
	return failure(ctx, operation.Name, e.running.Run(run))
}

// reading is like during, for a step that reads. It waits for a slot.
func (e *engine) reading(ctx context.Context, operation sqlstore.Operation, run func() error) error {
	return e.during(ctx, operation, func() error { return e.slots.Run(ctx, operation.Kind, run) })
}

// Read implements sqlstore.Engine.
func (e *engine) Read(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return e.reading(ctx, operation, func() error {
		if operation.Kind != sqlstore.Short {
			return step(ctx, &conn{on: e.reader})
		}
		on, err := e.reader.Conn(ctx) // the wait for one ends with the context
		if err != nil {
			return err
		}
		defer on.Close() //nolint:errcheck // returns it to the pool
		return step(ctx, &conn{on: on, short: true})
	})
}

// ReadOnce implements sqlstore.Engine.
func (e *engine) ReadOnce(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return e.reading(ctx, operation, func() error {
		tx, err := beginOn(ctx, e.reader, "BEGIN DEFERRED")
		if err != nil {
			return err
		}
		defer tx.Close()   //nolint:errcheck // returns it to the pool
		defer rollBack(tx) //nolint:contextcheck // must also run after the context has ended
		return step(ctx, &conn{on: tx})
	})
}

// Write implements sqlstore.Engine.
func (e *engine) Write(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return e.during(ctx, operation, func() error {
		return e.writer.do(ctx, step)
	})
}
