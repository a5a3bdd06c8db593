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
			_, listed := findEntry(entries, row.ID)
			refusal := cmd.Refusal(row.Status, listed)
			outcomes[i] = allowlist.Outcome{AssetID: row.ID, Err: refusal}
			if refusal == nil {
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
				_, listed := findEntry(t.allowlists[cmd.OrganizationID], row.ID)
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
		if group, known := t.groups[id]; known && group.OrganizationID == organizationID {
			owned = append(owned, id)
		}
	}
	return owned
}

func newEntry(row *assetRow, candidate allowlist.Candidate, at time.Time) *entryRow {
	return &entryRow{asset: row, entry: allowlist.Entry{
		Content:     candidate.Content,
		Name:        candidate.Name,
		Description: candidate.Description,
		GroupID:     candidate.GroupID,
		AddedAt:     asset.TruncateTime(at),
	}}
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
func (s *Store) AllowlistEntries(ctx context.Context, req allowlist.ListRequest) (asset.Page[allowlist.Entry], error) {
	return read(ctx, s, func(t *tables) (asset.Page[allowlist.Entry], error) {
		rows := above(t.allowlists[req.OrganizationID], req.Cursor, func(row *entryRow) int64 { return row.asset.ID })
		return page(rows, req.Limit, func(row *entryRow) allowlist.Entry {
			entry := row.entry
			entry.Asset = row.asset.Asset
			return entry
		})
	})
}

// AllowingOrganizations implements [allowlist.Store].
func (s *Store) AllowingOrganizations(ctx context.Context, req allowlist.AllowedByRequest) (asset.Page[allowlist.AllowingOrganization], error) {
	return read(ctx, s, func(t *tables) (asset.Page[allowlist.AllowingOrganization], error) {
		return asset.ReadPage(req.Limit, func(yield func(allowlist.AllowingOrganization, error) bool) {
			for _, id := range slices.Sorted(maps.Keys(t.allowlists)) {
				entries := t.allowlists[id]
				i, listed := findEntry(entries, req.AssetID)
				if listed && id > req.Cursor && !yield(allowlist.AllowingOrganization{OrganizationID: id, AddedAt: entries[i].entry.AddedAt}, nil) {
					return
				}
			}
		})
	})
}
