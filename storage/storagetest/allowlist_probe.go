package storagetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/step"
)

// entryFor returns the entry to add for asset n, submitted in its canonical form.
func entryFor(n int) allowlist.Entry {
	return submitted(n, site(n).Canonical)
}

// submitted is entryFor with another content.
func submitted(n int, content string) allowlist.Entry {
	return allowlist.Entry{Asset: asset.Asset{Identity: site(n)}, Content: content}
}

// addCommand returns a command that adds assets at(0).
func addCommand(organizationID int64, numbers ...int) allowlist.AddCommand {
	cmd := allowlist.AddCommand{
		OrganizationID: organizationID,
		At:             at(0),
		Origin:         asset.Origin{Cause: asset.CauseAllowlist},
	}
	for _, n := range numbers {
		cmd.Entries = append(cmd.Entries, entryFor(n))
	}
	return cmd
}

// removeCommand returns a command that removes the assets with the IDs at(0).
func removeCommand(organizationID int64, assetIDs ...int64) allowlist.RemoveCommand {
	return allowlist.RemoveCommand{
		OrganizationID: organizationID,
		AssetIDs:       assetIDs,
		At:             at(0),
		Origin:         asset.Origin{Cause: asset.CauseAllowlistRemoval},
	}
}

// remove executes the command, and requires that a dry run of it returns the same.
func (p *probe) remove(cmd allowlist.RemoveCommand) []allowlist.RemovedEntry {
	p.Helper()
	preview := cmd
	preview.DryRun, preview.Claim = true, idempotency.Claim{}
	previewed, err := p.RemoveFromAllowlist(p.Context(), preview)
	require.NoError(p, err, "RemoveFromAllowlist with DryRun")
	removed, err := p.RemoveFromAllowlist(p.Context(), cmd)
	require.NoError(p, err, "RemoveFromAllowlist")
	require.Equal(p, orNil(removed), orNil(previewed), "RemoveFromAllowlist with DryRun")
	return orNil(removed)
}

// assetIDs returns the IDs of the assets of the entries.
func assetIDs(removed []allowlist.RemovedEntry) []int64 {
	ids := make([]int64, len(removed))
	for i, one := range removed {
		ids[i] = one.AssetID
	}
	return ids
}

// entriesByAsset returns the allowlist of organization 1 by identity. A store may
// register the assets of a command in any order.
func (p *probe) entriesByAsset() map[asset.Identity]allowlist.Entry {
	p.Helper()
	byAsset := make(map[asset.Identity]allowlist.Entry)
	for _, entry := range p.entries(1) {
		byAsset[entry.Asset.Identity] = entry
	}
	return byAsset
}

// refusedAdd requires that the command fails with that error.
func (p *probe) refusedAdd(cmd allowlist.AddCommand, refusal error) {
	p.Helper()
	outcomes, err := p.AddToAllowlist(p.Context(), cmd)
	require.Equal(p, refusal, err, "AddToAllowlist")
	require.Empty(p, outcomes)
}

// add executes the command for an organization that it stores if it does not exist.
func (p *probe) add(cmd allowlist.AddCommand) []allowlist.Outcome {
	p.Helper()
	p.ensureOrganizations(cmd.OrganizationID)
	outcomes, err := p.AddToAllowlist(p.Context(), cmd)
	require.NoError(p, err, "AddToAllowlist")
	require.Len(p, outcomes, len(cmd.Entries), "AddToAllowlist must return one outcome for each entry")
	return outcomes
}

// entries returns the whole allowlist of an organization.
func (p *probe) entries(organizationID int64) []allowlist.Entry {
	p.Helper()
	return allPages(p, noLimit, func(last allowlist.Entry) step.Page[allowlist.Entry] {
		return p.entriesAfter(organizationID, last.Asset.ID, noLimit)
	})
}

func (p *probe) entriesAfter(organizationID, after int64, limit int) step.Page[allowlist.Entry] {
	p.Helper()
	page := p.filtered(allowlist.ListRequest{OrganizationID: organizationID, Cursor: after, Limit: limit})
	if page.NextCursor != 0 {
		require.Equal(p, page.Entries[len(page.Entries)-1].Asset.ID, page.NextCursor, "NextCursor of a page without a filter")
	}
	return step.Page[allowlist.Entry]{Items: page.Entries, More: page.NextCursor != 0}
}

func (p *probe) filtered(req allowlist.ListRequest) allowlist.Page {
	p.Helper()
	page, err := p.AllowlistEntries(p.Context(), req, time.Time{})
	require.NoError(p, err, "AllowlistEntries with %+v", req)
	return page
}

func (p *probe) allowingAfter(assetID, after int64, limit int) step.Page[allowlist.AllowingOrganization] {
	p.Helper()
	found, err := p.AllowingOrganizations(p.Context(), allowlist.AllowedByRequest{AssetID: assetID, Cursor: after, Limit: limit}, time.Time{})
	require.NoError(p, err, "AllowingOrganizations of asset %d", assetID)
	return found
}
