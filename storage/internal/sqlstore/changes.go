package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

// Changes implements asset.Store.
func (s *Store) Changes(ctx context.Context, filter asset.ChangeFilter, after asset.ChangeCursor, limit int) ([]asset.Change, error) {
	return read(ctx, s, "changes", func(ctx context.Context, on session) ([]asset.Change, error) {
		return collectBuilt(ctx, on, s.dialect.Changes(filter, after, limit), changeScanner())
	})
}

// What is read of each change, from where.
const (
	changeList = "c.id, c.asset_id, c.type, a.canonical, c.from_status, c.to_status, c.changed_at, c.cause, c.actor, c.reference"

	changesAndAssets = "apguard_changes c CROSS JOIN apguard_assets a"
)

// Changes returns the query for a page of the changelog, as asset.Store has it.
// changeScanner reads its rows.
//
// The changes are to be read along an index that ends with the time, and their
// assets after them: SQLite keeps that order in a cross join.
func (d Dialect) Changes(filter asset.ChangeFilter, after asset.ChangeCursor, limit int) squirrel.SelectBuilder {
	query := d.selectFrom(changesAndAssets, changeList).
		Where("a.id = c.asset_id").
		OrderBy("c.changed_at DESC", "c.id DESC").
		Limit(uint64(max(limit, 0)))
	kind, from, to := "c.type", "c.from_status", "c.to_status"
	if filter.Identity != (asset.Identity{}) {
		// One value, and not a join, lets PostgreSQL see that its index is in order.
		query = query.Where("c.asset_id = (SELECT i.id FROM apguard_assets i WHERE i.type = ? AND i.canonical_hash = ?)",
			string(filter.Identity.Type), Hash(filter.Identity.Canonical))
		// An expression has no index. One of type and statuses would look better to
		// SQLite than that of the asset, and is worse.
		kind, from, to = kind+" || ''", from+" || ''", to+" || ''"
	}
	if filter.Type != "" {
		query = query.Where(squirrel.Eq{kind: string(filter.Type)})
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

// afterChange returns the condition that a change is still to come. A cursor
// within a millisecond stands before all changes of that millisecond.
func afterChange(after asset.ChangeCursor) squirrel.Sqlizer {
	at, id := ceilMillis(after.At), after.ID
	if at != Millis(after.At) {
		id = 0
	}
	return squirrel.Expr("(c.changed_at, c.id) < (?, ?)", at, id)
}

// changeScanner returns what reads the rows of a page.
func changeScanner() func(Row) (asset.Change, error) {
	var one scannedChange
	places := one.places()
	return func(row Row) (asset.Change, error) {
		err := row.Scan(places...)
		return one.value(), err
	}
}

// scannedChange is where the changeList of each row is read to. All rows are read
// into the same places, and into strings, which costs a driver the least.
type scannedChange struct {
	change asset.Change
	at     int64
}

func (s *scannedChange) places() []any {
	c := &s.change
	return []any{
		&c.ID, &c.AssetID, (*string)(&c.Type), &c.Content, (*string)(&c.From), (*string)(&c.To), &s.at,
		(*string)(&c.Origin.Cause), &c.Origin.Actor, &c.Origin.Reference,
	}
}

func (s *scannedChange) value() asset.Change {
	s.change.At = Time(s.at)
	return s.change
}
