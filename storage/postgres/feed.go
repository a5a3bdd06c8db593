package postgres

import (
	"context"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// feedDialect uses the positions from AssignFeedPositions. After repeats the condition of
// the partial index, as PostgreSQL uses the index only then. State does not use EXISTS:
// PostgreSQL could then scan the whole table, if it assumes that most changes have no
// position.
func feedDialect() sqlstore.FeedDialect {
	return sqlstore.FeedDialect{
		Position: "c.feed_position",
		After:    "c.feed_position > 0 AND c.feed_position > ?",
		State: `SELECT s.id, (SELECT l.taken FROM apguard_locks l WHERE l.name = 'feed'),
				(SELECT u.id FROM apguard_changes u WHERE u.feed_position = 0 ORDER BY u.id LIMIT 1) IS NOT NULL
			FROM apguard_store s`,
	}
}

const (
	// takePositions locks the feed and reserves positions. Those that are not assigned
	// are never used.
	takePositions = `UPDATE apguard_locks SET taken = taken + $1 WHERE name = 'feed' RETURNING taken - $1`

	assignPositions = `WITH chosen AS (
			SELECT u.id, row_number() OVER (ORDER BY u.id) AS number
			FROM (SELECT id FROM apguard_changes WHERE feed_position = 0 ORDER BY id LIMIT $2) AS u
		), numbered AS (
			UPDATE apguard_changes SET feed_position = $1 + n.number
			FROM chosen n WHERE apguard_changes.id = n.id
		)
		SELECT count(*) = $2 FROM chosen`
)

// AssignFeedPositions implements sqlstore.Conn.
//
// IDs cannot be positions: a transaction takes an ID before it commits, so a lower ID may
// become visible after a higher one was read. Only committed changes get positions, and
// only one transaction assigns them at a time. Its second statement starts after the lock
// was acquired and sees what the previous transaction assigned, so positions become visible
// in order. Transactions that record changes do not wait.
func (c *conn) AssignFeedPositions(ctx context.Context, most int) (more bool, err error) {
	last, err := one[int64](ctx, c, takePositions, most)
	if err != nil {
		return false, err
	}
	if err := sqlstore.CheckID(last + int64(most)); err != nil {
		return false, err
	}
	return one[bool](ctx, c, assignPositions, last, most)
}
