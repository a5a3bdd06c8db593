package allowlist

import (
	"context"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// CheckOrganization returns [account.ErrOrganizationNotFound] if the organization does not exist,
// a [*GroupNotFoundError] with the first ID in cmd.GroupIDs that owned does not contain, or nil.
// The caller sets owned to those of cmd.GroupIDs that belong to the organization, in any order.
func (cmd AddCommand) CheckOrganization(exists bool, owned []int64) error {
	if !exists {
		return account.ErrOrganizationNotFound
	}
	isOwned := make(map[int64]bool, len(owned))
	for _, id := range owned {
		isOwned[id] = true
	}
	for _, id := range cmd.GroupIDs {
		if !isOwned[id] {
			return &GroupNotFoundError{GroupID: id}
		}
	}
	return nil
}

// Refusal returns [ErrExists] or [ErrBlocked] if an asset must not be added, or nil. The asset
// has the status of before the command, which is UNKNOWN if it did not exist. The argument
// listed says whether the organization's allowlist contains the asset.
func (cmd AddCommand) Refusal(present asset.Asset, listed bool) error {
	switch {
	case listed:
		return ErrExists
	case !cmd.RefuseBlocked[present.Identity]:
		return nil
	case present.Status == asset.StatusBlocked, cmd.CoverBlocks[present.Identity]:
		return ErrBlocked
	default:
		return nil
	}
}

// conditional returns the assets that are refused if they are BLOCKED.
func (s *Service) conditional(items []Item, batch asset.Batch[Entry]) map[asset.Identity]bool {
	assets := make(map[asset.Identity]bool)
	for i, place := range batch.Places {
		if place.Err == nil && !place.Duplicate && (s.refuseBlocked || items[i].RefuseBlocked) {
			assets[batch.Unique[place.Index].Asset.Identity] = true
		}
	}
	return assets
}

// coverBlocks returns those of the assets in cmd.RefuseBlocked that a cover other than themselves,
// such as their domain, makes BLOCKED.
func (s *Service) coverBlocks(ctx context.Context, cmd AddCommand) (map[asset.Identity]bool, error) {
	var identities []asset.Identity
	for _, entry := range cmd.Entries {
		if cmd.RefuseBlocked[entry.Asset.Identity] {
			identities = append(identities, entry.Asset.Identity)
		}
	}
	if len(identities) == 0 {
		return nil, nil
	}
	results, err := s.covers.CheckAssets(ctx, identities)
	if err != nil {
		return nil, err
	}
	blocked := make(map[asset.Identity]bool)
	for i, result := range results {
		match := result.Match
		if match != nil && match.Kind != classify.CoverExact && match.Status == asset.StatusBlocked {
			blocked[identities[i]] = true
		}
	}
	return blocked, nil
}
