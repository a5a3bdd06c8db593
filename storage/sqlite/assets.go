package sqlite

import (
	"context"
	"database/sql"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// A prepared statement that runs for each asset is as fast as a statement for many
// assets. The changes of new assets differ only in the asset, so one statement copies
// them from the assets.
const (
	recordNew = `INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT id, type, ?, status, ?, ?, ?, ? FROM apguard_assets WHERE id BETWEEN ? AND ? ORDER BY id`

	recordChange = `INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
)

// RegisterAssets implements sqlstore.Conn.
func (c *conn) RegisterAssets(ctx context.Context, items []asset.StatusItem) ([]sqlstore.StatusChange, error) {
	ids, err := c.insertAssets(ctx, len(items), func(i int) asset.StatusItem { return items[i] })
	if err != nil {
		return nil, err
	}
	changes := make([]sqlstore.StatusChange, len(items))
	var existing []*sqlstore.StatusChange
	for i, item := range items {
		one := &changes[i]
		one.Asset = asset.Asset{ID: ids[i], Identity: item.Identity, Status: asset.StatusUnknown}
		one.To = item.Status
		if one.New = ids[i] != 0; !one.New {
			existing = append(existing, one)
		}
	}
	return changes, c.repeat(ctx, sqlstore.SelectAsset, len(existing), func(ctx context.Context, query *sql.Stmt, i int) error {
		one := existing[i]
		return query.QueryRowContext(ctx, sqlstore.IdentityHash(one.Identity)).Scan(&one.ID, sqlstore.ScanStatus(&one.Status))
	})
}

// insertAssets inserts the assets of n items that do not exist. It returns their IDs, and 0
// for the others. It inserts before it looks for any, because most are new.
func (c *conn) insertAssets(ctx context.Context, n int, item func(i int) asset.StatusItem) ([]int64, error) {
	ids := make([]int64, n)
	return ids, c.repeat(ctx, sqlstore.InsertAsset, n, func(ctx context.Context, insert *sql.Stmt, i int) error {
		one := item(i)
		args := []any{
			sqlstore.IdentityHash(one.Identity), sqlstore.TypeCode(one.Identity.Type), sqlstore.StatusCode(one.Status), one.Identity.Canonical,
		}
		result, err := insert.ExecContext(ctx, args...)
		if err != nil {
			return err
		}
		ids[i], err = c.newID(result, args)
		if err != nil || ids[i] == 0 {
			return err
		}
		return sqlstore.CheckID(ids[i])
	})
}

// RecordChanges implements sqlstore.Conn. New assets with consecutive IDs share a statement.
func (c *conn) RecordChanges(ctx context.Context, changes []sqlstore.StatusChange, at time.Time, origin asset.Origin) error {
	cause := sqlstore.CauseCode(origin.Cause)
	for len(changes) > 0 {
		if n := leadingNew(changes); n > 0 {
			_, err := c.Exec(ctx, recordNew, sqlstore.StatusCode(asset.StatusUnknown), sqlstore.Millis(at), cause, origin.Actor, origin.Reference,
				changes[0].ID, changes[n-1].ID)
			if err != nil {
				return err
			}
			changes = changes[n:]
			continue
		}
		one := changes[0]
		changes = changes[1:]
		if one.Status == one.To {
			continue
		}
		if _, err := c.Exec(ctx, sqlstore.UpdateStatus, sqlstore.StatusCode(one.To), one.ID); err != nil {
			return err
		}
		_, err := c.Exec(ctx, recordChange, one.ID, sqlstore.TypeCode(one.Type), sqlstore.StatusCode(one.Status), sqlstore.StatusCode(one.To),
			sqlstore.Millis(at), cause, origin.Actor, origin.Reference)
		if err != nil {
			return err
		}
	}
	return nil
}

// leadingNew returns how many new assets with a change and consecutive IDs the list begins with.
func leadingNew(changes []sqlstore.StatusChange) int {
	for i, one := range changes {
		if !one.New || one.Status == one.To || one.ID != changes[0].ID+int64(i) {
			return i
		}
	}
	return len(changes)
}

// repeat prepares a statement and runs it n times.
func (c *conn) repeat(ctx context.Context, statement string, n int, run func(ctx context.Context, prepared *sql.Stmt, i int) error) error {
	if n == 0 {
		return nil
	}
	prepared, err := c.on.PrepareContext(context.WithoutCancel(ctx), statement)
	if err != nil {
		return err
	}
	defer prepared.Close() //nolint:errcheck // nothing depends on it any longer
	for i := range n {
		uninterrupted, err := c.uninterrupted(ctx)
		if err != nil {
			return err
		}
		if err := run(uninterrupted, prepared, i); err != nil {
			return err
		}
	}
	return nil
}
