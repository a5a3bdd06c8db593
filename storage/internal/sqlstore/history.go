package sqlstore

import (
	"context"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

// statusAt is asset.StatusAt in SQL, for asset a.
const statusAt = `COALESCE(
	(SELECT c.to_status FROM apguard_changes c WHERE c.asset_id = a.id AND c.changed_at <= ?
		ORDER BY c.changed_at DESC, c.id DESC LIMIT 1),
	(SELECT c.from_status FROM apguard_changes c WHERE c.asset_id = a.id
		ORDER BY c.changed_at, c.id LIMIT 1),
	a.status)`

// StatusesAt implements asset.HistoryStore.
func (s *Store) StatusesAt(ctx context.Context, assetIDs []int64, at time.Time) (map[int64]asset.Status, error) {
	return read(ctx, s, listing("statuses at"), func(ctx context.Context, on session) (map[int64]asset.Status, error) {
		statuses := make(map[int64]asset.Status, len(assetIDs))
		_, err := collect(ctx, on, s.dialect.StatusesAt(assetIDs, at), func(row Row) (id int64, err error) {
			var status asset.Status
			err = row.Scan(&id, ScanStatus(&status))
			statuses[id] = status
			return id, err
		})
		return statuses, err
	})
}

// StatusesAt returns the query for the statuses of assets at a time.
func (d Dialect) StatusesAt(assetIDs []int64, at time.Time) squirrel.SelectBuilder {
	return d.selectFrom("apguard_assets a", "a.id").
		Column(squirrel.Expr(statusAt, Millis(at))).
		Where(d.AnyOf("a.id", assetIDs))
}
