package allowlist

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

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
	var entries []Entry
	for _, entry := range cmd.Entries {
		if cmd.RefuseBlocked[entry.Asset.Identity] {
			entries = append(entries, entry)
		}
	}
	results, err := checkEntries(ctx, s.covers, entries)
	if err != nil {
		return nil, err
	}
	blocked := make(map[asset.Identity]bool)
	for i, result := range results {
		match := result.Match
		if match != nil && match.Kind != classify.CoverExact && match.Status == asset.StatusBlocked {
			blocked[entries[i].Asset.Identity] = true
		}
	}
	return blocked, nil
}

// checkEntries returns the verdicts for the assets of the entries.
func checkEntries(ctx context.Context, checks *check.Service, entries []Entry) ([]check.Result, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	contents := make([]string, len(entries))
	for i, entry := range entries {
		contents[i] = entry.Asset.Canonical
	}
	return checks.CheckBatch(ctx, contents)
}
