package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// Changes implements asset.Store.
func (s *Store) Changes(ctx context.Context, req asset.ListChangesRequest) (step.Page[asset.Change], error) {
	return read(ctx, s, listing("changes"), func(ctx context.Context, on session) (step.Page[asset.Change], error) {
		if len(s.dialect.changeRanges(req)) > 1 { // they are merged
			if err := on.set(ctx, s.dialect.ReusePlan); err != nil {
				return step.Page[asset.Change]{}, err
			}
		}
		return readPage(ctx, on, req.Limit, s.dialect.Changes(req), changeScanner())
	})
}

const (
	// ChangeList are the columns of a change, as c, and its asset, as a.
	ChangeList = "c.id AS id, c.asset_id, c.type, a.canonical, c.from_status, c.to_status, c.changed_at AS changed_at, c.cause, c.actor, c.reference"

	// ChangesAndAssets are the tables of ChangeList. SQLite reads the first one in the outer loop.
	ChangesAndAssets = "apguard_changes c CROSS JOIN apguard_assets a"
)

// Changes returns the query for a page of the changelog. changeScanner reads its rows.
//
// The database reads the changes along an index that ends with the time, and then their
// assets. SQLite keeps that order in a cross join. A filter that leaves a status open selects
// several ranges of an index, which the database merges.
func (d Dialect) Changes(req asset.ListChangesRequest) squirrel.SelectBuilder {
	ranges := d.changeRanges(req)
	at := "changed_at" // of the union
	if len(ranges) == 1 {
		at = ranges[0].at
	}
	order := fmt.Sprintf("ORDER BY %s DESC, id DESC LIMIT %d", at, rowLimit(req.Limit))
	merged := func(in changeRange) squirrel.SelectBuilder {
		changes := in.changes(req)
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

// changeRange is a range of an index of changes that ends with the time.
type changeRange struct {
	in squirrel.Sqlizer
	// at is the time in the index.
	at string
}

// changes returns the query for the changes of the range, from the cursor on.
func (r changeRange) changes(req asset.ListChangesRequest) squirrel.SelectBuilder {
	return squirrel.Select(ChangeList).From(ChangesAndAssets).
		Where("a.id = c.asset_id").
		Where(r.in).
		Where(changesBetween(r.at, req))
}

// changeRanges returns ranges that together have the changes for which the request asks, without its
// period.
func (d Dialect) changeRanges(req asset.ListChangesRequest) []changeRange {
	const at = "c.changed_at"
	filter := req.Filter
	switch {
	case req.Assets != nil:
		// No index has such a time, so the databases look up the changes of each asset.
		return []changeRange{{append(changesOf(req), d.AnyOf("c.asset_id", req.Assets)), "+" + at}}
	case filter.Identity != (asset.Identity{}), req.Actor != 0:
		return []changeRange{{changesOf(req), at}}
	case filter.Type == "" && filter.From == "" && filter.To == "":
		return []changeRange{{ofStatus, d.Reserved(at)}}
	}
	var ranges []changeRange
	for _, from := range orAll(filter.From) {
		for _, to := range orAll(filter.To) {
			if from != to {
				ranges = append(ranges, changeRange{d.withStatuses(filter.Type, from, to), at})
			}
		}
	}
	if ranges == nil {
		return []changeRange{{squirrel.Expr("FALSE"), at}}
	}
	return ranges
}

// ofStatus is the condition that a change is one of the status. An index of times has no others.
var ofStatus = squirrel.Expr("c.from_status <> c.to_status")

// withStatuses returns the condition that a change is one between the statuses, of an asset of
// the type unless that is empty.
func (d Dialect) withStatuses(kind asset.Type, from, to asset.Status) squirrel.Sqlizer {
	if kind == "" {
		return squirrel.Eq{d.Reserved("c.from_status"): StatusCode(from), "c.to_status": StatusCode(to)}
	}
	return squirrel.Eq{"c.type": TypeCode(kind), "c.from_status": StatusCode(from), "c.to_status": StatusCode(to)}
}

func orAll(status asset.Status) []asset.Status {
	if status == "" {
		return statusCodes
	}
	return []asset.Status{status}
}

// byOperators is the condition that asset.Cause.ByOperators is true. It is that of an index.
var byOperators = squirrel.Expr("c.cause IN (1, 2, 3, 4)")

// changesOf returns the condition on the changes of one asset, or of a user. No index has a sum, so the
// databases do not choose that of types and statuses.
func changesOf(req asset.ListChangesRequest) squirrel.And {
	conditions, filter := squirrel.And{ofStatus}, req.Filter
	if filter.Identity != (asset.Identity{}) {
		conditions = append(conditions, ofAsset("c.asset_id", filter.Identity))
	}
	if req.Actor != 0 {
		conditions = append(conditions, squirrel.Eq{"c.actor": req.Actor}, byOperators)
	}
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

// changesBetween returns the condition that a change, whose time is at, is in the period and,
// newest first, comes after the cursor. It has one upper limit: with two, a database could
// read the index from the later one.
func changesBetween(at string, req asset.ListChangesRequest) squirrel.Sqlizer {
	period, cursor := req.Filter.Period, req.Cursor
	if cursor == (asset.ChangeCursor{}) || !period.Before.IsZero() && !cursor.At.Before(period.Before) {
		return within(at, period)
	}
	period.Before = time.Time{}
	return append(within(at, period), afterChange(at, cursor))
}

// afterChange returns the condition that a change, whose time is at, comes after the cursor,
// newest first. A cursor within a millisecond comes before all changes of that millisecond.
func afterChange(at string, after asset.ChangeCursor) squirrel.Sqlizer {
	millis, id := ceilMillis(after.At), after.ID
	if millis != Millis(after.At) {
		id = 0
	}
	return squirrel.Expr("("+at+", c.id) < (?, ?)", millis, id)
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

// scannedChange holds the ChangeList of a row. All rows are scanned into the same variables.
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
