package postgres

import (
	"context"
	"errors"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// blockSize is the largest number of changes of a row of apguard_feed.
const blockSize = 1000

const (
	// insertChange inserts a change with a row of the feed of its own.
	insertChange = `WITH block AS (INSERT INTO apguard_feed (changes) VALUES (1) RETURNING first_change)
		INSERT INTO apguard_changes (id, ` + sqlstore.ChangeColumns + `) SELECT first_change, ` + sqlstore.ChangeValues + ` FROM block`

	// importFeed adds the changes of an import, whose identifiers may have gaps.
	importFeed = `INSERT INTO apguard_feed (first_change, changes)
		SELECT min(id), max(id) - min(id) + 1 FROM apguard_changes GROUP BY id / 1000`

	// recordPruning records the largest position of the removed changes. Those without a position were
	// never in the feed.
	recordPruning = `UPDATE apguard_pruned SET position = GREATEST(apguard_pruned.position, p.position), prunings = prunings + 1
		FROM (SELECT max(f.position + r.id - f.first_change) AS position
			FROM unnest($1::BIGINT[]) AS r (id)
			CROSS JOIN LATERAL (SELECT b.first_change, b.position FROM apguard_feed b WHERE b.first_change <= r.id
				ORDER BY b.first_change DESC LIMIT 1) f
			WHERE f.position > 0) p
		WHERE id = 1 AND p.position IS NOT NULL`

	// pruneFeed removes the rows of removed changes that have no other change. A row that is not
	// published yet stays.
	pruneFeed = `DELETE FROM apguard_feed f
		USING (SELECT DISTINCT (SELECT b.first_change FROM apguard_feed b WHERE b.first_change <= r.id
				ORDER BY b.first_change DESC LIMIT 1) AS first_change
			FROM unnest($1::BIGINT[]) AS r (id)) AS p
		WHERE f.first_change = p.first_change AND f.position > 0
			AND NOT EXISTS (SELECT 1 FROM apguard_changes c WHERE c.id >= f.first_change AND c.id < f.first_change + f.changes)`

	// inUnpublished is the condition on rows of the feed, as u, that are not published. The index
	// of positions has them in the order of first_change. With an equation, PostgreSQL could look
	// for them among all rows, if it assumes that there are many.
	inUnpublished = `(u.position, u.first_change) < (1, 0)`

	// unpublished is true if committed changes have no position.
	unpublished = `(SELECT u.first_change FROM apguard_feed u WHERE ` + inUnpublished + ` ORDER BY u.position, u.first_change LIMIT 1) IS NOT NULL`

	// sincePublished is the number of milliseconds since the feed had all committed changes, but at
	// least 1. It is rounded up, as published_at is rounded down. If published_at is in the future,
	// because another server's clock is ahead, it is the difference.
	sincePublished = `GREATEST(abs(ceil(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT - s.published_at), 1)`

	insertDisputeEvent = `INSERT INTO apguard_dispute_queue (dispute_id, state, happened_at) VALUES (?, ?, ?)`

	// publishDisputeEvents runs after AssignFeedPositions, which has locked apguard_store.
	publishDisputeEvents = `WITH moved AS (
			DELETE FROM apguard_dispute_queue WHERE id = ANY (ARRAY (SELECT id FROM apguard_dispute_queue ORDER BY id LIMIT ?))
			RETURNING id, dispute_id, state, happened_at
		), counted AS (
			UPDATE apguard_store SET last_dispute_event = last_dispute_event + m.events
			FROM (SELECT count(*) AS events FROM moved) m WHERE m.events > 0
		)
		INSERT INTO apguard_dispute_events (position, dispute_id, state, happened_at)
		SELECT s.last_dispute_event + row_number() OVER (ORDER BY m.id), m.dispute_id, m.state, m.happened_at FROM moved m, apguard_store s`

	// isOld is true if published_at must be renewed, for standbys.
	isOld = sincePublished + ` >= 1000`
)

// feedDialect uses the positions from AssignFeedPositions.
//
// A standby cannot tell whether it has all changes of the primary, so State counts from the last
// publication there, and Due repeats that each second.
func feedDialect() sqlstore.FeedDialect {
	return sqlstore.FeedDialect{
		InsertChange:         insertChange,
		InsertDisputeEvent:   insertDisputeEvent,
		PublishDisputeEvents: publishDisputeEvents,
		LastDisputeEvent:     `SELECT last_dispute_event FROM apguard_store`,
		Imported:             importFeed,
		Since:                since,
		State: `SELECT s.id, s.last_position, p.position, p.prunings, ` + unpublished + `,
				CASE WHEN pg_is_in_recovery() OR ` + unpublished + ` THEN ` + sincePublished + ` ELSE 0 END
			FROM apguard_store s, apguard_pruned p WHERE p.id = 1`,
		Due: `SELECT ` + unpublished + ` OR ` + isOld + ` OR (SELECT id FROM apguard_dispute_queue ORDER BY id LIMIT 1) IS NOT NULL FROM apguard_store s`,
	}
}

// since reads the rows of the feed from the one with the position on, the changes of each, and their
// assets. With the limits, the server looks each of them up, even with a plan for small tables.
func since(position int64, limit uint64) squirrel.SelectBuilder {
	published := squirrel.Select("h.*", "f.position + h.id - f.first_change AS position").
		From("apguard_feed f").
		JoinClause(`CROSS JOIN LATERAL (SELECT * FROM apguard_changes o
			WHERE o.id >= f.first_change AND o.id < f.first_change + f.changes AND o.id > f.first_change + ? - f.position
			ORDER BY o.id LIMIT 1000) h`, position).
		Where(`(f.position, f.first_change) >= (COALESCE((SELECT p.position FROM apguard_feed p
			WHERE (p.position, p.first_change) >= (1, 0) AND (p.position, p.first_change) < (?::BIGINT + 1, 0)
			ORDER BY p.position DESC, p.first_change DESC LIMIT 1), 1), 0)`, position).
		OrderBy("f.position", "f.first_change", "h.id").
		Limit(limit)
	return squirrel.Select(sqlstore.FeedList(), "c.position").
		FromSelect(published, "c").
		JoinClause(joinRow("apguard_assets", "a", "c.asset_id")).
		OrderBy("c.position")
}

const (
	lockFeed = `SELECT id FROM apguard_store FOR NO KEY UPDATE`

	// assignPositions returns whether it found as many rows as it may, and the last position. It
	// returns nothing if another server has published in the meantime. now() is when the transaction
	// began, before it chose the rows. With ANY, it reads only these by their keys, even with a plan
	// for a small table.
	assignPositions = `WITH chosen AS (
			SELECT u.first_change, u.changes, sum(u.changes) OVER (ORDER BY u.first_change) AS through
			FROM (SELECT u.first_change, u.changes FROM apguard_feed u WHERE ` + inUnpublished + `
				ORDER BY u.position, u.first_change LIMIT $1) u
		), numbered AS (
			UPDATE apguard_feed f SET position = s.last_position + c.through - c.changes + 1
			FROM chosen c, apguard_store s
			WHERE f.first_change = ANY (ARRAY (SELECT first_change FROM chosen)) AND f.first_change = c.first_change
		)
		UPDATE apguard_store s SET last_position = last_position + c.changes,
			published_at = CASE WHEN c.number < $1 THEN floor(extract(epoch FROM now()) * 1000)::BIGINT ELSE published_at END
		FROM (SELECT count(*) AS number, COALESCE(sum(changes), 0) AS changes FROM chosen) c
		WHERE c.number > 0 OR ` + isOld + `
		RETURNING c.number = $1 AS more, last_position`
)

// AssignFeedPositions implements sqlstore.Conn.
//
// IDs cannot be positions: a transaction takes an ID before it commits, so a lower ID may
// become visible after a higher one was read. Only committed changes get positions, and
// only one transaction assigns them at a time. Its second statement starts after the lock
// was acquired and sees what the previous transaction assigned, so positions become visible
// in order. Transactions that record changes do not wait.
func (c *conn) AssignFeedPositions(ctx context.Context, most int) (more bool, err error) {
	if _, err := c.exec(ctx, lockFeed); err != nil {
		return false, err
	}
	rows, err := c.query(ctx, assignPositions, most)
	if err != nil {
		return false, err
	}
	assigned, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[struct {
		More bool
		Last int64
	}])
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return false, nil
	case err != nil:
		return false, err
	}
	return assigned.More, sqlstore.CheckID(max(assigned.Last, 1))
}

// PruneFeed implements sqlstore.Conn. No other transaction prunes at the same time. It does not wait
// for publications: a change that is published only now counts as never published.
func (c *conn) PruneFeed(ctx context.Context, ids []int64) error {
	if _, err := c.exec(ctx, recordPruning, ids); err != nil {
		return err
	}
	return c.Queue(ctx, pruneFeed, ids)
}
