package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// InTx returns a store that works inside a transaction of the host application. Its
// own tables and those of the service then change together or not at all:
//
//	tx, err := db.BeginTx(ctx, nil)
//	...
//	_, err = guard.With(sqlite.InTx(tx)).SetStatus(ctx, content, status, origin)
//
// The store neither commits nor rolls back, and Close does nothing. An error of a
// domain package, such as dispute.ErrExists, leaves the transaction unchanged. Any
// other error may leave a part of the call behind, so the transaction must be rolled
// back. Like the transaction, the store must not be used by several goroutines at
// once.
//
// The transaction should be immediate; most drivers make it so with
// _txlock=immediate. A deferred transaction that reads before it writes fails with
// [ErrDeferred] if another one writes at the same time, whatever the busy timeout.
func InTx(tx *sql.Tx) storage.Store {
	return sqlstore.New(hostTx{tx}, dialect())
}

// hostTx implements sqlstore.Engine on a transaction of the host application.
type hostTx struct{ tx *sql.Tx }

// Read implements sqlstore.Engine.
func (h hostTx) Read(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return failure(ctx, operation.Name, step(ctx, &conn{on: h.tx}))
}

// ReadOnce implements sqlstore.Engine.
func (h hostTx) ReadOnce(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return h.Read(ctx, operation, step)
}

// Write implements sqlstore.Engine.
func (h hostTx) Write(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	err := step(ctx, &conn{on: h.tx, short: true})
	if errors.Is(meaningOf(err), ErrBusy) {
		err = fmt.Errorf("%w: %w", ErrDeferred, err)
	}
	return failure(ctx, operation.Name, err)
}

// Close implements sqlstore.Engine.
func (h hostTx) Close() error { return nil }
