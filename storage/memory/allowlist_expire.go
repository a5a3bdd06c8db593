package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/step"
)

// SetEntryExpiry implements [allowlist.Store].
func (s *Store) SetEntryExpiry(ctx context.Context, req allowlist.SetExpiryRequest, at time.Time) error {
	return s.do(ctx, func(t *tables) error {
		row := t.entryAt(req.OrganizationID, req.AssetID, at)
		if row == nil {
			return allowlist.ErrNotListed
		}
		row.entry.ExpiresAt = step.TruncateTime(req.ExpiresAt)
		return nil
	})
}

// ExpireEntries implements [allowlist.Store].
func (s *Store) ExpireEntries(ctx context.Context, cmd allowlist.ExpireCommand) (int, error) {
	return write(ctx, s, func(t *tables) (int, error) {
		ended := t.endedEntries(cmd)
		byOrganization := make(map[int64][]int64)
		for _, entry := range ended {
			byOrganization[entry.organizationID] = append(byOrganization[entry.organizationID], entry.row.asset.ID)
		}
		for _, id := range slices.Sorted(maps.Keys(byOrganization)) {
			assetIDs := slices.Sorted(slices.Values(byOrganization[id]))
			t.removeEntries(cmd.Removal(id, assetIDs), assetIDs)
		}
		return len(ended), nil
	})
}

type endedEntry struct {
	organizationID int64
	row            *entryRow
}

// endedEntries returns the entries that the command removes.
func (t *tables) endedEntries(cmd allowlist.ExpireCommand) []endedEntry {
	var ended []endedEntry
	for id, entries := range t.allowlists {
		for _, row := range entries {
			if row.entry.Ended(cmd.At) {
				ended = append(ended, endedEntry{id, row})
			}
		}
	}
	slices.SortFunc(ended, func(a, b endedEntry) int {
		return cmp.Or(
			a.row.entry.ExpiresAt.Compare(b.row.entry.ExpiresAt),
			cmp.Compare(a.organizationID, b.organizationID),
			cmp.Compare(a.row.asset.ID, b.row.asset.ID),
		)
	})
	return ended[:min(cmd.Limit, len(ended))]
}
