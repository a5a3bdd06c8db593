package memory

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// StatusesAt implements [asset.HistoryStore].
func (s *Store) StatusesAt(ctx context.Context, assetIDs []int64, at time.Time) (map[int64]asset.Status, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	statuses := make(map[int64]asset.Status, len(assetIDs))
	for _, id := range assetIDs {
		if row, known := s.tables.assetsByID[id]; known {
			statuses[id] = asset.StatusAt(row.Status, row.changes.oldestFirst(), at)
		}
	}
	return statuses, nil
}
