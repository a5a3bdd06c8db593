package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

// Changes implements asset.Store.
func (s *Store) Changes(ctx context.Context, req asset.ListChangesRequest) (asset.Page[asset.Change], error) {
	return page(ctx, s, "changes", req.Limit, s.dialect.Changes(req), changeScanner())
}

const (
	changeList = "c.id AS id, c.asset_id, c.type, a.canonical, c.from_status, c.to_status, c.changed_at AS changed_at, c.cause, c.actor, c.reference"

	changesAndAssets = "apguard_changes c CROSS JOIN apguard_assets a"
)

// Changes returns the query for a page of the changelog. changeScanner reads its rows.
//
// The database reads the changes along an index that ends with the time, and then their
// assets. SQLite keeps that order in a cross join. A filter that leaves a status open selects
// several ranges of an index, which the database merges.
func (d Dialect) Changes(req asset.ListChangesRequest) squirrel.SelectBuilder {
	order := fmt.Sprintf("ORDER BY changed_at DESC, id DESC LIMIT %d", rowLimit(req.Limit))
	ranges := changeRanges(req.Filter)
	merged := func(in squirrel.Sqlizer) squirrel.SelectBuilder {
		changes := changesIn(in, req)
		if d.OrderedParts && len(ranges) > 1 {
			changes = squirrel.Select("*").FromSelect(changes.Suffix(order), "part")
		}
		return changes
	}
	query := merged(ranges[0])
	for _, in := range ranges[1:] {
		query = query.SuffixExpr(squirrel.Expr("UNION ALL ?", merged(in)))
	}
	return query.Suffix(order).PlaceholderFormat(d.Placeholders)
}

// changesIn returns the query for the changes of a range, from the cursor on.
func changesIn(in squirrel.Sqlizer, req asset.ListChangesRequest) squirrel.SelectBuilder {
	return squirrel.Select(changeList).From(changesAndAssets).
		Where("a.id = c.asset_id").
		Where(in).
		Where(changesBetween(req))
}

// changeRanges returns conditions that together select the changes that match the filter
// without its period. Each selects a range of an index.
func changeRanges(filter asset.ChangeFilter) []squirrel.Sqlizer {
	switch {
	case filter.Identity != (asset.Identity{}):
		return []squirrel.Sqlizer{changesOf(filter)}
	case filter.Type == "" && filter.From == "" && filter.To == "":
		return []squirrel.Sqlizer{squirrel.And{}}
	}
	var ranges []squirrel.Sqlizer
	for _, from := range orAll(filter.From) {
		for _, to := range orAll(filter.To) {
			if from == to && (filter.From == "" || filter.To == "") {
				continue // no change has these
			}
			one := squirrel.Eq{"c.from_status": StatusCode(from), "c.to_status": StatusCode(to)}
			if filter.Type != "" {
				one["c.type"] = TypeCode(filter.Type)
			}
			ranges = append(ranges, one)
		}
	}
	return ranges
}

func orAll(status asset.Status) []asset.Status {
	if status == "" {
		return statusCodes
	}
	return []asset.Status{status}
}

// changesOf returns the condition on the changes of one asset. No index has a sum, so the
// databases do not choose that of types and statuses.
func changesOf(filter asset.ChangeFilter) squirrel.Sqlizer {
	conditions := squirrel.And{ofAsset("c.asset_id", filter.Identity)}
	if filter.Type != "" {
		conditions = append(conditions, squirrel.Eq{"c.type + 0": TypeCode(filter.Type)})
	}
	if filter.From != "" {
		conditions = append(conditions, squirrel.Eq{"c.from_status + 0": StatusCode(filter.From)})
	}
	if filter.To != "" {
		conditions = append(conditions, squirrel.Eq{"c.to_status + 0": StatusCode(filter.To)})
	}
	return conditions
}

// changesBetween returns the condition that a change is in the period and, newest first,
// comes after the cursor. It has one upper limit: with two, a database could read the index
// from the later one.
func changesBetween(req asset.ListChangesRequest) squirrel.Sqlizer {
	period, cursor := req.Filter.Period, req.Cursor
	if cursor == (asset.ChangeCursor{}) || !period.Before.IsZero() && !cursor.At.Before(period.Before) {
		return within("c.changed_at", period)
	}
	period.Before = time.Time{}
	return append(within("c.changed_at", period), afterChange(cursor))
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
		if err := row.Scan(dest...); err != nil {
			return asset.Change{}, err
		}
		return one.value()
	}
}

// scannedChange holds the changeList of a row. All rows are scanned into the same variables.
type scannedChange struct {
	change                    asset.Change
	at                        int64
	kind, from, to, causeCode int64
}

func (s *scannedChange) dest() []any {
	c := &s.change
	return []any{
		&c.ID, &c.AssetID, &s.kind, &c.Content, &s.from, &s.to, &s.at, &s.causeCode, &c.Origin.Actor, &c.Origin.Reference,
	}
}

func (s *scannedChange) value() (asset.Change, error) {
	c := s.change
	c.At = Time(s.at)
	var errs [4]error
	c.Type, errs[0] = typeCodes.value(s.kind)
	c.From, errs[1] = statusCodes.value(s.from)
	c.To, errs[2] = statusCodes.value(s.to)
	c.Origin.Cause, errs[3] = causeCodes.value(s.causeCode)
	return c, errors.Join(errs[:]...)
}
