package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

// entryRow is an asset on the allowlist of an organization.
type entryRow struct {
	asset       *assetRow
	name        string
	description string
	groupID     int64
	addedAt     time.Time
}

// AddToAllowlist implements [allowlist.Store].
func (s *Store) AddToAllowlist(ctx context.Context, addition allowlist.Addition) ([]allowlist.Outcome, error) {
	if err := s.beginWrite(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()

	for _, id := range addition.GroupIDs {
		if group, known := s.tables.groups[id]; !known || group.OrganizationID != addition.OrganizationID {
			return nil, &allowlist.GroupNotFoundError{GroupID: id}
		}
	}
	// Nothing below can fail.
	entries := s.tables.allowlists[addition.OrganizationID]
	outcomes := make([]allowlist.Outcome, len(addition.Candidates))
	var added []*entryRow
	for i, candidate := range addition.Candidates {
		row, known := s.tables.assets[candidate.Identity]
		if known {
			_, listed := findEntry(entries, row.asset.ID)
			if err := addition.Refusal(row.asset.Status, listed); err != nil {
				outcomes[i] = allowlist.Outcome{AssetID: row.asset.ID, Err: err}
				continue
			}
		} else {
			row = s.tables.register(candidate.Identity)
		}
		s.tables.setStatus(row, asset.StatusAllowed, addition.At, addition.Origin)
		added = append(added, newEntry(row, candidate, addition.At))
		outcomes[i].AssetID = row.asset.ID
	}
	s.tables.allowlists[addition.OrganizationID] = mergeEntries(entries, added)
	return outcomes, nil
}

func newEntry(row *assetRow, candidate allowlist.Candidate, at time.Time) *entryRow {
	return &entryRow{
		asset:       row,
		name:        candidate.Name,
		description: candidate.Description,
		groupID:     candidate.GroupID,
		addedAt:     asset.TruncateTime(at),
	}
}

// findEntry returns the place of the entry with that asset, or the place where it
// would be.
func findEntry(entries []*entryRow, assetID int64) (int, bool) {
	return slices.BinarySearchFunc(entries, assetID, func(entry *entryRow, id int64) int {
		return cmp.Compare(entry.asset.asset.ID, id)
	})
}

// mergeEntries returns all entries ordered by asset ID. Those of new assets
// belong to the end already.
func mergeEntries(entries, added []*entryRow) []*entryRow {
	byAsset := func(a, b *entryRow) int { return cmp.Compare(a.asset.asset.ID, b.asset.asset.ID) }
	entries = append(entries, added...)
	if !slices.IsSortedFunc(entries, byAsset) {
		slices.SortFunc(entries, byAsset)
	}
	return entries
}

// AllowlistEntries implements [allowlist.Store].
func (s *Store) AllowlistEntries(ctx context.Context, organizationID, after int64, limit int) ([]allowlist.Entry, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	rows := s.tables.allowlists[organizationID]
	start, listed := findEntry(rows, after)
	if listed {
		start++
	}
	var entries []allowlist.Entry
	for _, row := range rows[start:] {
		if len(entries) >= limit {
			break
		}
		entries = append(entries, allowlist.Entry{
			Asset:       row.asset.asset,
			Name:        row.name,
			Description: row.description,
			GroupID:     row.groupID,
			AddedAt:     row.addedAt,
		})
	}
	return entries, nil
}

// AllowlistHolders implements [allowlist.Store].
func (s *Store) AllowlistHolders(ctx context.Context, assetID, after int64, limit int) ([]allowlist.Holder, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	var holders []allowlist.Holder
	for _, id := range slices.Sorted(maps.Keys(s.tables.allowlists)) {
		entries := s.tables.allowlists[id]
		at, listed := findEntry(entries, assetID)
		if listed && id > after && len(holders) < limit {
			holders = append(holders, allowlist.Holder{OrganizationID: id, AddedAt: entries[at].addedAt})
		}
	}
	return holders, nil
}
