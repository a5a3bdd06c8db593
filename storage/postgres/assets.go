package postgres

import (
	"context"
	"fmt"
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
	lockAssets = `SELECT c.position, a.id, a.status
		FROM unnest($1::BYTEA[]) WITH ORDINALITY AS c (hash, position)
		JOIN apguard_assets a ON a.identity_hash = c.hash
		ORDER BY a.id FOR NO KEY UPDATE OF a`

	updateStatus = `UPDATE apguard_assets SET status = $1 WHERE id = ANY ($2)`

	recordChanges = `INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT c.asset_id, c.type, c.from_status, c.to_status, $5, $6, $7, $8
		FROM unnest($1::BIGINT[], $2::SMALLINT[], $3::SMALLINT[], $4::SMALLINT[])
			WITH ORDINALITY AS c (asset_id, type, from_status, to_status, position)
		ORDER BY c.position`
)

// RegisterAssets implements sqlstore.Conn. It tries to insert every asset first, because
// most are new.
func (c *conn) RegisterAssets(ctx context.Context, items []asset.StatusItem) ([]sqlstore.StatusChange, error) {
	changes, err := c.insertAssets(ctx, items)
	if err != nil {
		return nil, err
	}
	var existing []*sqlstore.StatusChange
	for i := range changes {
		if !changes[i].New {
			existing = append(existing, &changes[i])
		}
	}
	if len(existing) == 0 {
		return changes, nil
	}
	return changes, c.lockAssets(ctx, existing)
}

// insertAssets registers the assets that do not exist. It returns the others without an
// ID.
func (c *conn) insertAssets(ctx context.Context, items []asset.StatusItem) ([]sqlstore.StatusChange, error) {
	var (
		n          = len(items)
		changes    = make([]sqlstore.StatusChange, n)
		types      = make([]int64, n)
		statuses   = make([]int64, n)
		hashes     = make([][]byte, n)
		canonicals = make([]string, n)
		byHash     = make(map[string]*sqlstore.StatusChange, n)
	)
	for i, one := range items {
		changes[i] = sqlstore.StatusChange{Asset: asset.Asset{Identity: one.Identity}, To: one.Status}
		types[i] = sqlstore.TypeCode(one.Identity.Type)
		statuses[i] = sqlstore.StatusCode(one.Status)
		hashes[i] = sqlstore.IdentityHash(one.Identity)
		canonicals[i] = one.Identity.Canonical
		byHash[string(hashes[i])] = &changes[i]
	}
	inserted, err := c.query(ctx, insertAssets, types, statuses, hashes, canonicals, ranks(items))
	if err != nil {
		return nil, err
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
	return changes, err
}

// ranks returns the rank of each item in sqlstore.RegistrationOrder. All transactions
// register assets in that order, so they do not deadlock.
func ranks(items []asset.StatusItem) []int64 {
	order := sqlstore.RegistrationOrder(len(items), func(i int) asset.Identity { return items[i].Identity })
	ranks := make([]int64, len(items))
	for rank, i := range order {
		ranks[i] = int64(rank)
	}
	return ranks
}

// lockAssets reads the assets and locks them until the end of the transaction.
func (c *conn) lockAssets(ctx context.Context, existing []*sqlstore.StatusChange) error {
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
		existing[position-1].ID, existing[position-1].Status = id, status
		return nil
	})
	if err == nil && tag.RowsAffected() != int64(len(existing)) {
		// The assets exist, but the snapshot of the transaction is older.
		return fmt.Errorf("%w: assets were registered since the snapshot", ErrSerialization)
	}
	return err
}

// RecordChanges implements sqlstore.Conn.
func (c *conn) RecordChanges(ctx context.Context, changes []sqlstore.StatusChange, at time.Time, origin asset.Origin) error {
	batch := &pgx.Batch{}
	queueChanges(batch, changes, at, origin)
	return c.send(ctx, batch).Close()
}

// queueChanges queues the statements that set the statuses and record the changes.
func queueChanges(batch *pgx.Batch, changes []sqlstore.StatusChange, at time.Time, origin asset.Origin) {
	var (
		updated              = make(map[asset.Status][]int64)
		ids, types, from, to []int64
	)
	for _, one := range changes {
		if one.Status == one.To {
			continue
		}
		ids = append(ids, one.ID)
		types = append(types, sqlstore.TypeCode(one.Type))
		from = append(from, sqlstore.StatusCode(one.Status))
		to = append(to, sqlstore.StatusCode(one.To))
		if !one.New {
			updated[one.To] = append(updated[one.To], one.ID)
		}
	}
	for status, assets := range updated {
		batch.Queue(updateStatus, sqlstore.StatusCode(status), assets)
	}
	if len(ids) > 0 {
		batch.Queue(recordChanges, ids, types, from, to,
			sqlstore.Millis(at), sqlstore.CauseCode(origin.Cause), origin.Actor, origin.Reference)
	}
}
