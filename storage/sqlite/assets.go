package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// A prepared statement that runs for each asset is as fast as a statement for many
// assets. The changes of new assets differ only in the asset, so one statement copies
// them from the assets.
//
// What the rows of a statement share is a literal: binding an argument for each of them takes a hundredth of the
// time of a batch.
const (
	insertAsset = `INSERT INTO apguard_assets (identity_hash, type, canonical, note, status, changed_at, source, reason, since)
		VALUES (?, ?, ?, ?, %[1]d, %[2]d, %[3]d, %[4]d, NULLIF(%[5]d, %[2]d)) ON CONFLICT (identity_hash) DO NOTHING`

	insertEntry = `INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at, expires_at)
		VALUES (%d, ?, NULLIF(?, 0), ?, ?, ?, ?, ?)`

	recordNew = `INSERT INTO apguard_changes (` + sqlstore.ChangeColumns + `)
		SELECT id, type, ?, status, ?, ?, ?, ?, ` + sqlstore.BasisColumns + ` FROM apguard_assets WHERE id BETWEEN ? AND ? ORDER BY id`

	recordChange = `INSERT INTO apguard_changes (` + sqlstore.ChangeColumns + `) VALUES (` + sqlstore.ChangeValues + `)`
)

// RegisterAssets implements sqlstore.Conn. It inserts before it looks for any asset, because
// most are new.
func (c *conn) RegisterAssets(ctx context.Context, assets []sqlstore.Locked) error {
	for len(assets) > 0 {
		n := leadingAlike(assets)
		if err := c.registerAlike(ctx, assets[:n]); err != nil {
			return err
		}
		assets = assets[n:]
	}
	return nil
}

// leadingAlike returns how many assets of the same status and basis the list begins with.
func leadingAlike(assets []sqlstore.Locked) int {
	first := &assets[0].Fresh
	for i := range assets {
		one := &assets[i].Fresh
		if one.Status != first.Status || !one.ChangedAt.Equal(first.ChangedAt) || one.Basis != first.Basis {
			return i
		}
	}
	return len(assets)
}

// registerAlike registers assets of the same status and basis.
func (c *conn) registerAlike(ctx context.Context, assets []sqlstore.Locked) error {
	same := &assets[0].Fresh
	statement := fmt.Sprintf(insertAsset, sqlstore.StatusCode(same.Status), sqlstore.Millis(same.ChangedAt),
		sqlstore.SourceCode(same.Basis), sqlstore.ReasonCode(same.Reason), sqlstore.Millis(same.Since))
	return c.insertEach(ctx, statement, len(assets), func(args []any, i int) []any {
		identity := assets[i].Identity
		return append(args, sqlstore.IdentityHash(identity), sqlstore.TypeCode(identity.Type), identity.Canonical, same.Note)
	}, func(i int, id int64) error {
		one := &assets[i]
		if one.New = id != 0; !one.New {
			return nil
		}
		one.ID = id
		return sqlstore.CheckID(id)
	})
}

// LockAssets implements sqlstore.Conn. One transaction writes at a time.
func (*conn) LockAssets(context.Context, []int64) error { return nil }

// RecordChanges implements sqlstore.Conn. New assets with consecutive IDs share a statement.
func (c *conn) RecordChanges(ctx context.Context, changes []sqlstore.RecordedChange) error {
	origin := changes[0].Origin
	cause := sqlstore.CauseCode(origin.Cause)
	for len(changes) > 0 {
		one := changes[0]
		if n := leadingNew(changes); n > 0 {
			_, err := c.Exec(ctx, recordNew, sqlstore.StatusCode(one.From), sqlstore.Millis(one.At), cause, origin.Actor, origin.Reference,
				one.AssetID, changes[n-1].AssetID)
			if err != nil {
				return err
			}
			changes = changes[n:]
			continue
		}
		changes = changes[1:]
		if _, err := c.Exec(ctx, sqlstore.UpdateStatus, sqlstore.UpdateArguments(one.Change)...); err != nil {
			return err
		}
		if _, err := c.Exec(ctx, recordChange, sqlstore.ChangeArguments(one.Change)...); err != nil {
			return err
		}
	}
	return nil
}

