package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// InTx returns a store that works inside a transaction of the host application. Its
// own tables and those of the service then change together or not at all:
//
//	tx, err := pool.Begin(ctx)
//	...
//	_, err = guard.With(postgres.InTx(tx)).SetStatus(ctx, content, status, origin)
//
// The store neither commits nor rolls back, and Close does nothing. An error of a
// domain package, such as dispute.ErrExists, leaves the transaction unchanged. Any
// other error may leave a part of the call behind, so the transaction must be rolled
// back. Like the transaction, the store must not be used by several goroutines at
// once.
//
// Calls are not retried. If the transaction conflicts with another one, the error is
// [ErrSerialization]: roll back and retry the whole transaction. With READ COMMITTED
// this happens only in a deadlock, with higher isolation levels whenever another
// transaction writes the same rows.
//
// Some calls hold a row of apguard_locks until the transaction ends, even if they were
// refused:
//
//   - PutOrganization, PutGroup and Import block other calls of the same kind. With
//     REPEATABLE READ or higher, a blocked call ends with [ErrSerialization], and Import
//     does not see what others stored since the transaction began.
//   - PublishChanges blocks the publications of all servers. Leave it to Guard.Run of package
//     apguard.
//
// With REPEATABLE READ or higher, newer cursors of the feed are ahead of the snapshot of the
// transaction.
//
// A call that reads rows and then writes them locks them at every isolation level. With
// REPEATABLE READ or higher, it still reads other rows as they were when the transaction
// began, and may decide by what others have replaced since. So use READ COMMITTED, unless
// a call that reads with several statements must see a single snapshot.
func InTx(tx pgx.Tx) storage.Store {
	return newInTx(func(ctx context.Context, step sqlstore.Step) error { return runOn(ctx, tx, step) })
}

func newInTx(run hostTx) storage.Store {
	d := dialect()
	d.ReusePlan = ""     // it would change the plans of the host application
	d.RenewPlan = ""     // as would this
	d.CommitLocally = "" // and this its durability
	return sqlstore.New(run, d)
}

// runOn runs a step and the statements that it has queued.
func runOn(ctx context.Context, on runner, step sqlstore.Step) error {
	c := &conn{on: on}
	if err := step(ctx, c); err != nil {
		return err
	}
	return c.send(ctx, &pgx.Batch{}).Close()
}

// hostTx implements sqlstore.Engine. It runs a step in a transaction of the host application.
type hostTx func(ctx context.Context, step sqlstore.Step) error

// Read implements sqlstore.Engine.
func (run hostTx) Read(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return failure(ctx, operation.Name, run(ctx, step))
}

// ReadOnce implements sqlstore.Engine.
func (run hostTx) ReadOnce(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return run.Read(ctx, operation, step)
}

// Write implements sqlstore.Engine.
func (run hostTx) Write(ctx context.Context, operation sqlstore.Operation, step sqlstore.Step) error {
	return run.Read(ctx, operation, step)
}

// Close implements sqlstore.Engine.
func (run hostTx) Close() error { return nil }
