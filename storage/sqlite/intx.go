package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// InTx returns a store whose calls are parts of a transaction that the host has
// begun on the same database, so that its own tables and those of the service
// change together or not at all:
//
//	tx, err := db.BeginTx(ctx, nil)
//	...
//	_, err = guard.With(sqlite.InTx(tx)).SetStatus(ctx, content, status, origin)
//
// The transaction stays the host's: the store neither commits nor rolls back, and
// Close does nothing. A refusal that the contract names, such as
// dispute.ErrExists, leaves the transaction as it was. After any other error a
// part of the call may have been done, so the transaction must be rolled back.
// Like the transaction, the store is for one goroutine at a time.
//
// The transaction should be an immediate one, which it is with the setting
// _txlock=immediate of most drivers. A deferred one that has read before it
// writes fails with [ErrDeferred] when somebody else writes at the same time, at
// once and whatever the busy timeout is.
func InTx(tx *sql.Tx) storage.Store {
	return sqlstore.New(hostTx{tx}, dialect())
}

// hostTx runs steps in the transaction of the host.
type hostTx struct{ tx *sql.Tx }

// Read implements sqlstore.Engine.
func (h hostTx) Read(ctx context.Context, operation string, step sqlstore.Step) error {
	return failure(ctx, operation, step(ctx, &conn{on: h.tx}))
}

// ReadOnce implements sqlstore.Engine.
func (h hostTx) ReadOnce(ctx context.Context, operation string, step sqlstore.Step) error {
	return h.Read(ctx, operation, step)
}

// Write implements sqlstore.Engine.
func (h hostTx) Write(ctx context.Context, operation string, step sqlstore.Step) error {
	err := step(ctx, &conn{on: h.tx, writes: true})
	if errors.Is(meaningOf(err), ErrBusy) {
		err = fmt.Errorf("%w: %w", ErrDeferred, err)
	}
	return failure(ctx, operation, err)
}

// Close implements sqlstore.Engine.
func (h hostTx) Close() error { return nil }
