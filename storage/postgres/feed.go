package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const (
	// unpublished is true if committed changes have no position. It does not use EXISTS: PostgreSQL
	// could then scan the whole table, if it assumes that most changes have no position.
	unpublished = `(SELECT u.id FROM apguard_changes u WHERE u.feed_position = 0 ORDER BY u.id LIMIT 1) IS NOT NULL`

	// sincePublished is the number of milliseconds since the feed had all committed changes, but at
	// least 1. It is rounded up, as published_at is rounded down. If published_at is in the future,
	// because another server's clock is ahead, it is the difference.
	sincePublished = `GREATEST(abs(ceil(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT - s.published_at), 1)`

	// isOld is true if published_at must be renewed, for standbys.
	isOld = sincePublished + ` >= 1000`
)

// feedDialect uses the positions from AssignFeedPositions. After repeats the condition of
// the partial index, as PostgreSQL uses the index only then.
//
// A standby cannot tell whether it has all changes of the primary, so State counts from the last
// publication there, and Due repeats that each second.
func feedDialect() sqlstore.FeedDialect {
	return sqlstore.FeedDialect{
		Position: "c.feed_position",
		After:    "c.feed_position > 0 AND c.feed_position > ?",
		State: `SELECT s.id, s.last_position, ` + unpublished + `,
				CASE WHEN pg_is_in_recovery() OR ` + unpublished + ` THEN ` + sincePublished + ` ELSE 0 END
			FROM apguard_store s`,
		Due: `SELECT ` + unpublished + ` OR ` + isOld + ` FROM apguard_store s`,
	}
}

const (
	lockFeed = `SELECT id FROM apguard_store FOR NO KEY UPDATE`

	// assignPositions returns whether it found as many changes as it may, and the last position. It
	// returns nothing if another server has published in the meantime. now() is when the transaction
	// began, before it chose the changes.
	assignPositions = `WITH chosen AS (
			SELECT u.id, (SELECT last_position FROM apguard_store) + row_number() OVER (ORDER BY u.id) AS position
			FROM (SELECT id FROM apguard_changes WHERE feed_position = 0 ORDER BY id LIMIT $1) u
		), numbered AS (
			UPDATE apguard_changes SET feed_position = n.position FROM chosen n WHERE apguard_changes.id = n.id
		)
		UPDATE apguard_store s SET last_position = last_position + c.number,
			published_at = CASE WHEN c.number < $1 THEN floor(extract(epoch FROM now()) * 1000)::BIGINT ELSE published_at END
		FROM (SELECT count(*) AS number FROM chosen) c
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
