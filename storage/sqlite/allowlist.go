package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// A prepared statement that runs for each asset is as fast as a statement for many
// assets. The changes of new assets differ only in the asset, so one statement copies
// them from the assets.
const (
	selectExisting = `SELECT a.id, a.status,
			EXISTS (SELECT 1 FROM apguard_allowlist e WHERE e.organization_id = ? AND e.asset_id = a.id)
		FROM apguard_assets a WHERE a.identity_hash = ?`

	recordNew = `INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT id, type, ?, status, ?, ?, ?, ? FROM apguard_assets WHERE id BETWEEN ? AND ? ORDER BY id`

	recordChange = `INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

	insertEntry = `INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at)
		VALUES (?, ?, NULLIF(?, 0), ?, ?, ?, ?)`
)

// RegisterCandidates implements sqlstore.Conn. It inserts all assets before it looks
// for any, because most are new.
func (c *conn) RegisterCandidates(ctx context.Context, cmd allowlist.AddCommand) ([]sqlstore.RegisteredCandidate, error) {
	registered := make([]sqlstore.RegisteredCandidate, len(cmd.Candidates))
	var existing []*sqlstore.RegisteredCandidate
	err := c.repeat(ctx, sqlstore.InsertAsset, len(registered), func(ctx context.Context, insert *sql.Stmt, i int) error {
		one := &registered[i]
		one.Candidate = cmd.Candidates[i]
		args := []any{
			sqlstore.IdentityHash(one.Identity), sqlstore.TypeCode(one.Identity.Type), sqlstore.StatusCode(cmd.Status), one.Identity.Canonical,
		}
		result, err := insert.ExecContext(ctx, args...)
		if err != nil {
			return err
		}
		one.AssetID, err = c.newID(result, args)
		if err != nil || one.AssetID == 0 {
			existing = append(existing, one)
			return err
		}
		one.Status, one.New = asset.StatusUnknown, true
		return sqlstore.CheckID(one.AssetID)
	})
	if err != nil {
		return nil, err
	}
	return registered, c.repeat(ctx, selectExisting, len(existing), func(ctx context.Context, query *sql.Stmt, i int) error {
		one := existing[i]
		return query.QueryRowContext(ctx, cmd.OrganizationID, sqlstore.IdentityHash(one.Identity)).
			Scan(&one.AssetID, sqlstore.ScanStatus(&one.Status), &one.Listed)
	})
}

// RecordAdditions implements sqlstore.Conn.
func (c *conn) RecordAdditions(ctx context.Context, cmd allowlist.AddCommand, added []sqlstore.RegisteredCandidate) error {
	if err := c.recordChanges(ctx, cmd, added); err != nil {
		return err
	}
	return c.repeat(ctx, insertEntry, len(added), func(ctx context.Context, insert *sql.Stmt, i int) error {
		one := added[i]
		args := []any{
			cmd.OrganizationID, one.AssetID, one.GroupID,
			sqlstore.OrCanonical(one.Content, one.Identity.Canonical), one.Name, one.Description, sqlstore.Millis(cmd.At),
		}
		result, err := insert.ExecContext(ctx, args...)
		if err != nil {
			return err
		}
		_, err = c.count(result, args)
		return err
	})
}

// recordChanges gives the assets the command's status and records the changes in
// their order. New assets that follow each other share a statement.
func (c *conn) recordChanges(ctx context.Context, cmd allowlist.AddCommand, added []sqlstore.RegisteredCandidate) error {
	at, origin, status := sqlstore.Millis(cmd.At), cmd.Origin, sqlstore.StatusCode(cmd.Status)
	cause := sqlstore.CauseCode(origin.Cause)
	for len(added) > 0 {
		if n := leadingNew(added); n > 0 {
			_, err := c.Exec(ctx, recordNew, sqlstore.StatusCode(asset.StatusUnknown), at, cause, origin.Actor, origin.Reference,
				added[0].AssetID, added[n-1].AssetID)
			if err != nil {
				return err
			}
			added = added[n:]
			continue
		}
		one := added[0]
		added = added[1:]
		if one.Status == cmd.Status {
			continue
		}
		if _, err := c.Exec(ctx, sqlstore.UpdateStatus, status, one.AssetID); err != nil {
			return err
		}
		_, err := c.Exec(ctx, recordChange, one.AssetID, sqlstore.TypeCode(one.Identity.Type), sqlstore.StatusCode(one.Status), status,
			at, cause, origin.Actor, origin.Reference)
		if err != nil {
			return err
		}
	}
	return nil
}

// leadingNew returns how many new assets the list begins with. No other assets have
// IDs between theirs, as one transaction writes at a time.
func leadingNew(added []sqlstore.RegisteredCandidate) int {
	for i, one := range added {
		if !one.New {
			return i
		}
	}
	return len(added)
}

// CandidateStates implements sqlstore.Conn.
func (c *conn) CandidateStates(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.CandidateState, error) {
	states := make([]allowlist.CandidateState, len(cmd.Candidates))
	return states, c.repeat(ctx, selectExisting, len(states), func(ctx context.Context, query *sql.Stmt, i int) error {
		identity, state := cmd.Candidates[i].Identity, &states[i]
		err := query.QueryRowContext(ctx, cmd.OrganizationID, sqlstore.IdentityHash(identity)).
			Scan(&state.AssetID, sqlstore.ScanStatus(&state.Status), &state.Listed)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
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
