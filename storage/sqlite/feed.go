package sqlite

import (
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// feedDialect uses the IDs of changes as positions. One transaction writes at a time, so
// IDs grow in the order of commits, and AUTOINCREMENT keeps the largest one.
func feedDialect() sqlstore.FeedDialect {
	return sqlstore.FeedDialect{
		Position: "c.id",
		After:    "c.id > ?",
		State: `SELECT s.id, COALESCE((SELECT q.seq FROM sqlite_sequence q WHERE q.name = 'apguard_changes'), 0), 0, 0
			FROM apguard_store s`,
	}
}
