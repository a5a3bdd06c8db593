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

// entryRow is an entry of an allowlist.
type entryRow struct {
	asset       *assetRow
	content     string
	name        string
	description string
	groupID     int64
	addedAt     time.Time
}

// AddToAllowlist implements [allowlist.Store].
func (s *Store) AddToAllowlist(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	if err := s.beginWrite(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()

	if err := cmd.CheckGroups(s.tables.ownedGroups(cmd.OrganizationID, cmd.GroupIDs)); err != nil {
		return nil, err
	}
	// Nothing below can fail.
	entries := s.tables.allowlists[cmd.OrganizationID]
	outcomes := make([]allowlist.Outcome, len(cmd.Candidates))
	var added []*entryRow
	for i, candidate := range cmd.Candidates {
		row := s.tables.register(candidate.Identity)
		_, listed := findEntry(entries, row.asset.ID)
		outcomes[i] = allowlist.Outcome{AssetID: row.asset.ID, Err: cmd.Refusal(row.asset.Status, listed)}
		if outcomes[i].Err != nil {
			continue
		}
		s.tables.setStatus(row, cmd.Status, cmd.At, cmd.Origin)
		added = append(added, &entryRow{
			asset:       row,
			content:     candidate.Content,
			name:        candidate.Name,
			description: candidate.Description,
			groupID:     candidate.GroupID,
			addedAt:     asset.TruncateTime(cmd.At),
		})
	}
	s.tables.allowlists[cmd.OrganizationID] = mergeEntries(entries, added)
	return outcomes, nil
}

// ownedGroups returns those of the groups that belong to the organization.
func (t *tables) ownedGroups(organizationID int64, ids []int64) []int64 {
	var owned []int64
	for _, id := range ids {
		if group, known := t.groups[id]; known && group.OrganizationID == organizationID {
			owned = append(owned, id)
		}
	}
	return owned
}

// findEntry returns the place of the entry with that asset and true, or the place
// where it would be and false.
func findEntry(entries []*entryRow, assetID int64) (int, bool) {
	return slices.BinarySearchFunc(entries, assetID, func(entry *entryRow, id int64) int {
		return cmp.Compare(entry.asset.asset.ID, id)
	})
}

// mergeEntries returns all entries ordered by asset ID. If all added assets are new,
// they are in order already.
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
			Content:     row.content,
			Name:        row.name,
			Description: row.description,
			GroupID:     row.groupID,
			AddedAt:     row.addedAt,
		})
	}
	return entries, nil
}

// AllowingOrganizations implements [allowlist.Store].
func (s *Store) AllowingOrganizations(ctx context.Context, assetID, after int64, limit int) ([]allowlist.AllowingOrganization, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	var found []allowlist.AllowingOrganization
	for _, id := range slices.Sorted(maps.Keys(s.tables.allowlists)) {
		entries := s.tables.allowlists[id]
		at, listed := findEntry(entries, assetID)
		if listed && id > after && len(found) < limit {
			found = append(found, allowlist.AllowingOrganization{OrganizationID: id, AddedAt: entries[at].addedAt})
		}
	}
	return found, nil
}
