package sqlstore

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

const (
	// UpdateStatus sets the status of an asset.
	UpdateStatus = `UPDATE apguard_assets SET status = ? WHERE id = ?`

	selectStatus = `SELECT status FROM apguard_assets WHERE id = ?`

	insertChange = `INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		VALUES (?, (SELECT type FROM apguard_assets WHERE id = ?), ?, ?, ?, ?, ?, ?)`
)

// SetAssetStatuses implements asset.Store.
func (s *Store) SetAssetStatuses(ctx context.Context, cmd asset.SetStatusesCommand) ([]asset.Asset, error) {
	return write(ctx, s, "set asset statuses", func(ctx context.Context, on session) ([]asset.Asset, error) {
		changes := make([]StatusChange, len(cmd.Items))
		for i, item := range cmd.Items {
			changes[i] = StatusChange{Asset: asset.Asset{Identity: item.Identity}, To: item.Status}
		}
		if err := on.RegisterAssets(ctx, changes); err != nil {
			return nil, err
		}
		before := make([]asset.Asset, len(changes))
		for i, change := range changes {
			before[i] = change.Asset
		}
		return before, on.RecordChanges(ctx, changes, cmd.At, cmd.Origin)
	})
}

// StatusChange is a status that a batch gives to an asset.
type StatusChange struct {
	// Asset is the asset as it was before, UNKNOWN if it is new.
	asset.Asset
	To asset.Status
	// New reports whether the batch has registered the asset. It then has the status To
	// already.
	New bool
}

// setStatus sets the status of an asset and records the change, if the status differs. It
// returns the ID of the change, or 0.
func (s session) setStatus(ctx context.Context, assetID int64, from, to asset.Status, at time.Time, origin asset.Origin) (int64, error) {
	if from == to {
		return 0, nil
	}
	if err := s.queue(ctx, UpdateStatus, StatusCode(to), assetID); err != nil {
		return 0, err
	}
	return s.insert(ctx, insertChange,
		assetID, assetID, StatusCode(from), StatusCode(to), Millis(at), CauseCode(origin.Cause), origin.Actor, origin.Reference)
}

// lockAsset returns the status of the asset, which no other transaction changes until the
// end of this one.
func (s session) lockAsset(ctx context.Context, id int64) (asset.Status, error) {
	var now asset.Status
	err := s.get(ctx, selectStatus+s.dialect.Lock, []any{id}, ScanStatus(&now))
	return now, err
}

// changeAsset is setStatus for an asset that is not locked yet.
func (s session) changeAsset(ctx context.Context, id int64, to asset.Status, at time.Time, origin asset.Origin) (int64, error) {
	from, err := s.lockAsset(ctx, id)
	if err != nil {
		return 0, err
	}
	return s.setStatus(ctx, id, from, to, at, origin)
}
