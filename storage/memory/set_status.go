package memory

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// SetAssetStatuses implements [asset.Store].
func (s *Store) SetAssetStatuses(ctx context.Context, cmd asset.SetStatusesCommand) ([]asset.Asset, error) {
	return writeOnce(ctx, s, cmd.Claim, cmd.Record, func(t *tables) ([]asset.Asset, error) {
		for _, item := range cmd.Items {
			if err := cmd.Check(t.present(item.Identity)); err != nil {
				return nil, err
			}
		}
		before := make([]asset.Asset, len(cmd.Items))
		for i, item := range cmd.Items {
			row := t.register(item.Identity)
			before[i] = row.Asset
			t.setStatus(row, item.Status, cmd.At, cmd.Origin)
		}
		t.record(cmd.Entry(before))
		return before, nil
	})
}

// present returns the asset with the identity, or an UNKNOWN one if there is none.
func (t *tables) present(identity asset.Identity) asset.Asset {
	if row, known := t.assets[identity]; known {
		return row.Asset
	}
	return asset.Asset{Identity: identity, Status: asset.StatusUnknown}
}

// setStatus sets the status of the asset and records the change. It returns the ID of the
// change. If the asset already has the status, it returns 0, and an ALLOWED asset is confirmed.
func (t *tables) setStatus(row *assetRow, status asset.Status, at time.Time, origin asset.Origin) int64 {
	if row.Status == status {
		row.confirmed = row.confirmed || status == asset.StatusAllowed
		return 0
	}
	at = asset.TruncateTime(at)
	if last := row.changes.last(); last.At.After(at) {
		at = last.At
	}
	t.lastChange++
	change := &asset.Change{
		ID:      t.lastChange,
		AssetID: row.ID,
		Type:    row.Type,
		Content: row.Canonical,
		From:    row.Status,
		To:      status,
		At:      at,
		Origin:  origin,
	}
	row.Status, row.confirmed = status, false
	row.changes.insert(change)
	t.changes.insert(change)
	t.feed = append(t.feed, change)
	t.changed[status]++
	return change.ID
}
