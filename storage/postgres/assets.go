package postgres

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// Each statement takes all assets of a batch as arrays.
const (
	// insertAssets assigns IDs in the order of the items, and inserts the assets in the
	// order of their ranks.
	insertAssets = `INSERT INTO apguard_assets (id, identity_hash, type, status, canonical)
		SELECT n.id, n.hash, n.type, n.status, n.canonical
		FROM (
			SELECT nextval('apguard_assets_id_seq') AS id, c.type, c.status, c.hash, c.canonical, c.rank
			FROM unnest($1::SMALLINT[], $2::SMALLINT[], $3::BYTEA[], $4::TEXT[], $5::BIGINT[])
				AS c (type, status, hash, canonical, rank)
		) AS n
		ORDER BY n.rank
		ON CONFLICT (identity_hash) DO NOTHING
		RETURNING id, identity_hash`

	// lockAssets locks in the order of IDs, as all transactions do.
	lockAssets = `SELECT identity_hash, id, status FROM apguard_assets WHERE identity_hash = ANY ($1)
		ORDER BY id FOR NO KEY UPDATE`

	updateStatus = `UPDATE apguard_assets SET status = $1, confirmed = 0 WHERE id = ANY ($2)`

	// recordChanges has the times of sqlstore.ChangeTime. New assets have no change before. The
	// server plans the first row of an index in half the time of a maximum.
	recordChanges = `WITH block AS (INSERT INTO apguard_feed (changes) VALUES (cardinality($1::BIGINT[])) RETURNING first_change)
		INSERT INTO apguard_changes (id, ` + sqlstore.ChangeColumns + `)
		SELECT block.first_change + c.number - 1, c.asset_id, c.type, c.from_status, c.to_status,
			CASE WHEN c.new THEN $6 ELSE COALESCE((SELECT l.changed_at FROM apguard_changes l
				WHERE l.asset_id = c.asset_id AND l.changed_at > $6 ORDER BY l.changed_at DESC LIMIT 1), $6) END,
			$7, $8, $9
		FROM block, unnest($1::BIGINT[], $2::SMALLINT[], $3::SMALLINT[], $4::SMALLINT[], $5::BOOLEAN[])
			WITH ORDINALITY AS c (asset_id, type, from_status, to_status, new, number)
		ORDER BY c.number`
)

// RegisterAssets implements sqlstore.Conn. It tries to insert every asset first, because
// most are new.
func (c *conn) RegisterAssets(ctx context.Context, changes []sqlstore.StatusChange) error {
	if len(changes) == 0 {
		return nil
	}
	if err := c.insertAssets(ctx, changes); err != nil {
		return err
	}
	var existing []*sqlstore.StatusChange
	for i := range changes {
		if !changes[i].New {
			existing = append(existing, &changes[i])
		}
	}
	if len(existing) == 0 {
		return nil
	}
	return c.lockAssets(ctx, existing)
}

// insertAssets registers the assets that do not exist.
func (c *conn) insertAssets(ctx context.Context, changes []sqlstore.StatusChange) error {
	var (
		n          = len(changes)
		types      = make([]int64, n)
		statuses   = make([]int64, n)
		hashes     = make([][]byte, n)
		canonicals = make([]string, n)
		byHash     = make(map[string]*sqlstore.StatusChange, n)
	)
	for i := range changes {
		one := &changes[i]
		types[i] = sqlstore.TypeCode(one.Type)
		statuses[i] = sqlstore.StatusCode(one.To)
		hashes[i] = sqlstore.IdentityHash(one.Identity)
		canonicals[i] = one.Canonical
		byHash[string(hashes[i])] = one
	}
	inserted, err := c.query(ctx, insertAssets, types, statuses, hashes, canonicals, ranks(changes))
	if err != nil {
		return err
	}
	var (
		id   int64
		hash []byte
	)
	_, err = pgx.ForEachRow(inserted, []any{&id, &hash}, func() error {
		one := byHash[string(hash)]
		one.ID, one.Status, one.New = id, asset.StatusUnknown, true
		return sqlstore.CheckID(id)
	})
	return err
}

// ranks returns the rank of each asset in sqlstore.RegistrationOrder. All transactions
// register assets in that order, so they do not deadlock.
func ranks(changes []sqlstore.StatusChange) []int64 {
	order := sqlstore.RegistrationOrder(len(changes), func(i int) asset.Identity { return changes[i].Identity })
	ranks := make([]int64, len(changes))
	for rank, i := range order {
		ranks[i] = int64(rank)
	}
	return ranks
}

// lockAssets reads the assets and locks them until the end of the transaction.
func (c *conn) lockAssets(ctx context.Context, existing []*sqlstore.StatusChange) error {
	hashes := make([][]byte, len(existing))
	byHash := make(map[string]*sqlstore.StatusChange, len(existing))
	for i, one := range existing {
		hashes[i] = sqlstore.IdentityHash(one.Identity)
		byHash[string(hashes[i])] = one
	}
	found, err := c.query(ctx, lockAssets, hashes)
	if err != nil {
		return err
	}
	var (
		hash   []byte
		id     int64
		status asset.Status
	)
	tag, err := pgx.ForEachRow(found, []any{&hash, &id, sqlstore.ScanStatus(&status)}, func() error {
		byHash[string(hash)].ID, byHash[string(hash)].Status = id, status
		return nil
	})
	if err == nil && tag.RowsAffected() != int64(len(existing)) {
		// The assets exist, but the snapshot of the transaction is older.
		return fmt.Errorf("%w: assets were registered since the snapshot", ErrSerialization)
	}
	return err
}

// RecordChanges implements sqlstore.Conn. The server sees its statements with the next one.
func (c *conn) RecordChanges(ctx context.Context, changes []sqlstore.StatusChange, at time.Time, origin asset.Origin) error {
	for block := range slices.Chunk(changes, blockSize) {
		if err := c.recordBlock(ctx, block, at, origin); err != nil {
			return err
		}
	}
	return nil
}

// recordBlock is RecordChanges for changes that fit into a row of the feed.
func (c *conn) recordBlock(ctx context.Context, changes []sqlstore.StatusChange, at time.Time, origin asset.Origin) error {
	var (
		updated              = make(map[asset.Status][]int64)
		ids, types, from, to []int64
		isNew                []bool
	)
	for _, one := range changes {
		if one.Status == one.To {
			continue
		}
		ids = append(ids, one.ID)
		types = append(types, sqlstore.TypeCode(one.Type))
		from = append(from, sqlstore.StatusCode(one.Status))
		to = append(to, sqlstore.StatusCode(one.To))
		isNew = append(isNew, one.New)
		if !one.New {
			updated[one.To] = append(updated[one.To], one.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	for status, assets := range updated {
		if err := c.Queue(ctx, updateStatus, sqlstore.StatusCode(status), assets); err != nil {
			return err
		}
	}
	return c.Queue(ctx, recordChanges, ids, types, from, to, isNew,
		sqlstore.Millis(at), sqlstore.CauseCode(origin.Cause), origin.Actor, origin.Reference)
}
