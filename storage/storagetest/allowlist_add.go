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
