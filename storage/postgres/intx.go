package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// InTx returns a store whose calls are parts of a transaction that the host has
// begun on the same database, so that its own tables and those of the service
// change together or not at all:
//
//	tx, err := pool.Begin(ctx)
//	...
//	_, err = guard.With(postgres.InTx(tx)).SetStatus(ctx, content, status, origin)
//
// The transaction stays the host's: the store neither commits nor rolls back, and
// Close does nothing. A refusal that the contract names, such as
// dispute.ErrExists, leaves the transaction as it was. After any other error a
// part of the call may have been done, so the transaction must be rolled back.
// Like the transaction, the store is for one goroutine at a time.
//
// No call is repeated. When the server ends a transaction in favor of another
// one, the error is [ErrSerialization]: roll back and begin the whole transaction
// again. That happens with READ COMMITTED only when two transactions wait for each
// other, and with the higher levels of isolation whenever somebody else writes the
// same rows.
//
// PutOrganization, PutGroup and Import make others of their kind wait until the
// host's transaction ends, even when they were refused: they keep a row of
// apguard_locks. From REPEATABLE READ on, one that had to wait ends with
// [ErrSerialization], and Import cannot see what others have stored since the
// transaction began, so that it may fill a store that is no longer empty.
//
// Since and Feed, when they find changes that nobody has followed yet, keep a row of
// apguard_locks too: other followers who find such changes wait until the host's
// transaction ends, and nobody else does. In a transaction that only reads, they then
// end with [ErrReadOnly], even when there were some changes to tell of. A transaction from
// REPEATABLE READ on does not see what was followed since it began: cursors that were
// given later are ahead of it.
//
// What a call reads and then writes stays as it was read at any level. A call that
// reads with several statements sees the database at one moment only from
// REPEATABLE READ on.
func InTx(tx pgx.Tx) storage.Store {
	return sqlstore.New(hostTx{tx}, dialect())
}

// hostTx runs steps in the transaction of the host.
type hostTx struct{ tx pgx.Tx }

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
	return h.Read(ctx, operation, step)
}

// Close implements sqlstore.Engine.
func (h hostTx) Close() error { return nil }
