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
	insertAssets = `INSERT INTO apguard_assets (id, identity_hash, type, status, changed_at, canonical)
		SELECT n.id, n.hash, n.type, n.status, CASE n.status WHEN $6::SMALLINT THEN $7::BIGINT ELSE $8::BIGINT END, n.canonical
		FROM (
			SELECT nextval('apguard_assets_id_seq') AS id, c.type, c.status, c.hash, c.canonical, c.rank
			FROM unnest($1::SMALLINT[], $2::SMALLINT[], $3::BYTEA[], $4::TEXT[], $5::BIGINT[])
				AS c (type, status, hash, canonical, rank)
		) AS n
		ORDER BY n.rank
		ON CONFLICT (identity_hash) DO NOTHING
		RETURNING id, identity_hash`

	// These lock in the order of IDs, as all transactions do.
	lockAssets = `SELECT id FROM apguard_assets WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`

	lockExisting = `SELECT id FROM apguard_assets WHERE identity_hash = ANY ($1) ORDER BY id FOR NO KEY UPDATE`

	updateStatuses = `UPDATE apguard_assets a SET status = c.status, changed_at = c.changed_at
		FROM unnest($1::BIGINT[], $2::SMALLINT[], $3::BIGINT[]) AS c (id, status, changed_at) WHERE a.id = c.id AND a.id = ANY ($1)`

	recordChanges = `WITH block AS (INSERT INTO apguard_feed (changes) VALUES (cardinality($1::BIGINT[])) RETURNING first_change)
		INSERT INTO apguard_changes (id, ` + sqlstore.ChangeColumns + `)
		SELECT block.first_change + c.number - 1, c.asset_id, c.type, c.from_status, c.to_status, c.changed_at, $6, $7, $8
		FROM block, unnest($1::BIGINT[], $2::SMALLINT[], $3::SMALLINT[], $4::SMALLINT[], $5::BIGINT[])
			WITH ORDINALITY AS c (asset_id, type, from_status, to_status, changed_at, number)
		ORDER BY c.number`
)

// RegisterAssets implements sqlstore.Conn. It tries to insert every asset first, because
// most are new.
func (c *conn) RegisterAssets(ctx context.Context, assets []sqlstore.Locked, at time.Time) error {
	if len(assets) == 0 {
		return nil
	}
	if err := c.insertAssets(ctx, assets, at); err != nil {
		return err
	}
	var existing [][]byte
	for i := range assets {
		if !assets[i].New {
			existing = append(existing, sqlstore.IdentityHash(assets[i].Identity))
		}
	}
	if len(existing) > 0 {
		c.lockExisting(existing)
	}
	return nil
}

// insertAssets registers the assets that do not exist.
func (c *conn) insertAssets(ctx context.Context, assets []sqlstore.Locked, at time.Time) error {
	var (
		n          = len(assets)
		types      = make([]int64, n)
		statuses   = make([]int64, n)
		hashes     = make([][]byte, n)
		canonicals = make([]string, n)
		byHash     = make(map[string]*sqlstore.Locked, n)
	)
	for i := range assets {
		one := &assets[i]
		types[i] = sqlstore.TypeCode(one.Type)
		statuses[i] = sqlstore.StatusCode(one.To)
		hashes[i] = sqlstore.IdentityHash(one.Identity)
		canonicals[i] = one.Canonical
		byHash[string(hashes[i])] = one
	}
	inserted, err := c.query(ctx, insertAssets, types, statuses, hashes, canonicals, ranks(assets),
		sqlstore.StatusCode(asset.StatusUnknown), sqlstore.Millis(time.Time{}), sqlstore.Millis(at))
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
func ranks(assets []sqlstore.Locked) []int64 {
	order := sqlstore.RegistrationOrder(len(assets), func(i int) asset.Identity { return assets[i].Identity })
	ranks := make([]int64, len(assets))
	for rank, i := range order {
		ranks[i] = int64(rank)
	}
	return ranks
}

// lockExisting locks assets that existed before they were to be registered.
func (c *conn) lockExisting(hashes [][]byte) {
	lock := &pgx.QueuedQuery{SQL: lockExisting, Arguments: []any{hashes}}
	lock.Fn = func(results pgx.BatchResults) error {
		tag, err := results.Exec()
		if err == nil && tag.RowsAffected() != int64(len(hashes)) {
			// The assets exist, but the snapshot of the transaction is older.
			return fmt.Errorf("%w: assets were registered since the snapshot", ErrSerialization)
		}
		return err
	}
	c.waiting = append(c.waiting, lock)
}

// LockAssets implements sqlstore.Conn.
func (c *conn) LockAssets(ctx context.Context, ids []int64) error {
	return c.Queue(ctx, lockAssets, ids)
}

// RecordChanges implements sqlstore.Conn. The server sees its statements with the next one.
func (c *conn) RecordChanges(ctx context.Context, changes []sqlstore.RecordedChange) error {
	if err := c.updateStatuses(ctx, changes); err != nil {
		return err
	}
	for block := range slices.Chunk(changes, blockSize) {
		if err := c.recordBlock(ctx, block); err != nil {
			return err
		}
	}
	return nil
}

// updateStatuses gives the assets that existed the status of their change.
func (c *conn) updateStatuses(ctx context.Context, changes []sqlstore.RecordedChange) error {
	var ids, statuses, times []int64
	for _, one := range changes {
		if !one.New {
			ids = append(ids, one.AssetID)
			statuses = append(statuses, sqlstore.StatusCode(one.To))
			times = append(times, sqlstore.Millis(one.At))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return c.Queue(ctx, updateStatuses, ids, statuses, times)
}

// recordBlock records changes that fit into a row of the feed.
func (c *conn) recordBlock(ctx context.Context, changes []sqlstore.RecordedChange) error {
	var (
		n     = len(changes)
		ids   = make([]int64, n)
		types = make([]int64, n)
		from  = make([]int64, n)
		to    = make([]int64, n)
		times = make([]int64, n)
	)
	for i, one := range changes {
		ids[i], types[i], times[i] = one.AssetID, sqlstore.TypeCode(one.Type), sqlstore.Millis(one.At)
		from[i], to[i] = sqlstore.StatusCode(one.From), sqlstore.StatusCode(one.To)
	}
	origin := changes[0].Origin
	return c.Queue(ctx, recordChanges, ids, types, from, to, times, sqlstore.CauseCode(origin.Cause), origin.Actor, origin.Reference)
}
