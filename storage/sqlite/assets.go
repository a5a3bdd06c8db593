package sqlite

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// A prepared statement that runs for each asset is as fast as a statement for many
// assets. The changes of new assets differ only in the asset, so one statement copies
// them from the assets.
const (
	recordNew = `INSERT INTO apguard_changes (` + sqlstore.ChangeColumns + `)
		SELECT id, type, ?, status, ?, ?, ?, ? FROM apguard_assets WHERE id BETWEEN ? AND ? ORDER BY id`

	recordChange = `INSERT INTO apguard_changes (` + sqlstore.ChangeColumns + `)
		VALUES (?, ?, ?, ?, ` + sqlstore.ChangeTime + `, ?, ?, ?)`
)

// RegisterAssets implements sqlstore.Conn. It inserts before it looks for any asset, because
// most are new.
func (c *conn) RegisterAssets(ctx context.Context, changes []sqlstore.StatusChange) error {
	var existing []*sqlstore.StatusChange
	err := c.insertEach(ctx, sqlstore.InsertAsset, len(changes), func(args []any, i int) []any {
		one := changes[i]
		return append(args,
			sqlstore.IdentityHash(one.Identity), sqlstore.TypeCode(one.Type), sqlstore.StatusCode(one.To), one.Canonical,
		)
	}, func(i int, id int64) error {
		one := &changes[i]
		if one.New = id != 0; !one.New {
			existing = append(existing, one)
			return nil
		}
		one.ID, one.Status = id, asset.StatusUnknown
		return sqlstore.CheckID(id)
	})
	if err != nil || len(existing) == 0 {
		return err
	}
	return c.find(ctx, existing)
}

// find sets the ID and status of each asset.
func (c *conn) find(ctx context.Context, existing []*sqlstore.StatusChange) error {
	uninterrupted := context.WithoutCancel(ctx)
	query, err := c.on.PrepareContext(uninterrupted, sqlstore.SelectAsset)
	if err != nil {
		return err
	}
	defer query.Close() //nolint:errcheck // nothing depends on it any longer
	for _, one := range existing {
		if err := ctx.Err(); err != nil {
			return err
		}
		row := query.QueryRowContext(uninterrupted, sqlstore.IdentityHash(one.Identity))
		if err := row.Scan(&one.ID, sqlstore.ScanStatus(&one.Status)); err != nil {
			return err
		}
	}
	return nil
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
			one.ID, sqlstore.Millis(at), sqlstore.Millis(at), cause, origin.Actor, origin.Reference)
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
