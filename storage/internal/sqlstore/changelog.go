package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

// Changes implements asset.Store.
func (s *Store) Changes(ctx context.Context, req asset.ListChangesRequest) (asset.Page[asset.Change], error) {
	return page(ctx, s, "changes", req.Limit, s.dialect.Changes(req), changeScanner())
}

const (
	changeList = "c.id, c.asset_id, c.type, a.canonical, c.from_status, c.to_status, c.changed_at, c.cause, c.actor, c.reference"

	changesAndAssets = "apguard_changes c CROSS JOIN apguard_assets a"
)

// Changes returns the query for a page of the changelog. changeScanner reads its rows.
//
// The database reads the changes along an index that ends with the time, and then their
// assets. SQLite keeps that order in a cross join.
func (d Dialect) Changes(req asset.ListChangesRequest) squirrel.SelectBuilder {
	filter := req.Filter
	query := d.selectFrom(changesAndAssets, changeList).
		Where("a.id = c.asset_id").
		OrderBy("c.changed_at DESC", "c.id DESC").
		Limit(rowLimit(req.Limit))
	kind, from, to := "c.type", "c.from_status", "c.to_status"
	if filter.Identity != (asset.Identity{}) {
		// With a single value instead of a join, PostgreSQL knows that its index is in order.
		query = query.Where("c.asset_id = (SELECT i.id FROM apguard_assets i WHERE i.type = ? AND i.canonical_hash = ?)",
			string(filter.Identity.Type), Hash(filter.Identity.Canonical))
		// An expression has no index. SQLite would prefer an index of type and statuses to
		// that of the asset, which is slower.
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
	if req.Cursor != (asset.ChangeCursor{}) {
		query = query.Where(afterChange(req.Cursor))
	}
	return query.Where(within("c.changed_at", filter.Period))
}

// afterChange returns the condition that a change comes after the cursor, newest first. A
// cursor within a millisecond comes before all changes of that millisecond.
func afterChange(after asset.ChangeCursor) squirrel.Sqlizer {
	at, id := ceilMillis(after.At), after.ID
	if at != Millis(after.At) {
		id = 0
	}
	return squirrel.Expr("(c.changed_at, c.id) < (?, ?)", at, id)
}

// changeScanner returns the function that scans the rows of a page.
func changeScanner() func(Row) (asset.Change, error) {
	var one scannedChange
	dest := one.dest()
	return func(row Row) (asset.Change, error) {
		err := row.Scan(dest...)
		return one.value(), err
	}
}

// scannedChange holds the changeList of a row. All rows are scanned into the same
// variables, and into strings, which is the fastest for the drivers.
type scannedChange struct {
	change asset.Change
	at     int64
}

func (s *scannedChange) dest() []any {
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
