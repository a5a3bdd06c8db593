package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// Each statement takes all assets of a batch as arrays.
const (
	// insertAssets assigns IDs in the order of the candidates, and inserts the assets in
	// the order of their ranks.
	insertAssets = `INSERT INTO apguard_assets (id, identity_hash, type, status, canonical)
		SELECT n.id, n.hash, n.type, $5, n.canonical
		FROM (
			SELECT nextval('apguard_assets_id_seq') AS id, c.type, c.hash, c.canonical, c.rank
			FROM unnest($1::SMALLINT[], $2::BYTEA[], $3::TEXT[], $4::BIGINT[])
				AS c (type, hash, canonical, rank)
		) AS n
		ORDER BY n.rank
		ON CONFLICT (identity_hash) DO NOTHING
		RETURNING id, identity_hash`

	// lockAssets locks in the order of IDs, as all transactions do.
	lockAssets = `SELECT c.position, a.id, a.status
		FROM unnest($1::BYTEA[]) WITH ORDINALITY AS c (hash, position)
		JOIN apguard_assets a ON a.identity_hash = c.hash
		ORDER BY a.id FOR NO KEY UPDATE OF a`

	selectStates = `SELECT c.position, a.id, a.status,
			EXISTS (SELECT 1 FROM apguard_allowlist e WHERE e.organization_id = $2 AND e.asset_id = a.id)
		FROM unnest($1::BYTEA[]) WITH ORDINALITY AS c (hash, position)
		JOIN apguard_assets a ON a.identity_hash = c.hash`

	selectListed = `SELECT asset_id FROM apguard_allowlist WHERE organization_id = $1 AND asset_id = ANY ($2)`

	updateStatus = `UPDATE apguard_assets SET status = $1 WHERE id = ANY ($2)`

	recordChanges = `INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT c.asset_id, c.type, c.from_status, $4, $5, $6, $7, $8
		FROM unnest($1::BIGINT[], $2::SMALLINT[], $3::SMALLINT[]) WITH ORDINALITY AS c (asset_id, type, from_status, position)
		ORDER BY c.position`

	insertEntries = `INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at)
		SELECT $6, c.asset_id, NULLIF(c.group_id, 0), c.content, c.name, c.description, $7
		FROM unnest($1::BIGINT[], $2::BIGINT[], $3::TEXT[], $4::TEXT[], $5::TEXT[])
			AS c (asset_id, group_id, content, name, description)`
)

// RegisterCandidates implements sqlstore.Conn. It tries to insert every asset first,
// because most are new.
func (c *conn) RegisterCandidates(ctx context.Context, cmd allowlist.AddCommand) ([]sqlstore.RegisteredCandidate, error) {
	registered, err := c.insertAssets(ctx, cmd)
	if err != nil {
		return nil, err
	}
	var existing []*sqlstore.RegisteredCandidate
	for i := range registered {
		if !registered[i].New {
			existing = append(existing, &registered[i])
		}
	}
	if len(existing) == 0 {
		return registered, nil
	}
	if err := c.lockAssets(ctx, existing); err != nil {
		return nil, err
	}
	// This must be a statement of its own. It starts after the locks were acquired, so it
	// sees the entries that were committed before.
	return registered, c.findListed(ctx, cmd.OrganizationID, existing)
}

// insertAssets registers the assets that do not exist. It returns the other candidates
// without an asset.
func (c *conn) insertAssets(ctx context.Context, cmd allowlist.AddCommand) ([]sqlstore.RegisteredCandidate, error) {
	var (
		n          = len(cmd.Candidates)
		registered = make([]sqlstore.RegisteredCandidate, n)
		types      = make([]int64, n)
		hashes     = make([][]byte, n)
		canonicals = make([]string, n)
		byHash     = make(map[string]*sqlstore.RegisteredCandidate, n)
	)
	for i, one := range cmd.Candidates {
		registered[i].Candidate = one
		types[i] = sqlstore.TypeCode(one.Identity.Type)
		hashes[i] = sqlstore.IdentityHash(one.Identity)
		canonicals[i] = one.Identity.Canonical
		byHash[string(hashes[i])] = &registered[i]
	}
	inserted, err := c.query(ctx, insertAssets,
		types, hashes, canonicals, ranks(cmd.Candidates), sqlstore.StatusCode(cmd.Status))
	if err != nil {
		return nil, err
	}
	var (
		id   int64
		hash []byte
	)
	_, err = pgx.ForEachRow(inserted, []any{&id, &hash}, func() error {
		one := byHash[string(hash)]
		one.AssetID, one.Status, one.New = id, asset.StatusUnknown, true
		return sqlstore.CheckID(id)
	})
	return registered, err
}