// leadingNew returns how many new assets with consecutive IDs the list begins with.
func leadingNew(changes []sqlstore.RecordedChange) int {
	for i := range changes {
		if !changes[i].New || changes[i].AssetID != changes[0].AssetID+int64(i) {
			return i
		}
	}
	return len(changes)
}

// InsertEntries implements sqlstore.Conn.
func (c *conn) InsertEntries(ctx context.Context, organizationID int64, entries []allowlist.Entry) error {
	statement := fmt.Sprintf(insertEntry, organizationID)
	return c.insertEach(ctx, statement, len(entries), func(args []any, i int) []any {
		one := &entries[i]
		return append(args,
			one.Asset.ID, one.GroupID, sqlstore.OrCanonical(one.Content, one.Asset.Canonical),
			one.Name, one.Description, sqlstore.Millis(one.AddedAt), sqlstore.Expiry(one.ExpiresAt),
		)
	}, func(int, int64) error { return nil })
}

// insertEach runs an INSERT n times, with the arguments that args appends to an empty slice. It
// calls inserted with the identifier of each row, or 0 if none was inserted.
func (c *conn) insertEach(
	ctx context.Context, statement string, n int,
	args func(to []any, i int) []any, inserted func(i int, id int64) error,
) error {
	if n == 0 {
		return nil
	}
	return c.prepare(ctx, statement, func(insert prepared) error {
		var row []any
		for i := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			row = args(row[:0], i)
			result, err := insert(row)
			if err != nil {
				return err
			}
			id, err := c.newID(result, row)
			if err != nil {
				return err
			}
			if err := inserted(i, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// prepared runs a prepared statement, which is never interrupted.
type prepared func(args []any) (driver.Result, error)

// prepare calls use with a prepared statement. On a connection, the statement is the driver's:
// database/sql would take a tenth of the time of a batch.
func (c *conn) prepare(ctx context.Context, statement string, use func(prepared) error) error {
	ctx = context.WithoutCancel(ctx)
	if on, ok := c.on.(*sql.Conn); ok {
		err := on.Raw(func(on any) error { return prepareOn(ctx, on, statement, use) })
		if !errors.Is(err, driver.ErrSkip) {
			return err
		}
	}
	stmt, err := c.on.PrepareContext(ctx, statement) //nolint:sqlclosecheck // deferred below, which the linter misses because of the closure
	if err != nil {
		return err
	}
	defer stmt.Close() //nolint:errcheck // nothing depends on it any longer
	return use(func(args []any) (driver.Result, error) { return stmt.ExecContext(ctx, args...) })
}

// prepareOn is prepare on a connection of the driver. It returns driver.ErrSkip for a driver
// without contexts.
func prepareOn(ctx context.Context, on any, statement string, use func(prepared) error) error {
	preparer, ok := on.(driver.ConnPrepareContext)
	if !ok {
		return driver.ErrSkip
	}
	stmt, err := preparer.PrepareContext(ctx, statement)
	if err != nil {
		return err
	}
	defer stmt.Close() //nolint:errcheck // nothing depends on it any longer
	execer, ok := stmt.(driver.StmtExecContext)
	if !ok {
		return driver.ErrSkip
	}
	var values []driver.NamedValue
	return use(func(args []any) (driver.Result, error) {
		values = values[:0]
		for i, arg := range args {
			value, err := driver.DefaultParameterConverter.ConvertValue(arg)
			if err != nil {
				return nil, err
			}
			values = append(values, driver.NamedValue{Ordinal: i + 1, Value: value})
		}
		return execer.ExecContext(ctx, values)
	})
}
