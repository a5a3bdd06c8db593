package sqlstore

import (
	"context"
	"errors"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

const (
	// UpdateStatus sets the status of an asset, which ends its confirmation.
	UpdateStatus = `UPDATE apguard_assets SET status = ?, confirmed = 0 WHERE id = ?`

	selectStatus = `SELECT status FROM apguard_assets WHERE id = ?`

	// ChangeColumns are the columns of a change without its ID.
	ChangeColumns = `asset_id, type, from_status, to_status, changed_at, cause, actor, reference`

	// ChangeValues are the values of ChangeColumns.
	ChangeValues = `?, (SELECT type FROM apguard_assets WHERE id = ?), ?, ?, ` + ChangeTime + `, ?, ?, ?`

	// ChangeTime is the time of a change: that of the command, or of the asset's last change if
	// that is later. Its arguments are the asset, and the time of the command twice. The asset
	// must be locked before the statement starts, so that the statement sees the last change.
	ChangeTime = `COALESCE((SELECT max(l.changed_at) FROM apguard_changes l WHERE l.asset_id = ? AND l.changed_at > ?), ?)`

	// confirmAssets omits assets that no allowlist contains, as only a removal from an allowlist
	// depends on it.
	confirmAssets = `UPDATE apguard_assets SET confirmed = 1 WHERE confirmed = 0 AND ?
		AND EXISTS (SELECT 1 FROM apguard_allowlist e WHERE e.asset_id = apguard_assets.id)`
)

// SetAssetStatuses implements asset.Store.
func (s *Store) SetAssetStatuses(ctx context.Context, cmd asset.SetStatusesCommand) ([]asset.Asset, error) {
	return writeOnce(ctx, s, "set asset statuses", cmd.Claim, cmd.Record, func(ctx context.Context, on session) ([]asset.Asset, error) {
		return on.setStatuses(ctx, cmd)
	})
}

func (s session) setStatuses(ctx context.Context, cmd asset.SetStatusesCommand) ([]asset.Asset, error) {
	if err := s.checkStatuses(ctx, cmd); err != nil {
		return nil, err
	}
	changes := make([]StatusChange, len(cmd.Items))
	for i, item := range cmd.Items {
		changes[i] = StatusChange{Asset: asset.Asset{Identity: item.Identity}, To: item.Status}
	}
	if err := s.RegisterAssets(ctx, changes); err != nil {
		return nil, err
	}
	var confirmed []int64
	before := make([]asset.Asset, len(changes))
	for i, change := range changes {
		if err := cmd.Check(change.Asset); err != nil {
			return nil, ContractError{err} // another transaction has just registered the asset
		}
		before[i] = change.Asset
		if change.Status == asset.StatusAllowed && change.To == change.Status {
			confirmed = append(confirmed, change.ID)
		}
	}
	if err := s.confirm(ctx, confirmed); err != nil {
		return nil, err
	}
	if err := s.record(ctx, cmd.Entry(before)); err != nil {
		return nil, err
	}
	return before, s.RecordChanges(ctx, changes, cmd.At, cmd.Origin)
}

// checkStatuses returns the error of the command's Check, before anything is written.
func (s session) checkStatuses(ctx context.Context, cmd asset.SetStatusesCommand) error {
	if cmd.IfStatus == "" {
		return nil
	}
	for _, item := range cmd.Items {
		present, err := s.asset(ctx, SelectAsset+s.dialect.Lock, item.Identity)
		if errors.Is(err, errNoRow) {
			present, err = asset.Asset{Identity: item.Identity, Status: asset.StatusUnknown}, nil
		}
		if err != nil {
			return err
		}
		if err := cmd.Check(present); err != nil {
			return ContractError{err}
		}
	}
	return nil
}

// confirm stores that a decision leaves the assets ALLOWED, which are locked.
func (s session) confirm(ctx context.Context, assetIDs []int64) error {
	if len(assetIDs) == 0 {
		return nil
	}
	return s.queueBuilt(ctx, squirrel.Expr(confirmAssets, s.dialect.AnyOf("id", assetIDs)))
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

// setStatus sets the status of an asset, which is locked, and records the change. It returns the
// ID of the change. If the asset already has the status, it returns 0, and an ALLOWED asset is
// confirmed.
func (s session) setStatus(ctx context.Context, assetID int64, from, to asset.Status, at time.Time, origin asset.Origin) (int64, error) {
	switch {
	case from != to:
	case to == asset.StatusAllowed:
		return 0, s.confirm(ctx, []int64{assetID})
	default:
		return 0, nil
	}
	s.countChange(from, to)
	if err := s.queue(ctx, UpdateStatus, StatusCode(to), assetID); err != nil {
		return 0, err
	}
	return s.insert(ctx, s.dialect.Feed.InsertChange,
		assetID, assetID, StatusCode(from), StatusCode(to), assetID, Millis(at), Millis(at), CauseCode(origin.Cause), origin.Actor, origin.Reference)
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
