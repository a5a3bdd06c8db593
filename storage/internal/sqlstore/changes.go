package sqlstore

import (
	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

// Changes returns the query for a page of the changelog, as asset.Store has it.
// [ScanChange] reads its rows.
func (d Dialect) Changes(filter asset.ChangeFilter, after asset.ChangeCursor, limit int) squirrel.SelectBuilder {
	query := d.selectFrom(changesOf(filter),
		"c.id", "c.asset_id", "a.type", "a.content", "c.from_status", "c.to_status", "c.changed_at",
		"c.cause", "c.actor", "c.reference").
		Where("a.id = c.asset_id").
		OrderBy("c.changed_at DESC", "c.id DESC").
		Limit(uint64(max(limit, 0)))
	if filter.Type != "" {
		query = query.Where(squirrel.Eq{"a.type": string(filter.Type)})
	}
	from, to := "c.from_status", "c.to_status"
	if filter.Identity != (asset.Identity{}) {
		query = query.Where("a.type = ? AND a.canonical_hash = ?",
			string(filter.Identity.Type), Hash(filter.Identity.Canonical))
		// An expression has no index. The one of both statuses would look better to
		// SQLite than that of the asset, and is worse.
		from, to = from+" || ''", to+" || ''"
	}
	if filter.From != "" {
		query = query.Where(squirrel.Eq{from: string(filter.From)})
	}
	if filter.To != "" {
		query = query.Where(squirrel.Eq{to: string(filter.To)})
	}
	if after != (asset.ChangeCursor{}) {
		query = query.Where(afterChange(after))
	}
	return query.Where(within("c.changed_at", filter.Period))
}

// changesOf joins the tables in the order in which they are to be read, which
// SQLite keeps in a cross join. One asset leads to its own few changes; all others
// are read along an index of time, as whoever begins with all assets of a type has
// to sort all their changes for each page.
func changesOf(filter asset.ChangeFilter) string {
	if filter.Identity != (asset.Identity{}) {
		return "apguard_assets a CROSS JOIN apguard_changes c"
	}
	return "apguard_changes c CROSS JOIN apguard_assets a"
}

// afterChange returns the condition that a change is still to come. A cursor
// within a millisecond stands before all changes of that millisecond.
func afterChange(after asset.ChangeCursor) squirrel.Sqlizer {
	at, id := ceilMillis(after.At), after.ID
	if at != Millis(after.At) {
		id = 0
	}
	return squirrel.Expr("(c.changed_at, c.id) < (?, ?)", at, id)
}

// ScanChange reads a row of [Dialect.Changes].
func ScanChange(row Row) (asset.Change, error) {
	var (
		c  asset.Change
		at int64
	)
	err := row.Scan(&c.ID, &c.AssetID, &c.Type, &c.Content, &c.From, &c.To, &at,
		&c.Origin.Cause, &c.Origin.Actor, &c.Origin.Reference)
	c.At = Time(at)
	return c, err
}
