package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const (
	selectStates = `SELECT c.position, a.id, a.status,
			EXISTS (SELECT 1 FROM apguard_allowlist e WHERE e.organization_id = $2 AND e.asset_id = a.id
				AND (e.expires_at IS NULL OR e.expires_at > $3))
		FROM unnest($1::BYTEA[]) WITH ORDINALITY AS c (hash, position)
		JOIN apguard_assets a ON a.identity_hash = c.hash`

	selectListed = `SELECT asset_id, COALESCE(expires_at <= $3, FALSE) FROM apguard_allowlist
		WHERE organization_id = $1 AND asset_id = ANY ($2)`

	insertEntries = `INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at)
		SELECT $6, c.asset_id, NULLIF(c.group_id, 0), c.content, c.name, c.description, $7
		FROM unnest($1::BIGINT[], $2::BIGINT[], $3::TEXT[], $4::TEXT[], $5::TEXT[])
			AS c (asset_id, group_id, content, name, description)`
)

// RegisterCandidates implements sqlstore.Conn.
func (c *conn) RegisterCandidates(ctx context.Context, cmd allowlist.AddCommand) ([]sqlstore.RegisteredCandidate, error) {
	items := make([]asset.StatusItem, len(cmd.Candidates))
	for i, one := range cmd.Candidates {
		items[i] = asset.StatusItem{Identity: one.Identity, Status: cmd.StatusOfNew(one)}
	}
	changes, err := c.RegisterAssets(ctx, items)
	if err != nil {
		return nil, err
	}
	registered := make([]sqlstore.RegisteredCandidate, len(items))
	var existing []*sqlstore.RegisteredCandidate
	for i, change := range changes {
		one := &registered[i]
		one.Candidate, one.AssetID, one.Status, one.New = cmd.Candidates[i], change.ID, change.Status, change.New
		if !one.New {
			existing = append(existing, one)
		}
	}
	if len(existing) == 0 {
		return registered, nil
	}
	// This must be a statement of its own. It starts after the locks were acquired, so it
	// sees the entries that were committed before.
	return registered, c.findListed(ctx, cmd, existing)
}

// findListed marks the candidates whose assets are on the organization's allowlist, or were
// until the end of their entries.
func (c *conn) findListed(ctx context.Context, cmd allowlist.AddCommand, existing []*sqlstore.RegisteredCandidate) error {
	ids := make([]int64, len(existing))
	byID := make(map[int64]*sqlstore.RegisteredCandidate, len(existing))
	for i, one := range existing {
		ids[i] = one.AssetID
		byID[one.AssetID] = one
	}
	found, err := c.query(ctx, selectListed, cmd.OrganizationID, ids, sqlstore.Millis(cmd.At))
	if err != nil {
		return err
	}
	var (
		id    int64
		ended bool
	)
	_, err = pgx.ForEachRow(found, []any{&id, &ended}, func() error {
		byID[id].Listed, byID[id].Ended = !ended, ended
		return nil
	})
	return err
}

// RecordAdditions implements sqlstore.Conn. It sends all statements in one message.
func (c *conn) RecordAdditions(ctx context.Context, cmd allowlist.AddCommand, added []sqlstore.RegisteredCandidate) error {
	var (
		ids          = make([]int64, len(added))
		groups       = make([]int64, len(added))
		contents     = make([]*string, len(added))
		names        = make([]string, len(added))
		descriptions = make([]string, len(added))
	)
	for i, one := range added {
		ids[i] = one.AssetID
		groups[i] = one.GroupID
		contents[i] = sqlstore.OrCanonical(one.Content, one.Identity.Canonical)
		names[i] = one.Name
		descriptions[i] = one.Description
	}
	batch := &pgx.Batch{}
	queueChanges(batch, sqlstore.StatusChanges(added, cmd.Status), cmd.At, cmd.Origin)
	if len(ids) > 0 {
		batch.Queue(insertEntries, ids, groups, contents, names, descriptions, cmd.OrganizationID, sqlstore.Millis(cmd.At))
	}
	return c.send(ctx, batch).Close()
}

// CandidateStates implements sqlstore.Conn.
func (c *conn) CandidateStates(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.CandidateState, error) {
	hashes := make([][]byte, len(cmd.Candidates))
	for i, one := range cmd.Candidates {
		hashes[i] = sqlstore.IdentityHash(one.Identity)
	}
	found, err := c.query(ctx, selectStates, hashes, cmd.OrganizationID, sqlstore.Millis(cmd.At))
	if err != nil {
		return nil, err
	}
	var (
		position int
		state    allowlist.CandidateState
		states   = make([]allowlist.CandidateState, len(cmd.Candidates))
	)
	_, err = pgx.ForEachRow(found, []any{&position, &state.AssetID, sqlstore.ScanStatus(&state.Status), &state.Listed}, func() error {
		states[position-1] = state
		return nil
	})
	return states, err
}
