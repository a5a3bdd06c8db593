package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
)

func allowlistChecks() []requirement {
	return []requirement{
		{"an entry is read back with every field", func(p *probe) {
			group := p.newGroup(1, "Sites")
			cmd := addCommand(1)
			cmd.At = at(3)
			cmd.GroupIDs = []int64{group}
			cmd.Entries = []allowlist.Entry{
				{Asset: asset.Asset{Identity: site(1)}, Content: "first", Name: "Name", Description: "Description", GroupID: group},
				submitted(2, "second"),
			}
			p.add(cmd)
			require.ElementsMatch(p, []allowlist.Entry{
				{Asset: p.asset(site(1)), Content: "first", Name: "Name", Description: "Description", GroupID: group, AddedAt: at(3)},
				{Asset: p.asset(site(2)), Content: "second", AddedAt: at(3)},
			}, p.entries(1))
		}},
		{"entries are ordered by asset ID, in pages of every size", func(p *probe) {
			p.add(addCommand(2, 9, 4, 7))
			p.add(addCommand(1, 3, 1, 7, 2))
			p.add(addCommand(1, 4, 0))
			whole := p.entries(1)
			require.Len(p, whole, 6)
			for i := 1; i < len(whole); i++ {
				require.Less(p, whole[i-1].Asset.ID, whole[i].Asset.ID)
			}
			everyPageSize(p, whole, func(last allowlist.Entry, size int) asset.Page[allowlist.Entry] {
				return p.entriesAfter(1, last.Asset.ID, size)
			})
			require.Empty(p, p.entriesAfter(1, asset.MaxID, 10).Items)
		}},
		{"allowing organizations are ordered by ID, in pages of every size", func(p *probe) {
			organizations := []int64{7, 1, 300, 4}
			for i, organization := range organizations {
				cmd := addCommand(organization, 0, 1)
				cmd.At = at(i)
				p.add(cmd)
			}
			p.add(addCommand(5, 0))
			id := p.asset(site(1)).ID
			want := []allowlist.AllowingOrganization{
				{OrganizationID: 1, AddedAt: at(1)},
				{OrganizationID: 4, AddedAt: at(3)},
				{OrganizationID: 7, AddedAt: at(0)},
				{OrganizationID: 300, AddedAt: at(2)},
			}
			everyPageSize(p, want, func(last allowlist.AllowingOrganization, size int) asset.Page[allowlist.AllowingOrganization] {
				return p.allowingAfter(id, last.OrganizationID, size)
			})
			require.Empty(p, p.allowingAfter(id+1000, 0, noLimit).Items, "an unknown asset")
		}},
		{"1,000 entries are added to 1,000 groups", needs("Import", func(p *probe) {
			cmd := addCommand(1, numbersTo(allowlist.MaxItems)...)
			organization := storage.SeedOrganization{ID: 1, Slug: "acme"}
			for i := range cmd.Entries {
				group := int64(i + 1)
				organization.Groups = append(organization.Groups, storage.SeedGroup{ID: group})
				cmd.GroupIDs = append(cmd.GroupIDs, group)
				cmd.Entries[i].GroupID = group
			}
			require.NoError(p, p.Import(p.Context(), storage.Seed{Organizations: []storage.SeedOrganization{organization}}))
			outcomes := p.add(cmd)
			entries := p.entriesByAsset()
			require.Len(p, entries, allowlist.MaxItems)
			for i, outcome := range outcomes {
				require.NoError(p, outcome.Err)
				entry := entries[site(i)]
				require.Equal(p, outcome.AssetID, entry.Asset.ID)
				require.Equal(p, cmd.Entries[i].GroupID, entry.GroupID)
			}
			changes := p.changes(asset.ChangeFilter{})
			require.Len(p, changes, allowlist.MaxItems)
			for i, change := range changes {
				require.Equal(p, site(allowlist.MaxItems-1-i).Canonical, change.Content)
			}
			for _, outcome := range p.add(cmd) {
				require.ErrorIs(p, outcome.Err, allowlist.ErrExists)
			}
		})},
	}
}
