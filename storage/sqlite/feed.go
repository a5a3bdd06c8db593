package sqlite

import (
	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// feedDialect uses the IDs of changes as positions. One transaction writes at a time, so
// IDs grow in the order of commits, and AUTOINCREMENT keeps the largest one.
func feedDialect() sqlstore.FeedDialect {
	return sqlstore.FeedDialect{
		InsertChange: `INSERT INTO apguard_changes (` + sqlstore.ChangeColumns + `) VALUES (` + sqlstore.ChangeValues + `)`,
		Since: func(position int64, limit uint64) squirrel.SelectBuilder {
			return squirrel.Select(sqlstore.ChangeList, "c.id").From(sqlstore.ChangesAndAssets).
				Where("a.id = c.asset_id AND c.id > ?", position).
				OrderBy("c.id").
				Limit(limit)
		},
		State: `SELECT s.id, COALESCE((SELECT q.seq FROM sqlite_sequence q WHERE q.name = 'apguard_changes'), 0),
				s.pruned_position, s.prunings, 0, 0
			FROM apguard_store s`,
	}
}
