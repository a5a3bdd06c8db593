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
	query := d.selectFrom("apguard_assets a", "a.id", "a.type", "a.canonical", "a.status", "a.changed_at", basisOf("a"), listOf("a")).
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
		one              asset.Listed
		kind, status, at int64
		basis            namedBasis
	)
	dest := append([]any{&one.ID, &kind, &one.Canonical, &status, &at}, basis.dest()...)
	return func(row Row) (_ asset.Listed, err error) {
		if err := row.Scan(dest...); err != nil {
			return asset.Listed{}, err
		}
		if one.Type, err = typeCodes.value(kind); err != nil {
			return asset.Listed{}, err
		}
		if one.Status, err = statusCodes.value(status); err != nil {
			return asset.Listed{}, err
		}
		one.Basis, err = basis.value()
		one.UpdatedAt = Time(at)
		return one, err
	}
}
