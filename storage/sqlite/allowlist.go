package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const (
	// selectExisting also returns whether the organization has an entry for the asset, and one
	// that has ended.
	selectExisting = `SELECT a.id, a.status, e.asset_id IS NOT NULL AND (e.expires_at IS NULL OR e.expires_at > ?),
			COALESCE(e.expires_at <= ?, FALSE)
		FROM apguard_assets a LEFT JOIN apguard_allowlist e ON e.organization_id = ? AND e.asset_id = a.id
		WHERE a.identity_hash = ?`

	insertEntry = `INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at)
		VALUES (?, ?, NULLIF(?, 0), ?, ?, ?, ?)`
)

// RegisterCandidates implements sqlstore.Conn.
func (c *conn) RegisterCandidates(ctx context.Context, cmd allowlist.AddCommand) ([]sqlstore.RegisteredCandidate, error) {
	ids, err := c.insertAssets(ctx, len(cmd.Candidates), func(i int) asset.StatusItem {
		return asset.StatusItem{Identity: cmd.Candidates[i].Identity, Status: cmd.StatusOfNew(cmd.Candidates[i])}
	})
	if err != nil {
		return nil, err
	}
	registered := make([]sqlstore.RegisteredCandidate, len(ids))
	var existing []*sqlstore.RegisteredCandidate
	for i, id := range ids {
		one := &registered[i]
		one.Candidate, one.AssetID = cmd.Candidates[i], id
		if one.New = id != 0; one.New {
			one.Status = asset.StatusUnknown
		} else {
			existing = append(existing, one)
		}
	}
	at := sqlstore.Millis(cmd.At)
	return registered, c.repeat(ctx, selectExisting, len(existing), func(ctx context.Context, query *sql.Stmt, i int) error {
		one := existing[i]
		return query.QueryRowContext(ctx, at, at, cmd.OrganizationID, sqlstore.IdentityHash(one.Identity)).
			Scan(&one.AssetID, sqlstore.ScanStatus(&one.Status), &one.Listed, &one.Ended)
	})
}

// RecordAdditions implements sqlstore.Conn.
func (c *conn) RecordAdditions(ctx context.Context, cmd allowlist.AddCommand, added []sqlstore.RegisteredCandidate) error {
	if err := c.RecordChanges(ctx, sqlstore.StatusChanges(added, cmd.Status), cmd.At, cmd.Origin); err != nil {
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

// CandidateStates implements sqlstore.Conn.
func (c *conn) CandidateStates(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.CandidateState, error) {
	states, at := make([]allowlist.CandidateState, len(cmd.Candidates)), sqlstore.Millis(cmd.At)
	return states, c.repeat(ctx, selectExisting, len(states), func(ctx context.Context, query *sql.Stmt, i int) error {
		identity, state, ended := cmd.Candidates[i].Identity, &states[i], false
		err := query.QueryRowContext(ctx, at, at, cmd.OrganizationID, sqlstore.IdentityHash(identity)).
			Scan(&state.AssetID, sqlstore.ScanStatus(&state.Status), &state.Listed, &ended)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
}
