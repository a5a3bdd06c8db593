package sqlite

import (
	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// feedDialect uses IDs as positions. One transaction writes at a time, so
// IDs grow in the order of commits, and AUTOINCREMENT keeps the largest one.
func feedDialect() sqlstore.FeedDialect {
	return sqlstore.FeedDialect{
		InsertChange:       recordChange,
		InsertDisputeEvent: `INSERT INTO apguard_dispute_events (dispute_id, state, happened_at) VALUES (?, ?, ?)`,
		LastDisputeEvent:   `SELECT COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'apguard_dispute_events'), 0)`,
		Since: func(position int64, limit uint64) squirrel.SelectBuilder {
			return squirrel.Select(sqlstore.FeedList(), "c.id").From(sqlstore.ChangesAndAssets).
				Where("a.id = c.asset_id AND c.id > ?", position).
				OrderBy("c.id").
				Limit(limit)
		},
		State: `SELECT s.id, COALESCE((SELECT q.seq FROM sqlite_sequence q WHERE q.name = 'apguard_changes'), 0),
				p.position, p.prunings, 0, 0
			FROM apguard_store s, apguard_pruned p WHERE p.id = 1`,
	}
}
