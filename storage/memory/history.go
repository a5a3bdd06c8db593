package memory

import (
	"context"
	"sort"
	"time"

	"github.com/apguard/apguard/asset"
)

// StatusesAt implements [asset.Store].
func (s *Store) StatusesAt(ctx context.Context, assetIDs []int64, at time.Time) (map[int64]asset.Status, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	statuses := make(map[int64]asset.Status, len(assetIDs))
	for _, id := range assetIDs {
		if row, known := s.tables.assetsByID[id]; known {
			statuses[id] = row.statusAt(at)
		}
	}
	return statuses, nil
}

func (row *assetRow) statusAt(at time.Time) asset.Status {
	later := sort.Search(len(row.changes), func(i int) bool { return row.changes[i].change.At.After(at) })
	switch {
	case later > 0:
		return row.changes[later-1].change.To
	case len(row.changes) > 0:
		return row.changes[0].change.From
	default:
		return row.asset.Status
	}
}
