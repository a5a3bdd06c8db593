package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// Each statement takes all assets of a batch as arrays.
const (
	// insertAssets assigns IDs in the order of the items, and inserts the assets in the
	// order of their ranks.
	insertAssets = `INSERT INTO apguard_assets (id, ` + sqlstore.AssetColumns + `)
		SELECT n.id, n.hash, n.type, n.status, n.changed_at, n.canonical, n.source, n.reason, NULLIF(n.since, n.changed_at), n.note
		FROM (
			SELECT nextval('apguard_assets_id_seq') AS id, c.*
			FROM unnest($1::SMALLINT[], $2::SMALLINT[], $3::BYTEA[], $4::TEXT[], $5::BIGINT[],
					$6::BIGINT[], $7::BIGINT[], $8::SMALLINT[], $9::BIGINT[], $10::TEXT[])
				AS c (type, status, hash, canonical, rank, changed_at, source, reason, since, note)
		) AS n
		ORDER BY n.rank
		ON CONFLICT (identity_hash) DO NOTHING
		RETURNING id, identity_hash`

	// These lock in the order of IDs, as all transactions do.
	lockAssets = `SELECT id FROM apguard_assets WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`

	lockExisting = `SELECT id FROM apguard_assets WHERE identity_hash = ANY ($1) ORDER BY id FOR NO KEY UPDATE`

	updateStatuses = `UPDATE apguard_assets a SET status = c.status, changed_at = c.changed_at,
			source = c.source, reason = c.reason, since = NULLIF(c.since, c.changed_at), note = c.note
		FROM unnest($1::BIGINT[], $2::SMALLINT[], $3::BIGINT[], $4::BIGINT[], $5::SMALLINT[], $6::BIGINT[], $7::TEXT[])
			AS c (id, status, changed_at, source, reason, since, note)
		WHERE a.id = c.id AND a.id = ANY ($1)`

	recordChanges = `WITH block AS (INSERT INTO apguard_feed (changes) VALUES (cardinality($1::BIGINT[])) RETURNING first_change)
		INSERT INTO apguard_changes (id, ` + sqlstore.ChangeColumns + `)
		SELECT block.first_change + c.number - 1, c.asset_id, c.type, c.from_status, c.to_status, c.changed_at, $6, $7, $8,
			c.source, c.reason, NULLIF(c.since, c.changed_at), c.note
		FROM block, unnest($1::BIGINT[], $2::SMALLINT[], $3::SMALLINT[], $4::SMALLINT[], $5::BIGINT[],
				$9::BIGINT[], $10::SMALLINT[], $11::BIGINT[], $12::TEXT[])
			WITH ORDINALITY AS c (asset_id, type, from_status, to_status, changed_at, source, reason, since, note, number)
		ORDER BY c.number`
)

// RegisterAssets implements sqlstore.Conn. It tries to insert every asset first, because
// most are new.
func (c *conn) RegisterAssets(ctx context.Context, assets []sqlstore.Locked) error {
	if len(assets) == 0 {
		return nil
	}
	if err := c.insertAssets(ctx, assets); err != nil {
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
func (c *conn) insertAssets(ctx context.Context, assets []sqlstore.Locked) error {
	var (
		n          = len(assets)
		types      = make([]int64, n)
		statuses   = make([]int64, n)
		hashes     = make([][]byte, n)
		canonicals = make([]string, n)
		times      = make([]int64, n)
		bases      = newBases(n)
		byHash     = make(map[string]*sqlstore.Locked, n)
	)
	for i := range assets {
		one := &assets[i]
		types[i] = sqlstore.TypeCode(one.Type)
		statuses[i] = sqlstore.StatusCode(one.Fresh.Status)
		hashes[i] = sqlstore.IdentityHash(one.Identity)
		canonicals[i] = one.Canonical
		times[i] = sqlstore.Millis(one.Fresh.ChangedAt)
		bases.set(i, one.Fresh.Basis)
		byHash[string(hashes[i])] = one
	}
	inserted, err := c.query(ctx, insertAssets, types, statuses, hashes, canonicals, ranks(assets), times,
		bases.sources, bases.reasons, bases.since, bases.notes)
	if err != nil {
		return err
	}
	var (
		id   int64
		hash []byte
	)
	_, err = pgx.ForEachRow(inserted, []any{&id, &hash}, func() error {
		one := byHash[string(hash)]
		one.ID, one.New = id, true
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
	existing := slices.DeleteFunc(slices.Clone(changes), func(one sqlstore.RecordedChange) bool { return one.New })
	if len(existing) == 0 {
		return nil
	}
	var (
		n        = len(existing)
		ids      = make([]int64, n)
		statuses = make([]int64, n)
		times    = make([]int64, n)
		bases    = newBases(n)
	)
	for i, one := range existing {
		ids[i], statuses[i], times[i] = one.AssetID, sqlstore.StatusCode(one.To), sqlstore.Millis(one.At)
		bases.set(i, one.Basis)
	}
	return c.Queue(ctx, updateStatuses, ids, statuses, times, bases.sources, bases.reasons, bases.since, bases.notes)
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
		bases = newBases(n)
	)
	for i, one := range changes {
		ids[i], types[i], times[i] = one.AssetID, sqlstore.TypeCode(one.Type), sqlstore.Millis(one.At)
		from[i], to[i] = sqlstore.StatusCode(one.From), sqlstore.StatusCode(one.To)
		bases.set(i, one.Basis)
	}
	origin := changes[0].Origin
	return c.Queue(ctx, recordChanges, ids, types, from, to, times, sqlstore.CauseCode(origin.Cause), origin.Actor, origin.Reference,
		bases.sources, bases.reasons, bases.since, bases.notes)
}

// bases are the columns of bases.
type bases struct {
	sources, reasons, since []int64
	notes                   []string
}

func newBases(n int) bases {
	return bases{make([]int64, n), make([]int64, n), make([]int64, n), make([]string, n)}
}

func (b bases) set(i int, basis asset.Basis) {
	b.sources[i], b.reasons[i] = sqlstore.SourceCode(basis), sqlstore.ReasonCode(basis.Reason)
	b.since[i], b.notes[i] = sqlstore.Millis(basis.Since), basis.Note
}
