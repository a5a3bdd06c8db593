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
	selectExisting = `SELECT a.id, a.status,
			EXISTS (SELECT 1 FROM apguard_allowlist e WHERE e.organization_id = ? AND e.asset_id = a.id)
		FROM apguard_assets a WHERE a.identity_hash = ?`

	insertEntry = `INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at)
		VALUES (?, ?, NULLIF(?, 0), ?, ?, ?, ?)`
)

// RegisterCandidates implements sqlstore.Conn.
func (c *conn) RegisterCandidates(ctx context.Context, cmd allowlist.AddCommand) ([]sqlstore.RegisteredCandidate, error) {
	ids, err := c.insertAssets(ctx, len(cmd.Candidates), func(i int) asset.StatusItem {
		return asset.StatusItem{Identity: cmd.Candidates[i].Identity, Status: cmd.Status}
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
	return registered, c.repeat(ctx, selectExisting, len(existing), func(ctx context.Context, query *sql.Stmt, i int) error {
		one := existing[i]
		return query.QueryRowContext(ctx, cmd.OrganizationID, sqlstore.IdentityHash(one.Identity)).
			Scan(&one.AssetID, sqlstore.ScanStatus(&one.Status), &one.Listed)
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
