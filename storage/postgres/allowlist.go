package postgres

import (
	"context"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const insertEntries = `INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, content, name, description, added_at, expires_at)
	SELECT $8, c.asset_id, NULLIF(c.group_id, 0), c.content, c.name, c.description, c.added_at, c.expires_at
	FROM unnest($1::BIGINT[], $2::BIGINT[], $3::TEXT[], $4::TEXT[], $5::TEXT[], $6::BIGINT[], $7::BIGINT[])
		AS c (asset_id, group_id, content, name, description, added_at, expires_at)`

// InsertEntries implements sqlstore.Conn.
func (c *conn) InsertEntries(ctx context.Context, organizationID int64, entries []allowlist.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	var (
		n            = len(entries)
		ids          = make([]int64, n)
		groups       = make([]int64, n)
		contents     = make([]*string, n)
		names        = make([]string, n)
		descriptions = make([]string, n)
		addedAt      = make([]int64, n)
		expiresAt    = make([]*int64, n)
	)
	for i, one := range entries {
		ids[i] = one.Asset.ID
		groups[i] = one.GroupID
		contents[i] = sqlstore.OrCanonical(one.Content, one.Asset.Canonical)
		names[i] = one.Name
		descriptions[i] = one.Description
		addedAt[i] = sqlstore.Millis(one.AddedAt)
		expiresAt[i] = sqlstore.Expiry(one.ExpiresAt)
	}
	_, err := c.exec(ctx, insertEntries, ids, groups, contents, names, descriptions, addedAt, expiresAt, organizationID)
	return err
}
