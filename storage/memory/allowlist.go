package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// entryRow is an entry of an allowlist. The Asset of the entry is zero, as the asset may
// change.
type entryRow struct {
	organizationID int64
	entry          allowlist.Entry
	asset          *assetRow
}

// AddToAllowlist implements [allowlist.Store].
func (s *Store) AddToAllowlist(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	if cmd.DryRun {
		return read(ctx, s, func(t *tables) ([]allowlist.Outcome, error) { return t.previewAdditions(cmd) })
	}
	return writeOnce(ctx, s, cmd.Claim, cmd.Record, func(t *tables) ([]allowlist.Outcome, error) {
		outcomes, err := t.previewAdditions(cmd)
		if err != nil {
			return nil, err
		}
		var added []*entryRow
		for i, entry := range cmd.Entries {
			row := t.register(entry.Asset.Identity)
			outcomes[i].AssetID = row.ID
			if outcomes[i].Err == nil {
				added = append(added, t.addEntry(row, entry, cmd))
			}
		}
		t.allowlists[cmd.OrganizationID] = mergeEntries(t.allowlists[cmd.OrganizationID], added)
		return outcomes, nil
	})
}

// addEntry adds an entry to its asset, in the place of one that has ended. The caller adds it to the
// allowlist.
func (t *tables) addEntry(row *assetRow, entry allowlist.Entry, cmd allowlist.AddCommand) *entryRow {
	row.removeEntry(cmd.OrganizationID)
	held, addedAt := row.held(cmd.At).Add(cmd.At)
	entry.Asset, entry.AddedAt, entry.ExpiresAt = asset.Asset{}, addedAt, step.TruncateTime(entry.ExpiresAt)
	added := &entryRow{organizationID: cmd.OrganizationID, entry: entry, asset: row}
	row.entries = append(row.entries, added)
	t.settle(row, held, cmd.At, cmd.Origin)
	return added
}

// removeEntry removes the organization's entry from the asset, if it has one.
func (r *assetRow) removeEntry(organizationID int64) {
	r.entries = slices.DeleteFunc(r.entries, func(e *entryRow) bool { return e.organizationID == organizationID })
}

// previewAdditions returns the outcomes of the command. The assets that do not exist have no ID.
func (t *tables) previewAdditions(cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	_, exists := t.organizations[cmd.OrganizationID]
	if err := cmd.CheckOrganization(exists, t.ownedGroups(cmd.OrganizationID, cmd.GroupIDs)); err != nil {
		return nil, err
	}
	outcomes := make([]allowlist.Outcome, len(cmd.Entries))
	for i, entry := range cmd.Entries {
		present, listed := asset.Asset{Identity: entry.Asset.Identity, Status: asset.StatusUnknown}, false
		if row, known := t.assets[present.Identity]; known {
			present, listed = row.Asset, t.entryAt(cmd.OrganizationID, row.ID, cmd.At) != nil
			outcomes[i].AssetID, outcomes[i].Status = row.ID, row.Status
		}
		outcomes[i].Err = cmd.Refusal(present, listed)
	}
	return outcomes, nil
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

// mergeEntries returns all entries ordered by asset ID. An added entry replaces one that has
// ended. Those of new assets are already in order.
func mergeEntries(entries, added []*entryRow) []*entryRow {
	before := entries
	for _, row := range added {
		if i, ended := findEntry(before, row.asset.ID); ended {
			entries[i] = row
		} else {
			entries = append(entries, row)
		}
	}
	byAsset := func(a, b *entryRow) int { return cmp.Compare(a.asset.ID, b.asset.ID) }
	if !slices.IsSortedFunc(entries, byAsset) {
		slices.SortFunc(entries, byAsset)
	}
	return entries
}

// AllowlistEntries implements [allowlist.Store].
func (s *Store) AllowlistEntries(ctx context.Context, req allowlist.ListRequest, at time.Time) (allowlist.Page, error) {
	return read(ctx, s, func(t *tables) (allowlist.Page, error) {
		rows := above(t.allowlists[req.OrganizationID], req.Cursor, func(row *entryRow) int64 { return row.asset.ID })
		var last int64
		if req.Filter != (allowlist.Filter{}) && len(rows) > allowlist.MaxScan {
			rows = rows[:allowlist.MaxScan]
			last = rows[len(rows)-1].asset.ID
		}
		found, err := step.ReadPage(req.Limit, func(yield func(allowlist.Entry, error) bool) {
			for _, row := range rows {
				entry := row.entry
				entry.Asset = row.asset.Asset
				if !t.ownsGroup(req.OrganizationID, entry.GroupID) {
					entry.GroupID = 0
				}
				if !entry.Ended(at) && req.Filter.Match(entry) && !yield(entry, nil) {
					return
				}
			}
		})
		return allowlist.NewPage(found, last), err
	})
}

// AllowingOrganizations implements [allowlist.Store].
func (s *Store) AllowingOrganizations(ctx context.Context, req allowlist.AllowedByRequest, at time.Time) (step.Page[allowlist.AllowingOrganization], error) {
	return read(ctx, s, func(t *tables) (step.Page[allowlist.AllowingOrganization], error) {
		return step.ReadPage(req.Limit, func(yield func(allowlist.AllowingOrganization, error) bool) {
			for _, id := range slices.Sorted(maps.Keys(t.allowlists)) {
				row := t.entryAt(id, req.AssetID, at)
				if row == nil || id <= req.Cursor {
					continue
				}
				one := allowlist.AllowingOrganization{OrganizationID: id, AddedAt: row.entry.AddedAt, ExpiresAt: row.entry.ExpiresAt}
				if !yield(one, nil) {
					return
				}
			}
		})
	})
}
