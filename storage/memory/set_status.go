package memory

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// SetAssetStatuses implements [asset.Store].
func (s *Store) SetAssetStatuses(ctx context.Context, cmd asset.SetStatusesCommand) ([]asset.Held, error) {
	return writeOnce(ctx, s, cmd.Claim, cmd.Record, func(t *tables) ([]asset.Held, error) { return t.setStatuses(cmd) })
}

// setStatuses is the step of SetAssetStatuses.
func (t *tables) setStatuses(cmd asset.SetStatusesCommand) ([]asset.Held, error) {
	if err := t.checkStatuses(cmd); err != nil {
		return nil, err
	}
	before := make([]asset.Held, len(cmd.Items))
	for i, item := range cmd.Items {
		row := t.register(item.Identity)
		before[i] = row.held(cmd.At)
		held, stores := cmd.Apply(i, before[i])
		if stores {
			row.operators = held.Operators
		}
		t.settle(row, held, cmd.At, cmd.Origin)
	}
	t.record(cmd.Entry(before))
	return before, nil
}

// checkStatuses returns the error of the command's Check.
func (t *tables) checkStatuses(cmd asset.SetStatusesCommand) error {
	for i, item := range cmd.Items {
		held, _ := t.held(item.Identity, cmd.At)
		if err := cmd.Check(i, held); err != nil {
			return err
		}
	}
	return nil
}

// Held implements [asset.Store].
func (s *Store) Held(ctx context.Context, identity asset.Identity, at time.Time) (asset.Held, error) {
	return read(ctx, s, func(t *tables) (asset.Held, error) {
		held, known := t.held(identity, at)
		if !known {
			return asset.Held{}, asset.ErrNotFound
		}
		return held, nil
	})
}

// held returns what is held on the asset with the identity. If there is none, it is UNKNOWN.
func (t *tables) held(identity asset.Identity, at time.Time) (held asset.Held, known bool) {
	if row, known := t.assets[identity]; known {
		return row.held(at), true
	}
	return asset.NewHeld(identity), false
}