// ranks returns the rank of each candidate in sqlstore.RegistrationOrder. All transactions
// register assets in that order, so they do not deadlock.
func ranks(candidates []allowlist.Candidate) []int64 {
	order := sqlstore.RegistrationOrder(len(candidates), func(i int) asset.Identity { return candidates[i].Identity })
	ranks := make([]int64, len(candidates))
	for rank, i := range order {
		ranks[i] = int64(rank)
	}
	return ranks
}

// lockAssets reads the assets of the candidates and locks them until the end of the
// transaction.
func (c *conn) lockAssets(ctx context.Context, existing []*sqlstore.RegisteredCandidate) error {
	hashes := make([][]byte, len(existing))
	for i, one := range existing {
		hashes[i] = sqlstore.IdentityHash(one.Identity)
	}
	found, err := c.query(ctx, lockAssets, hashes)
	if err != nil {
		return err
	}
	var (
		position int
		id       int64
		status   asset.Status
	)
	tag, err := pgx.ForEachRow(found, []any{&position, &id, sqlstore.ScanStatus(&status)}, func() error {
		existing[position-1].AssetID, existing[position-1].Status = id, status
		return nil
	})
	if err == nil && tag.RowsAffected() != int64(len(existing)) {
		// The assets exist, but the snapshot of the transaction is older.
		return fmt.Errorf("%w: assets were registered since the snapshot", ErrSerialization)
	}
	return err
}

// findListed marks the candidates whose assets are on the organization's allowlist.
func (c *conn) findListed(ctx context.Context, organizationID int64, existing []*sqlstore.RegisteredCandidate) error {
	ids := make([]int64, len(existing))
	byID := make(map[int64]*sqlstore.RegisteredCandidate, len(existing))
	for i, one := range existing {
		ids[i] = one.AssetID
		byID[one.AssetID] = one
	}
	found, err := c.query(ctx, selectListed, organizationID, ids)
	if err != nil {
		return err
	}
	var id int64
	_, err = pgx.ForEachRow(found, []any{&id}, func() error {
		byID[id].Listed = true
		return nil
	})
	return err
}

// RecordAdditions implements sqlstore.Conn. It sends all statements in one message.
func (c *conn) RecordAdditions(ctx context.Context, cmd allowlist.AddCommand, added []sqlstore.RegisteredCandidate) error {
	var (
		updated      []int64
		changed      []int64
		types        []int64
		from         []int64
		ids          = make([]int64, len(added))
		groups       = make([]int64, len(added))
		contents     = make([]*string, len(added))
		names        = make([]string, len(added))
		descriptions = make([]string, len(added))
	)
	for i, one := range added {
		if one.Status != cmd.Status {
			changed = append(changed, one.AssetID)
			types = append(types, sqlstore.TypeCode(one.Identity.Type))
			from = append(from, sqlstore.StatusCode(one.Status))
			if !one.New {
				updated = append(updated, one.AssetID)
			}
		}
		ids[i] = one.AssetID
		groups[i] = one.GroupID
		contents[i] = sqlstore.OrCanonical(one.Content, one.Identity.Canonical)
		names[i] = one.Name
		descriptions[i] = one.Description
	}
	var (
		batch  = &pgx.Batch{}
		at     = sqlstore.Millis(cmd.At)
		status = sqlstore.StatusCode(cmd.Status)
	)
	if len(updated) > 0 {
		batch.Queue(updateStatus, status, updated)
	}
	if len(changed) > 0 {
		batch.Queue(recordChanges, changed, types, from, status, at,
			sqlstore.CauseCode(cmd.Origin.Cause), cmd.Origin.Actor, cmd.Origin.Reference)
	}
	if len(ids) > 0 {
		batch.Queue(insertEntries, ids, groups, contents, names, descriptions, cmd.OrganizationID, at)
	}
	return c.send(ctx, batch).Close()
}

// CandidateStates implements sqlstore.Conn.
func (c *conn) CandidateStates(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.CandidateState, error) {
	hashes := make([][]byte, len(cmd.Candidates))
	for i, one := range cmd.Candidates {
		hashes[i] = sqlstore.IdentityHash(one.Identity)
	}
	found, err := c.query(ctx, selectStates, hashes, cmd.OrganizationID)
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
