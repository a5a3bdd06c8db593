package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// One statement has all assets of a batch, in arrays.
const (
	// The assets get their identifiers in the order of the candidates, and are
	// inserted in the order of their ranks.
	insertAllowed = `INSERT INTO apguard_assets (id, type, canonical_hash, canonical, status)
		SELECT n.id, n.type, n.hash, n.canonical, $5
		FROM (
			SELECT nextval('apguard_assets_id_seq') AS id, c.type, c.hash, c.canonical, c.rank
			FROM unnest($1::TEXT[], $2::BYTEA[], $3::TEXT[], $4::BIGINT[])
				AS c (type, hash, canonical, rank)
		) AS n
		ORDER BY n.rank
		ON CONFLICT (type, canonical_hash) DO NOTHING
		RETURNING id, type, canonical_hash`

	// All transactions lock assets in the order of identifiers.
	lockAssets = `SELECT c.position, a.id, a.status
		FROM unnest($1::TEXT[], $2::BYTEA[]) WITH ORDINALITY AS c (type, hash, position)
		JOIN apguard_assets a ON a.type = c.type AND a.canonical_hash = c.hash
		ORDER BY a.id FOR NO KEY UPDATE OF a`

	selectListed = `SELECT asset_id FROM apguard_allowlist WHERE organization_id = $1 AND asset_id = ANY ($2)`

	setAllowed = `UPDATE apguard_assets SET status = $1 WHERE id = ANY ($2)`

	recordChanges = `INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT c.asset_id, c.type, c.from_status, $4, $5, $6, $7, $8
		FROM unnest($1::BIGINT[], $2::TEXT[], $3::TEXT[]) WITH ORDINALITY AS c (asset_id, type, from_status, position)
		ORDER BY c.position`

	insertEntries = `INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, name, description, added_at)
		SELECT $5, c.asset_id, NULLIF(c.group_id, 0), c.name, c.description, $6
		FROM unnest($1::BIGINT[], $2::BIGINT[], $3::TEXT[], $4::TEXT[]) AS c (asset_id, group_id, name, description)`
)

// hashed is what stands in the index of identities.
type hashed struct {
	Type string
	Hash string
}

// InsertAllowed implements sqlstore.Conn.
func (c *conn) InsertAllowed(ctx context.Context, candidates []allowlist.Candidate) ([]int64, error) {
	var (
		types      = make([]string, len(candidates))
		hashes     = make([][]byte, len(candidates))
		canonicals = make([]string, len(candidates))
		placeOf    = make(map[hashed]int, len(candidates))
	)
	for place, one := range candidates {
		types[place] = string(one.Identity.Type)
		hashes[place] = sqlstore.Hash(one.Identity.Canonical)
		canonicals[place] = one.Identity.Canonical
		placeOf[hashed{types[place], string(hashes[place])}] = place
	}
	inserted, err := c.on.Query(ctx, insertAllowed,
		types, hashes, canonicals, ranks(candidates), string(asset.StatusAllowed))
	if err != nil {
		return nil, err
	}
	var (
		ids  = make([]int64, len(candidates))
		id   int64
		kind string
		hash []byte
	)
	_, err = pgx.ForEachRow(inserted, []any{&id, &kind, &hash}, func() error {
		ids[placeOf[hashed{kind, string(hash)}]] = id
		return sqlstore.CheckID(id)
	})
	return ids, err
}

// ranks returns the place of each candidate in the order in which sqlstore
// registers assets everywhere, so that no transaction waits for one that waits for
// it.
func ranks(candidates []allowlist.Candidate) []int64 {
	order := sqlstore.RegistrationOrder(len(candidates), func(i int) asset.Identity { return candidates[i].Identity })
	ranks := make([]int64, len(candidates))
	for rank, place := range order {
		ranks[place] = int64(rank)
	}
	return ranks
}

