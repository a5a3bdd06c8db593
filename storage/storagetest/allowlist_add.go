package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
)

func allowlistChecks() []requirement {
	return []requirement{
		{"a new asset is registered and its change recorded", func(p *probe) {
			cmd := addCommand(1, 1)
			cmd.At = at(3)
			cmd.Origin = asset.Origin{Cause: asset.CauseAllowlist, Actor: 8, Reference: "organization/1"}
			outcomes := p.add(cmd)
			got := p.asset(site(1))
			require.Equal(p, []allowlist.Outcome{{AssetID: got.ID}}, outcomes)
			require.Equal(p, asset.Asset{ID: got.ID, Identity: site(1), Status: asset.StatusAllowed}, got)
			change := only(p, p.changes(asset.ChangeFilter{}))
			require.Equal(p, asset.Change{
				ID:      change.ID,
				AssetID: got.ID,
				Type:    asset.TypeURL,
				Content: got.Canonical,
				From:    asset.StatusUnknown,
				To:      asset.StatusAllowed,
				At:      at(3),
				Origin:  cmd.Origin,
			}, change)
		}},
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
		{"an entry has the content as its organization submitted it", func(p *probe) {
			first, second, third := addCommand(1), addCommand(2), addCommand(3, 1)
			first.Entries = []allowlist.Entry{submitted(1, "HTTPS://SITE-1.example")}
			second.Entries = []allowlist.Entry{submitted(1, site(1).Canonical+"/")}
			p.add(first)
			p.add(second)
			p.add(third)
			require.Equal(p, "HTTPS://SITE-1.example", only(p, p.entries(1)).Content)
			require.Equal(p, site(1).Canonical+"/", only(p, p.entries(2)).Content)
			require.Equal(p, site(1).Canonical, only(p, p.entries(3)).Content)
		}},
		{"a command without entries adds nothing", func(p *probe) {
			p.add(addCommand(1))
			require.Empty(p, p.entries(1))
		}},
		{"a listed asset is ErrExists and its entry is unchanged", func(p *probe) {
			p.add(addCommand(1, 1))
			before := only(p, p.entries(1))
			again := addCommand(1)
			again.At = at(9)
			again.Entries = []allowlist.Entry{{
				Asset: asset.Asset{Identity: site(1)}, Content: "other", Name: "other", Description: "other",
			}}
			outcomes := p.add(again)
			require.ErrorIs(p, outcomes[0].Err, allowlist.ErrExists)
			require.Equal(p, before.Asset.ID, outcomes[0].AssetID)
			require.Equal(p, before, only(p, p.entries(1)))
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
		}},
		{"a listed asset that is BLOCKED stays BLOCKED", func(p *probe) {
			p.add(addCommand(1, 1))
			p.set(site(1), asset.StatusBlocked, at(1))
			outcomes := p.add(addCommand(1, 1))
			require.ErrorIs(p, outcomes[0].Err, allowlist.ErrExists)
			require.Equal(p, asset.StatusBlocked, p.asset(site(1)).Status)
			require.Equal(p, asset.StatusBlocked, only(p, p.entries(1)).Asset.Status, "an entry must have the current status of its asset")
		}},
		{"a listed asset is ErrExists even if it is BLOCKED", func(p *probe) {
			p.add(addCommand(1, 1))
			p.set(site(1), asset.StatusBlocked, at(1))
			p.set(site(2), asset.StatusBlocked, at(1))
			cmd := addCommand(1, 1, 2)
			cmd.RefuseBlocked = true
			outcomes := p.add(cmd)
			require.ErrorIs(p, outcomes[0].Err, allowlist.ErrExists)
			require.ErrorIs(p, outcomes[1].Err, allowlist.ErrBlocked)
			require.Equal(p, p.asset(site(2)).ID, outcomes[1].AssetID, "the outcome of a refused entry must have the ID of its asset")
		}},
		{"a BLOCKED asset is ErrBlocked and unchanged if the command refuses it", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			cmd := addCommand(1, 1, 2)
			cmd.RefuseBlocked = true
			outcomes := p.add(cmd)
			require.ErrorIs(p, outcomes[0].Err, allowlist.ErrBlocked)
			require.NoError(p, outcomes[1].Err)
			require.Equal(p, asset.StatusBlocked, p.asset(site(1)).Status)
			require.Len(p, p.entries(1), 1)
			require.Len(p, p.changes(asset.ChangeFilter{Identity: site(1)}), 1)
		}},
		{"an asset with a cover that blocks is ErrBlocked unless it is ALLOWED itself", func(p *probe) {
			p.set(site(1), asset.StatusAllowed, at(0))
			cmd := addCommand(1, 1, 2)
			cmd.RefuseBlocked = true
			cmd.CoverBlocks = map[asset.Identity]bool{site(1): true, site(2): true}
			outcomes := p.add(cmd)
			require.NoError(p, outcomes[0].Err)
			require.ErrorIs(p, outcomes[1].Err, allowlist.ErrBlocked)
			require.Equal(p, asset.StatusUnknown, p.asset(site(2)).Status)
			require.Len(p, p.entries(1), 1)
		}},
		{"a BLOCKED asset becomes ALLOWED with a change", func(p *probe) {
			blocked := p.set(site(1), asset.StatusBlocked, at(0))
			cmd := addCommand(1, 1)
			cmd.At = at(1)
			require.Equal(p, []allowlist.Outcome{{AssetID: blocked.ID, Status: asset.StatusBlocked}}, p.add(cmd))
			require.Equal(p, asset.StatusAllowed, p.asset(site(1)).Status)
			newest := p.newestChange()
			require.Equal(p, asset.StatusBlocked, newest.From)
			require.Equal(p, asset.StatusAllowed, newest.To)
			require.Equal(p, asset.CauseAllowlist, newest.Origin.Cause)
		}},
		{"an ALLOWED asset is added without a change", func(p *probe) {
			p.set(site(1), asset.StatusAllowed, at(0))
			cmd := addCommand(1, 1)
			cmd.RefuseBlocked = true
			require.NoError(p, p.add(cmd)[0].Err)
			require.Len(p, p.entries(1), 1)
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
		}},
		{"an UNKNOWN asset that exists becomes ALLOWED", func(p *probe) {
			first := p.set(site(1), asset.StatusUnknown, at(0))
			require.Equal(p, first.ID, p.add(addCommand(1, 1))[0].AssetID)
			first.Status = asset.StatusAllowed
			require.Equal(p, first, p.asset(site(1)))
		}},
		{"two organizations share the asset but not the entry", func(p *probe) {
			first, second := addCommand(1, 1), addCommand(2, 1)
			first.Entries[0].Name, second.Entries[0].Name = "first", "second"
			first.Entries[0].Content = "HTTPS://first"
			second.At = at(1)
			a, b := p.add(first), p.add(second)
			require.Equal(p, a[0].AssetID, b[0].AssetID, "both entries must have the same asset")
			require.Equal(p, []allowlist.Entry{{Asset: p.asset(site(1)), Content: "HTTPS://first", Name: "first", AddedAt: at(0)}}, p.entries(1))
			require.Equal(p, []allowlist.Entry{{Asset: p.asset(site(1)), Content: site(1).Canonical, Name: "second", AddedAt: at(1)}}, p.entries(2))
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
			require.Empty(p, p.entries(3))
		}},
		{"change IDs follow the order of the entries", func(p *probe) {
			p.set(site(3), asset.StatusBlocked, at(-1))
			p.set(site(1), asset.StatusUnknown, at(-1))
			p.add(addCommand(1, 5, 1, 4, 3, 2))
			require.Equal(p, sites(2, 3, 4, 1, 5), contents(p.changes(asset.ChangeFilter{To: asset.StatusAllowed})))
		}},
		{"outcomes follow the order of the entries", func(p *probe) {
			p.add(addCommand(1, 3))
			outcomes := p.add(addCommand(1, 5, 3, 1))
			require.ErrorIs(p, outcomes[1].Err, allowlist.ErrExists)
			for i, n := range []int{5, 3, 1} {
				require.Equal(p, p.asset(site(n)).ID, outcomes[i].AssetID)
			}
		}},
		{"an unknown group is a GroupNotFoundError and stores nothing", func(p *probe) {
			group := p.newGroup(1, "Sites")
			p.set(site(2), asset.StatusBlocked, at(0))
			cmd := addCommand(1, 1, 2, 3)
			cmd.GroupIDs = []int64{group, 998, 999}
			cmd.Entries[0].GroupID, cmd.Entries[1].GroupID, cmd.Entries[2].GroupID = group, 999, 998
			p.refusedGroup(cmd, 998)
			p.noAsset(site(1))
			p.noAsset(site(3))
			require.Equal(p, asset.StatusBlocked, p.asset(site(2)).Status)
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
			require.Empty(p, p.entries(1))
		}},
		{"a group of another organization is a GroupNotFoundError", func(p *probe) {
			mine, other := p.newGroup(1, "mine"), p.newGroup(2, "other")
			cmd := addCommand(1, 1)
			cmd.GroupIDs = []int64{mine, other}
			p.refusedGroup(cmd, other)
			require.Empty(p, p.entries(1))
			p.noAsset(site(1))
		}},
		{"a group without an entry is checked", func(p *probe) {
			cmd := addCommand(1, 1)
			cmd.GroupIDs = []int64{7}
			p.refusedGroup(cmd, 7)
			p.noAsset(site(1))
			p.refusedGroup(allowlist.AddCommand{OrganizationID: 1, GroupIDs: []int64{asset.MaxID}}, asset.MaxID)
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
