package sqlstore

import (
	"context"
	"fmt"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// Assets implements asset.Store.
func (s *Store) Assets(ctx context.Context, req asset.ListRequest) (step.Page[asset.Listed], error) {
	operation := listing("assets")
	if examinesOthers(req.Filter) {
		operation.Kind = Search
	}
	return read(ctx, s, operation, func(ctx context.Context, on session) (step.Page[asset.Listed], error) {
		return readPage(ctx, on, req.Limit, s.dialect.Assets(req), listedScanner())
	})
}

// examinesOthers reports whether a list with the filter reads assets that are not part of
// it.
func examinesOthers(filter asset.Filter) bool {
	return filter != asset.Filter{} && filter != asset.Filter{Status: asset.StatusBlocked}
}

// Assets returns the query for a page of assets. listedScanner reads its rows.
//
// The database reads the assets in the order of their IDs from the cursor on, and those that
// are BLOCKED from an index that has no others. The status is a literal, as SQLite uses that
// index only if it knows the value.
func (d Dialect) Assets(req asset.ListRequest) squirrel.SelectBuilder {
	query := d.selectFrom("apguard_assets a", knownColumnNames(), "a.changed_at").
		Where(squirrel.Gt{"a.id": req.Cursor})
	filter := req.Filter
	if filter.Status != "" {
		query = query.Where(fmt.Sprintf("a.status = %d", StatusCode(filter.Status)))
	}
	if filter.Type != "" {
		query = query.Where(squirrel.Eq{"a.type": TypeCode(filter.Type)})
	}
	if filter.Prefix != "" {
		query = query.Where(squirrel.Expr(d.Position+"(a.canonical, ?) = 1", filter.Prefix))
	}
	if !filter.ChangedSince.IsZero() {
		query = query.Where(squirrel.GtOrEq{"a.changed_at": ceilMillis(filter.ChangedSince)})
	}
	return query.OrderBy("a.id").Limit(rowLimit(req.Limit))
}

// listedScanner returns the function that scans the rows of a page.
func listedScanner() func(Row) (asset.Listed, error) {
	var (
		one scannedKnown
		at  int64
	)
	dest := append(one.dest(), &at)
	return func(row Row) (asset.Listed, error) {
		if err := row.Scan(dest...); err != nil {
			return asset.Listed{}, err
		}
		known, err := one.value()
		return asset.Listed{Known: known, UpdatedAt: Time(at)}, err
	}
}
