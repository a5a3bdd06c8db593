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

// entryRow is an entry of an allowlist. The Asset of the entry is zero, as the asset may
// change.
type entryRow struct {
	entry allowlist.Entry
	asset *assetRow
}

// AddToAllowlist implements [allowlist.Store].
func (s *Store) AddToAllowlist(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	return write(ctx, s, func(t *tables) ([]allowlist.Outcome, error) {
		if err := t.checkClaim(cmd.Claim); err != nil {
			return nil, err
		}
		if err := cmd.CheckGroups(t.ownedGroups(cmd.OrganizationID, cmd.GroupIDs)); err != nil {
			return nil, err
		}
		entries := t.allowlists[cmd.OrganizationID]
		outcomes := make([]allowlist.Outcome, len(cmd.Candidates))
		var added []*entryRow
		for i, candidate := range cmd.Candidates {
			row := t.register(candidate.Identity)
			old, found := findEntry(entries, row.ID)
			listed := found && !entries[old].entry.Ended(cmd.At)
			refusal := cmd.Refusal(candidate, row.Status, listed)
			outcomes[i] = allowlist.Outcome{AssetID: row.ID, Err: refusal}
			if refusal == nil {
				if found {
					entries = slices.Delete(entries, old, old+1)
				}
				t.setStatus(row, cmd.Status, cmd.At, cmd.Origin)
				added = append(added, newEntry(row, candidate, cmd.At))
			}
		}
		t.allowlists[cmd.OrganizationID] = mergeEntries(entries, added)
		if !cmd.Claim.IsZero() {
			t.keep(cmd.Claim, cmd.Record(outcomes))
		}
		return outcomes, nil
	})
}

// CandidateStates implements [allowlist.Store].
func (s *Store) CandidateStates(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.CandidateState, error) {
	return read(ctx, s, func(t *tables) ([]allowlist.CandidateState, error) {
		if err := cmd.CheckGroups(t.ownedGroups(cmd.OrganizationID, cmd.GroupIDs)); err != nil {
			return nil, err
		}
		states := make([]allowlist.CandidateState, len(cmd.Candidates))
		for i, candidate := range cmd.Candidates {
			if row, known := t.assets[candidate.Identity]; known {
				listed := t.entryAt(cmd.OrganizationID, row.ID, cmd.At) != nil
				states[i] = allowlist.CandidateState{AssetID: row.ID, Status: row.Status, Listed: listed}
			}
		}
		return states, nil
	})
}

// ownedGroups returns the groups among ids that belong to the organization.
func (t *tables) ownedGroups(organizationID int64, ids []int64) []int64 {
	var owned []int64
	for _, id := range ids {
		if t.ownsGroup(organizationID, id) {
			owned = append(owned, id)
		}
	}
	return owned
}

// ownsGroup reports whether the organization has the group.
func (t *tables) ownsGroup(organizationID, id int64) bool {
	group, known := t.groups[id]
	return known && group.OrganizationID == organizationID
}

func newEntry(row *assetRow, candidate allowlist.Candidate, at time.Time) *entryRow {
	return &entryRow{asset: row, entry: allowlist.Entry{
		Content:     candidate.Content,
		Name:        candidate.Name,
		Description: candidate.Description,
		GroupID:     candidate.GroupID,
		AddedAt:     asset.TruncateTime(at),
		ExpiresAt:   asset.TruncateTime(candidate.ExpiresAt),
	}}
}

// entryAt returns the organization's entry for the asset, unless it has ended, or nil.
func (t *tables) entryAt(organizationID, assetID int64, at time.Time) *entryRow {
	entries := t.allowlists[organizationID]
	i, found := findEntry(entries, assetID)
	if !found || entries[i].entry.Ended(at) {
		return nil
	}
	return entries[i]
}

// findEntry returns the index of the entry for the asset and true, or the index where it
// would be inserted and false.
func findEntry(entries []*entryRow, assetID int64) (int, bool) {
	return slices.BinarySearchFunc(entries, assetID, func(entry *entryRow, id int64) int {
		return cmp.Compare(entry.asset.ID, id)
	})
}

// mergeEntries returns all entries ordered by asset ID. They are already in order if all
// added assets are new.
func mergeEntries(entries, added []*entryRow) []*entryRow {
	byAsset := func(a, b *entryRow) int { return cmp.Compare(a.asset.ID, b.asset.ID) }
	entries = append(entries, added...)
	if !slices.IsSortedFunc(entries, byAsset) {
		slices.SortFunc(entries, byAsset)
	}
	return entries
}

// AllowlistEntries implements [allowlist.Store].
func (s *Store) AllowlistEntries(ctx context.Context, cmd allowlist.ListCommand) (asset.Page[allowlist.Entry], error) {
	return read(ctx, s, func(t *tables) (asset.Page[allowlist.Entry], error) {
		rows := above(t.allowlists[cmd.OrganizationID], cmd.Cursor, func(row *entryRow) int64 { return row.asset.ID })
		return asset.ReadPage(cmd.Limit, func(yield func(allowlist.Entry, error) bool) {
			for _, row := range rows {
				entry := row.entry
				entry.Asset = row.asset.Asset
				if !t.ownsGroup(cmd.OrganizationID, entry.GroupID) {
					entry.GroupID = 0
				}
				if !entry.Ended(cmd.At) && !yield(entry, nil) {
					return
				}
			}
		})
	})
}

// AllowingOrganizations implements [allowlist.Store].
func (s *Store) AllowingOrganizations(ctx context.Context, cmd allowlist.AllowedByCommand) (asset.Page[allowlist.AllowingOrganization], error) {
	return read(ctx, s, func(t *tables) (asset.Page[allowlist.AllowingOrganization], error) {
		return asset.ReadPage(cmd.Limit, func(yield func(allowlist.AllowingOrganization, error) bool) {
			for _, id := range slices.Sorted(maps.Keys(t.allowlists)) {
				row := t.entryAt(id, cmd.AssetID, cmd.At)
				if row != nil && id > cmd.Cursor && !yield(allowlist.AllowingOrganization{OrganizationID: id, AddedAt: row.entry.AddedAt}, nil) {
					return
				}
			}
		})
	})
}
