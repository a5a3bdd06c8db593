package main

import (
	"context"
	"database/sql"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/storage/sqlite"
)

// desk is the host application: its database, and a guard on the same database.
type desk struct {
	db    *sql.DB
	guard *apguard.Guard
}

// inTransaction runs a step that writes to the desk's tables through tx and to the
// service's tables through guard. It commits both, or neither if the step fails. The step
// must not use the desk's own db and guard, which would wait for the transaction.
func (d desk) inTransaction(ctx context.Context, step func(tx *sql.Tx, guard *apguard.Guard) error) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after the commit
	if err := step(tx, d.guard.With(sqlite.InTx(tx))); err != nil {
		return err
	}
	return tx.Commit()
}