// KnownAssets implements sqlstore.Conn.
func (c *conn) KnownAssets(ctx context.Context, organizationID int64, candidates []allowlist.Candidate) ([]sqlstore.KnownAsset, error) {
	if len(candidates) == 0 {
		return nil, nil
	}
	known, err := c.lockAssets(ctx, candidates)
	if err != nil {
		return nil, err
	}
	// Only a statement that begins after the locks were waited for sees what was
	// committed meanwhile.
	listed, err := c.listed(ctx, organizationID, known)
	if err != nil {
		return nil, err
	}
	for i := range known {
		known[i].Listed = listed[known[i].ID]
	}
	return known, nil
}

func (c *conn) lockAssets(ctx context.Context, candidates []allowlist.Candidate) ([]sqlstore.KnownAsset, error) {
	types := make([]string, len(candidates))
	hashes := make([][]byte, len(candidates))
	for i, one := range candidates {
		types[i] = string(one.Identity.Type)
		hashes[i] = sqlstore.Hash(one.Identity.Canonical)
	}
	found, err := c.on.Query(ctx, lockAssets, types, hashes)
	if err != nil {
		return nil, err
	}
	var (
		known    = make([]sqlstore.KnownAsset, len(candidates))
		position int
		one      sqlstore.KnownAsset
	)
	tag, err := pgx.ForEachRow(found, []any{&position, &one.ID, &one.Status}, func() error {
		known[position-1] = one
		return nil
	})
	if err == nil && tag.RowsAffected() != int64(len(candidates)) {
		// They are there, but the snapshot of the transaction is older.
		return nil, fmt.Errorf("%w: assets were registered meanwhile", ErrSerialization)
	}
	return known, err
}

// listed returns which of the assets are on the organization's allowlist.
func (c *conn) listed(ctx context.Context, organizationID int64, known []sqlstore.KnownAsset) (map[int64]bool, error) {
	ids := make([]int64, len(known))
	for i, one := range known {
		ids[i] = one.ID
	}
	found, err := c.on.Query(ctx, selectListed, organizationID, ids)
	if err != nil {
		return nil, err
	}
	var (
		listed = make(map[int64]bool)
		id     int64
	)
	_, err = pgx.ForEachRow(found, []any{&id}, func() error {
		listed[id] = true
		return nil
	})
	return listed, err
}

// RecordAdditions implements sqlstore.Conn.
func (c *conn) RecordAdditions(ctx context.Context, addition allowlist.Addition, added []sqlstore.AddedAsset) error {
	var (
		raised       = make([]int64, 0, len(added))
		changed      = make([]int64, 0, len(added))
		types        = make([]string, 0, len(added))
		from         = make([]string, 0, len(added))
		ids          = make([]int64, len(added))
		groups       = make([]int64, len(added))
		names        = make([]string, len(added))
		descriptions = make([]string, len(added))
	)
	for i, one := range added {
		if one.From != asset.StatusAllowed {
			changed = append(changed, one.ID)
			types = append(types, string(one.Candidate.Identity.Type))
			from = append(from, string(one.From))
			if !one.New {
				raised = append(raised, one.ID)
			}
		}
		ids[i] = one.ID
		groups[i] = one.Candidate.GroupID
		names[i] = one.Candidate.Name
		descriptions[i] = one.Candidate.Description
	}
	var (
		batch   = &pgx.Batch{}
		at      = sqlstore.Millis(addition.At)
		allowed = string(asset.StatusAllowed)
	)
	if len(raised) > 0 {
		batch.Queue(setAllowed, allowed, raised)
	}
	if len(changed) > 0 {
		batch.Queue(recordChanges, changed, types, from, allowed, at,
			string(addition.Origin.Cause), addition.Origin.Actor, addition.Origin.Reference)
	}
	if len(ids) > 0 {
		batch.Queue(insertEntries, ids, groups, names, descriptions, addition.OrganizationID, at)
	}
	return c.on.SendBatch(ctx, batch).Close()
}
