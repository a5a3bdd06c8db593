package memory

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// StatusesAt implements [asset.HistoryStore].
func (s *Store) StatusesAt(ctx context.Context, assetIDs []int64, at time.Time) (map[int64]asset.Status, error) {
	return read(ctx, s, func(t *tables) (map[int64]asset.Status, error) {
		statuses := make(map[int64]asset.Status, len(assetIDs))
		for _, id := range assetIDs {
			if row, known := t.assetsByID[id]; known {
				statuses[id] = asset.StatusAt(row.Status, row.changes.oldestFirst(), at)
			}
		}
		return statuses, nil
	})
}
