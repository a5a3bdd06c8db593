package memory

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// SetAssetStatuses implements [asset.Store].
func (s *Store) SetAssetStatuses(ctx context.Context, cmd asset.SetStatusesCommand) ([]asset.Asset, error) {
	return write(ctx, s, func(t *tables) ([]asset.Asset, error) {
		before := make([]asset.Asset, len(cmd.Items))
		for i, item := range cmd.Items {
			row := t.register(item.Identity)
			before[i] = row.Asset
			t.setStatus(row, item.Status, cmd.At, cmd.Origin)
		}
		return before, nil
	})
}

// setStatus sets the status of the asset and records the change. It returns the ID of the
// change, or 0 if the asset already has the status.
func (t *tables) setStatus(row *assetRow, status asset.Status, at time.Time, origin asset.Origin) int64 {
	if row.Status == status {
		return 0
	}
	t.lastChange++
	change := &asset.Change{
		ID:      t.lastChange,
		AssetID: row.ID,
		Type:    row.Type,
		Content: row.Canonical,
		From:    row.Status,
		To:      status,
		At:      asset.TruncateTime(at),
		Origin:  origin,
	}
	row.Status = status
	row.changes.insert(change)
	t.changes.insert(change)
	t.feed = append(t.feed, change)
	return change.ID
}
