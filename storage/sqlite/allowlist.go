package sqlite

import (
	"context"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const insertEntry = `INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at, expires_at)
	VALUES (?, ?, NULLIF(?, 0), ?, ?, ?, ?, ?)`

// InsertEntries implements sqlstore.Conn.
func (c *conn) InsertEntries(ctx context.Context, organizationID int64, entries []allowlist.Entry) error {
	return c.insertEach(ctx, insertEntry, len(entries), func(args []any, i int) []any {
		one := entries[i]
		return append(args,
			organizationID, one.Asset.ID, one.GroupID, sqlstore.OrCanonical(one.Content, one.Asset.Canonical),
			one.Name, one.Description, sqlstore.Millis(one.AddedAt), sqlstore.Expiry(one.ExpiresAt),
		)
	}, func(int, int64) error { return nil })
}
