package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// idsOf returns the IDs of assets that exist.
func (p *probe) idsOf(numbers ...int) []int64 {
	p.Helper()
	ids := make([]int64, len(numbers))
	for i, n := range numbers {
		ids[i] = p.asset(site(n)).ID
	}
	return ids
}

// removal returns a command that removes assets from the allowlist of an organization.
func (p *probe) removal(organizationID int64, numbers ...int) allowlist.RemoveCommand {
	p.Helper()
	return removeCommand(organizationID, sorted(p.idsOf(numbers...))...)
}

func allowlistRemoveChecks() []requirement {
	return []requirement{
		{"a removed entry is in no list, and its asset is UNKNOWN again", func(p *probe) {
			p.add(addCommand(1, 1))
			id := p.asset(site(1)).ID
			cmd := removeCommand(1, id)
			cmd.At = at(3)
			cmd.Origin.Actor, cmd.Origin.Reference = 8, "organization/1"
			require.Equal(p, []int64{id}, p.remove(cmd))
			require.Empty(p, p.entries(1))
			require.Empty(p, p.allowingAfter(id, 0, noLimit).Items)
			require.Equal(p, asset.Asset{ID: id, Identity: site(1), Status: asset.StatusUnknown}, p.asset(site(1)))
			newest := p.newestChange()
			require.Equal(p, asset.Change{
				ID:      newest.ID,
				AssetID: id,
				Type:    asset.TypeURL,
				Content: site(1).Canonical,
				From:    asset.StatusAllowed,
				To:      asset.StatusUnknown,
				At:      at(3),
				Origin:  cmd.Origin,
			}, newest)
			require.Empty(p, p.remove(cmd), "a second time")
			require.Len(p, p.changes(asset.ChangeFilter{}), 2)
		}},
		{"an asset that was BLOCKED before is BLOCKED again", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			p.add(addCommand(1, 1))
			p.remove(p.removal(1, 1))
			require.Equal(p, asset.StatusBlocked, p.asset(site(1)).Status)
		}},
		{"an asset that was ALLOWED before stays ALLOWED", func(p *probe) {
			p.set(site(1), asset.StatusAllowed, at(0))
			p.add(addCommand(1, 1))
			require.Len(p, p.remove(p.removal(1, 1)), 1)
			require.Equal(p, asset.StatusAllowed, p.asset(site(1)).Status)
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
		}},
		{"an asset that something else has changed since stays as it is", func(p *probe) {
			p.add(addCommand(1, 1, 2))
			p.set(site(1), asset.StatusBlocked, at(1))
			p.set(site(2), asset.StatusBlocked, at(1))
			p.set(site(2), asset.StatusAllowed, at(2))
			changes := p.changes(asset.ChangeFilter{})
			require.Len(p, p.remove(p.removal(1, 1, 2)), 2)
			require.Equal(p, asset.StatusBlocked, p.asset(site(1)).Status)
			require.Equal(p, asset.StatusAllowed, p.asset(site(2)).Status)
			require.Equal(p, changes, p.changes(asset.ChangeFilter{}))
		}},
		{"the change of a removal is not before the addition", func(p *probe) {
			cmd := addCommand(1, 1)
			cmd.At = at(10)
			p.add(cmd)
			p.remove(p.removal(1, 1))
			require.Equal(p, at(10), p.newestChange().At)
			p.validChanges(site(1))
		}},
		{"an asset that a decision has confirmed stays ALLOWED", func(p *probe) {
			p.add(addCommand(1, 1, 2, 3))
			p.setStatuses(statusesCommand(at(1), asset.StatusAllowed, 1, 2, 4))
			changes := p.changes(asset.ChangeFilter{})
			require.Len(p, p.remove(p.removal(1, 1, 2)), 2)
			require.Equal(p, changes, p.changes(asset.ChangeFilter{}))
			p.remove(p.removal(1, 3))
			require.Equal(p, asset.StatusUnknown, p.asset(site(3)).Status, "another asset")
		}},
		{"an asset that a review or a dispute has confirmed stays ALLOWED", needs("AddReviews", func(p *probe) {
			p.add(addCommand(1, 1, 2))
			f := fileCommand("report", 1)
			f.Proposals[0].ProposedStatus = asset.StatusAllowed
			p.review(reviewOf(p.file(f).Proposals[0], report.ReviewApprove, 0))
			p.transition(acceptance(p.dispute(disputeCommand(2, "ada@acme.example")).ID, asset.StatusAllowed, at(1)))
			p.remove(p.removal(1, 1, 2))
			require.Equal(p, asset.StatusAllowed, p.asset(site(1)).Status)
			require.Equal(p, asset.StatusAllowed, p.asset(site(2)).Status)
		})},
		{"a confirmation ends with the next change", func(p *probe) {
			p.add(addCommand(1, 1))
			p.set(site(1), asset.StatusAllowed, at(1))
			p.set(site(1), asset.StatusBlocked, at(2))
			p.add(addCommand(2, 1))
			p.remove(p.removal(1, 1))
			p.remove(p.removal(2, 1))
			require.Equal(p, asset.StatusBlocked, p.asset(site(1)).Status)
		}},
		{"another addition confirms nothing", func(p *probe) {
			p.add(addCommand(1, 1))
			p.add(addCommand(2, 1))
			p.remove(p.removal(1, 1))
			p.remove(p.removal(2, 1))
			require.Equal(p, asset.StatusUnknown, p.asset(site(1)).Status)
		}},
		{"the organization that leaves last takes the status with it", func(p *probe) {
			for _, order := range [][]int64{{1, 2, 3}, {3, 1, 2}, {2, 3, 1}} {
				for _, organization := range ids(3) {
					p.add(addCommand(organization, 1))
				}
				for i, organization := range order {
					require.Equal(p, asset.StatusAllowed, p.asset(site(1)).Status, "%v without %v", order, order[:i])
					require.Len(p, p.remove(p.removal(organization, 1)), 1)
				}
				require.Equal(p, asset.StatusUnknown, p.asset(site(1)).Status)
			}
		}},
		{"an organization that lists the asset after a block undoes its own change", func(p *probe) {
			p.add(addCommand(1, 1))
			p.set(site(1), asset.StatusBlocked, at(1))
			p.add(addCommand(2, 1))
			p.remove(p.removal(2, 1))
			require.Equal(p, asset.StatusAllowed, p.asset(site(1)).Status, "organization 1 still lists the asset")
			p.remove(p.removal(1, 1))
			require.Equal(p, asset.StatusBlocked, p.asset(site(1)).Status)
		}},
		{"only entries of the organization are removed, and other assets are left out", func(p *probe) {
			p.add(addCommand(1, 1, 3))
			p.add(addCommand(2, 2, 3))
			others := p.entries(2)
			listed := sorted(p.idsOf(1, 3))
			cmd := removeCommand(1, append(sorted(p.idsOf(1, 2, 3)), asset.MaxID)...)
			require.Equal(p, listed, p.remove(cmd))
			require.Empty(p, p.entries(1))
			require.Equal(p, others, p.entries(2))
			require.Equal(p, asset.StatusUnknown, p.asset(site(1)).Status)
			require.Equal(p, asset.StatusAllowed, p.asset(site(2)).Status)
			require.Equal(p, asset.StatusAllowed, p.asset(site(3)).Status)
			require.Empty(p, p.remove(removeCommand(7, listed...)), "an organization without an allowlist")
			require.Empty(p, p.remove(removeCommand(1)), "no assets")
		}},
		{"a removed asset can be added again", func(p *probe) {
			for range 3 {
				require.NoError(p, p.add(addCommand(1, 1))[0].Err)
				require.Equal(p, asset.StatusAllowed, p.asset(site(1)).Status)
				require.Len(p, p.remove(p.removal(1, 1)), 1)
			}
			require.Len(p, p.changes(asset.ChangeFilter{}), 6)
		}},
		{"an asset without changes keeps its status", needs("Import", func(p *probe) {
			p.importSeed(fullSeed())
			p.prune(asset.PruneCommand{Before: maxTime, Limit: noLimit})
			for _, change := range p.changes(asset.ChangeFilter{}) {
				before := p.asset(change.Identity())
				cmd := addCommand(3)
				cmd.Entries = []allowlist.Entry{{Asset: asset.Asset{Identity: change.Identity()}, Content: change.Content}}
				p.add(cmd)
				require.Len(p, p.remove(removeCommand(3, change.AssetID)), 1)
				require.Equal(p, before, p.asset(change.Identity()))
			}
		})},
		{"1,000 entries are removed, with changes in the order of the asset IDs", func(p *probe) {
			numbers := numbersTo(allowlist.MaxItems)
			for _, n := range []int{5, 500, 900} {
				p.set(site(n), asset.StatusBlocked, at(-1))
			}
			p.add(addCommand(1, numbers...))
			before := len(p.changes(asset.ChangeFilter{}))
			cmd := p.removal(1, numbers...)
			require.Equal(p, cmd.AssetIDs, p.remove(cmd))
			changes := p.changes(asset.ChangeFilter{})
			require.Len(p, changes, before+allowlist.MaxItems)
			for i, change := range changes[:allowlist.MaxItems] {
				require.Equal(p, cmd.AssetIDs[allowlist.MaxItems-1-i], change.AssetID)
			}
			for _, n := range numbers {
				want := asset.StatusUnknown
				if n == 5 || n == 500 || n == 900 {
					want = asset.StatusBlocked
				}
				require.Equal(p, want, p.asset(site(n)).Status)
			}
			require.Empty(p, p.entries(1))
		}},
		{"after an addition and a removal everything is as before", needs("PutOrganization", func(p *probe) {
			p.fill()
			before := p.snapshot()
			added := addCommand(1, 0, 1, 3, 4)
			p.add(added)
			p.remove(p.removal(1, 0, 1, 3, 4))
			after := p.snapshot()
			require.Equal(p, asset.StatusUnknown, after.assets[site(0)].Status, "an asset that was new")
			require.Equal(p, asset.StatusUnknown, after.assets[site(3)].Status, "an asset that was new")
			delete(after.assets, site(0))
			delete(after.assets, site(3))
			require.Len(p, after.changes, len(before.changes)+8)
			after.changes = before.changes
			require.Equal(p, before, after)
		})},
	}
}
