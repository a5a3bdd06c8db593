package memory

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// SetAssetStatus implements [asset.Store].
func (s *Store) SetAssetStatus(ctx context.Context, cmd asset.SetStatusCommand) (asset.Asset, error) {
	if err := s.beginWrite(ctx); err != nil {
		return asset.Asset{}, err
	}
	defer s.mu.Unlock()

	row := s.tables.register(cmd.Identity)
	s.tables.setStatus(row, cmd.Status, cmd.At, cmd.Origin)
	return row.asset, nil
}

// setStatus sets the status of the asset and records the change, if the status differs. It
// returns the ID of the change, or 0.
func (t *tables) setStatus(row *assetRow, status asset.Status, at time.Time, origin asset.Origin) int64 {
	from := row.asset.Status
	if from == status {
		return 0
	}
	row.asset.Status = status
	t.lastChange++
	change := &asset.Change{
		ID:      t.lastChange,
		AssetID: row.asset.ID,
		Type:    row.asset.Type,
		Content: row.asset.Canonical,
		From:    from,
		To:      status,
		At:      asset.TruncateTime(at),
		Origin:  origin,
	}
	t.changes.insert(change)
	t.feed = append(t.feed, change)
	row.changes.insert(change)
	return change.ID
}
