package sqlite

import (
	"context"
	"database/sql"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// One statement for each asset, prepared once, is as fast as any way to pass many
// at once; the changes of new assets, which differ in the asset alone, are copied
// from the assets.
const (
	selectKnown = `SELECT a.id, a.status,
			EXISTS (SELECT 1 FROM apguard_allowlist e WHERE e.organization_id = ? AND e.asset_id = a.id)
		FROM apguard_assets a WHERE a.type = ? AND a.canonical_hash = ?`

	recordNew = `INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT id, type, ?, status, ?, ?, ?, ? FROM apguard_assets WHERE id BETWEEN ? AND ? ORDER BY id`

	recordChange = `INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

	insertEntry = `INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, name, description, added_at)
		VALUES (?, ?, ?, ?, ?, ?)`
)

// InsertAllowed implements sqlstore.Conn.
func (c *conn) InsertAllowed(ctx context.Context, candidates []allowlist.Candidate) ([]int64, error) {
	ids := make([]int64, len(candidates))
	err := c.repeat(ctx, sqlstore.InsertAsset, len(candidates), func(ctx context.Context, insert *sql.Stmt, i int) error {
		one := candidates[i]
		result, err := insert.ExecContext(ctx, string(one.Identity.Type), sqlstore.Hash(one.Identity.Canonical),
			one.Identity.Canonical, string(asset.StatusAllowed))
		if err != nil {
			return err
		}
		if ids[i], err = c.newID(result); ids[i] != 0 {
			return sqlstore.CheckID(ids[i])
		}
		return err
	})
	return ids, err
}

// KnownAssets implements sqlstore.Conn.
func (c *conn) KnownAssets(ctx context.Context, organizationID int64, candidates []allowlist.Candidate) ([]sqlstore.KnownAsset, error) {
	known := make([]sqlstore.KnownAsset, len(candidates))
	err := c.repeat(ctx, selectKnown, len(candidates), func(ctx context.Context, query *sql.Stmt, i int) error {
		identity := candidates[i].Identity
		return query.QueryRowContext(ctx, organizationID, string(identity.Type), sqlstore.Hash(identity.Canonical)).
			Scan(&known[i].ID, &known[i].Status, &known[i].Listed)
	})
	return known, err
}

// RecordAdditions implements sqlstore.Conn.
func (c *conn) RecordAdditions(ctx context.Context, addition allowlist.Addition, added []sqlstore.AddedAsset) error {
	if err := c.recordChanges(ctx, addition, added); err != nil {
		return err
	}
	return c.repeat(ctx, insertEntry, len(added), func(ctx context.Context, insert *sql.Stmt, i int) error {
		one := added[i].Candidate
		result, err := insert.ExecContext(ctx, addition.OrganizationID, added[i].ID, sqlstore.OrNull(one.GroupID),
			one.Name, one.Description, sqlstore.Millis(addition.At))
		if err != nil {
			return err
		}
		_, err = c.count(result)
		return err
	})
}

// recordChanges sets the assets to ALLOWED and records that, in their order: at
// once for new ones that follow each other.
func (c *conn) recordChanges(ctx context.Context, addition allowlist.Addition, added []sqlstore.AddedAsset) error {
	at, origin := sqlstore.Millis(addition.At), addition.Origin
	for len(added) > 0 {
		if n := leadingNew(added); n > 0 {
			_, err := c.Exec(ctx, recordNew, string(asset.StatusUnknown), at, string(origin.Cause), origin.Actor, origin.Reference,
				added[0].ID, added[n-1].ID)
			if err != nil {
				return err
			}
			added = added[n:]
			continue
		}
		one := added[0]
		added = added[1:]
		if one.From == asset.StatusAllowed {
			continue
		}
		if _, err := c.Exec(ctx, sqlstore.UpdateStatus, string(asset.StatusAllowed), one.ID); err != nil {
			return err
		}
		_, err := c.Exec(ctx, recordChange, one.ID, string(one.Candidate.Identity.Type), string(one.From), string(asset.StatusAllowed),
			at, string(origin.Cause), origin.Actor, origin.Reference)
		if err != nil {
			return err
		}
	}
	return nil
}

// leadingNew returns how many new assets the list begins with. Their identifiers
// follow each other, as one transaction writes at a time.
func leadingNew(added []sqlstore.AddedAsset) int {
	for i, one := range added {
		if !one.New {
			return i
		}
	}
	return len(added)
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
	defer prepared.Close() //nolint:errcheck // it has done its work
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
