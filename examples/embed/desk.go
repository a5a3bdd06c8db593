package main

import (
	"context"
	"database/sql"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/storage/sqlite"
)

// desk is the host's own service: its database, and the guard on the same one.
type desk struct {
	db    *sql.DB
	guard *apguard.Guard
}

// together does a step that writes to the desk's tables through tx and to those of
// the service through guard. All of it is kept, or nothing when the step fails.
// The step must use neither the desk's db nor its guard, which would wait for it.
func (d desk) together(ctx context.Context, step func(tx *sql.Tx, guard *apguard.Guard) error) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	if err := step(tx, d.guard.With(sqlite.InTx(tx))); err != nil {
		return err
	}
	return tx.Commit()
}
