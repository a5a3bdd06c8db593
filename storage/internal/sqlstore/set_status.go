package sqlstore

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/asset"
)

// SetAssetStatuses implements asset.Store.
func (s *Store) SetAssetStatuses(ctx context.Context, cmd asset.SetStatusesCommand) ([]asset.Held, error) {
	return writeOnce(ctx, s, "set asset statuses", cmd.Claim, cmd.Record, func(ctx context.Context, on session) ([]asset.Held, error) {
		return on.setStatuses(ctx, cmd)
	})
}

func (s session) setStatuses(ctx context.Context, cmd asset.SetStatusesCommand) ([]asset.Held, error) {
	if err := s.checkStatuses(ctx, cmd); err != nil {
		return nil, err
	}
	assets := make([]Locked, len(cmd.Items))
	for i, item := range cmd.Items {
		assets[i] = toRegister(item.Identity, cmd.At, func(held asset.Held) asset.Held {
			held, _ = cmd.Apply(i, held)
			return held
		})
	}
	if err := s.registerAll(ctx, assets, heldFor{at: cmd.At}); err != nil {
		return nil, err
	}
	var decided []asset.Held
	settled := make([]*Locked, len(assets))
	before := make([]asset.Held, len(assets))
	for i := range assets {
		one := &assets[i]
		before[i] = one.Held
		if err := cmd.Check(i, before[i]); err != nil {
			return nil, ContractError{err} // another transaction has changed the asset since checkStatuses
		}
		held, stores := cmd.Apply(i, before[i])
		if stores {
			decided = append(decided, held)
		}
		one.Held, settled[i] = held, one
	}
	store := s.putDecisions
	if cmd.Removes() {
		store = s.replaceDecisions
	}
	if err := store(ctx, decided...); err != nil {
		return nil, err
	}
	if err := s.record(ctx, cmd.Entry(before)); err != nil {
		return nil, err
	}
	return before, s.settleAll(ctx, settled, cmd.At, cmd.Origin)
}

// checkStatuses returns the error of the command's Check, before anything is written.
func (s session) checkStatuses(ctx context.Context, cmd asset.SetStatusesCommand) error {
	if !cmd.Checks() {
		return nil
	}
	for i, item := range cmd.Items {
		held, err := s.heldOnIdentity(ctx, SelectAsset+s.dialect.Lock, item.Identity, cmd.At)
		if errors.Is(err, errNoRow) {
			held, err = asset.NewHeld(item.Identity), nil
		}
		if err != nil {
			return err
		}
		if err := cmd.Check(i, held); err != nil {
			return ContractError{err}
		}
	}
	return nil
}

// heldOnIdentity returns what is held on the asset with the identity, or errNoRow. The query is that of
// asset.
func (s session) heldOnIdentity(ctx context.Context, query string, identity asset.Identity, at time.Time) (asset.Held, error) {
	found, err := s.asset(ctx, query, identity)
	if err != nil {
		return asset.Held{}, err
	}
	one, err := only(s.heldOn(ctx, []int64{found.ID}, heldFor{at: at}))
	if err != nil {
		return asset.Held{}, err
	}
	return one.Held, nil
}

// Held implements asset.Store.
func (s *Store) Held(ctx context.Context, identity asset.Identity, at time.Time) (asset.Held, error) {
	return readOnce(ctx, s, short("held on an asset"), func(ctx context.Context, on session) (asset.Held, error) {
		held, err := on.heldOnIdentity(ctx, SelectAsset, identity, at)
		return held, orContractError(err, asset.ErrNotFound)
	})
}
