package postgres

import (
	"context"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// following goes by the positions that AssignFeedPositions gives. The server uses the index
// of the positions only where the condition says by itself that there is one. For
// EXISTS it would go through the whole table when it wrongly believes that many
// changes have none.
func following() sqlstore.Following {
	return sqlstore.Following{
		Position: "c.feed_position",
		Behind:   "c.feed_position > 0 AND c.feed_position > ?",
		State: `SELECT s.id, (SELECT l.taken FROM apguard_locks l WHERE l.name = 'feed'),
				(SELECT u.id FROM apguard_changes u WHERE u.feed_position = 0 ORDER BY u.id LIMIT 1) IS NOT NULL
			FROM apguard_store s`,
	}
}

const (
	// takePositions is the lock of the feed and the count of its positions in one.
	// Those that are not used are left out for good.
	takePositions = `UPDATE apguard_locks SET taken = taken + $1 WHERE name = 'feed' RETURNING taken - $1`

	placeChanges = `WITH chosen AS (
			SELECT u.id, row_number() OVER (ORDER BY u.id) AS place
			FROM (SELECT id FROM apguard_changes WHERE feed_position = 0 ORDER BY id LIMIT $2) AS u
		), placed AS (
			UPDATE apguard_changes SET feed_position = $1 + n.place
			FROM chosen n WHERE apguard_changes.id = n.id
		)
		SELECT count(*) = $2 FROM chosen`
)

// AssignFeedPositions implements sqlstore.Conn.
//
// An identifier is taken before its transaction is committed, so that a lower one
// may become visible after a higher one was read. A position is given to what is
// visible, by one transaction at a time, each of which sees what the one before has
// done: the second statement begins when the lock was waited for. Positions become
// visible in their order then. Those who record changes wait for nobody.
func (c *conn) AssignFeedPositions(ctx context.Context, most int) (more bool, err error) {
	last, err := one[int64](ctx, c, takePositions, most)
	if err != nil {
		return false, err
	}
	if err := sqlstore.CheckID(last + int64(most)); err != nil {
		return false, err
	}
	return one[bool](ctx, c, placeChanges, last, most)
}
