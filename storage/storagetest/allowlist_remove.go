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
		{"the change of a removal is not before the addition", func(p *probe) {
			cmd := addCommand(1, 1)
			cmd.At = at(10)
			p.add(cmd)
			p.remove(p.removal(1, 1))
			require.Equal(p, at(10), p.newestChange().At)
			p.validChanges(site(1))
		}},
		{"an asset that operators made ALLOWED after the addition stays so", func(p *probe) {
			p.add(addCommand(1, 1, 2, 3))
			p.setStatuses(statusesCommand(at(1), asset.StatusAllowed, 1, 2, 4))
			changes := p.changes(asset.ChangeFilter{})
			require.Len(p, p.remove(p.removal(1, 1, 2)), 2)
			require.Equal(p, changes, p.changes(asset.ChangeFilter{}))
			p.remove(p.removal(1, 3))
			require.Equal(p, asset.StatusUnknown, p.asset(site(3)).Status, "another asset")
		}},
		{"an asset that a review or a dispute made ALLOWED after the addition stays so", needs("AddReviews", func(p *probe) {
			p.add(addCommand(1, 1, 2))
			f := fileCommand("report", 1)
			f.Proposals[0].ProposedStatus = asset.StatusAllowed
			p.review(reviewOf(p.file(f).Proposals[0], report.ReviewApprove, 0))
			p.transition(acceptance(p.dispute(disputeCommand(2, "ada@acme.example")).ID, asset.StatusAllowed, at(1)))
			p.remove(p.removal(1, 1, 2))
			require.Equal(p, asset.StatusAllowed, p.asset(site(1)).Status)
			require.Equal(p, asset.StatusAllowed, p.asset(site(2)).Status)
		})},
		{"the last decision of the operators stays", func(p *probe) {
			p.add(addCommand(1, 1))
			p.set(site(1), asset.StatusAllowed, at(1))
			p.set(site(1), asset.StatusBlocked, at(2))
			p.add(addCommand(2, 1))
			p.remove(p.removal(1, 1))
			p.remove(p.removal(2, 1))
			require.Equal(p, asset.StatusBlocked, p.asset(site(1)).Status)
		}},
		{"of several entries, the last one decides", func(p *probe) {
			p.add(addCommand(1, 1))
			p.add(addCommand(2, 1))
			p.remove(p.removal(1, 1))
			p.remove(p.removal(2, 1))
			require.Equal(p, asset.StatusUnknown, p.asset(site(1)).Status)
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
		{"a removal says which statuses the assets had and have, and a dry run of it changes nothing", func(p *probe) {
			p.set(site(2), asset.StatusBlocked, at(-1))
			p.add(addCommand(1, 1, 2, 3, 4))
			p.add(addCommand(2, 3))
			p.set(site(4), asset.StatusBlocked, at(1))
			p.set(site(5), asset.StatusAllowed, at(1))
			cmd := p.removal(1, 1, 2, 3, 4, 5)
			cmd.DryRun, cmd.At = true, at(2)
			entries, changes := p.entries(1), p.changes(asset.ChangeFilter{})
			removed, err := p.RemoveFromAllowlist(p.Context(), cmd)
			require.NoError(p, err)
			ids := p.idsOf(1, 2, 3, 4)
			require.ElementsMatch(p, []allowlist.RemovedEntry{
				{AssetID: ids[0], From: asset.StatusAllowed, To: asset.StatusUnknown},
				{AssetID: ids[1], From: asset.StatusAllowed, To: asset.StatusBlocked},
				{AssetID: ids[2], From: asset.StatusAllowed, To: asset.StatusAllowed},
				{AssetID: ids[3], From: asset.StatusBlocked, To: asset.StatusBlocked},
			}, removed)
			require.Equal(p, entries, p.entries(1))
			require.Equal(p, changes, p.changes(asset.ChangeFilter{}))
		}},
		{"a removal is in the audit trail, unless it removes nothing or is a dry run", needs("AuditEntries", func(p *probe) {
			p.add(addCommand(1, 1))
			cmd := p.removal(1, 1)
			cmd.Audit = act()
			before := p.told()
			p.remove(cmd)
			require.Equal(p, append(before, act()), p.told())
			p.remove(cmd)
			require.Equal(p, append(before, act()), p.told())
		})},
		{"the entries of an organization that was removed are listed and removed", needs("RemoveOrganization", func(p *probe) {
			p.add(addCommand(1, 1))
			require.NoError(p, p.RemoveOrganization(p.Context(), 1, act()))
			require.Len(p, p.entries(1), 1)
			require.Len(p, p.remove(p.removal(1, 1)), 1)
			require.Equal(p, asset.StatusUnknown, p.asset(site(1)).Status)
			require.Empty(p, p.entries(1))
		})},
		{"1,000 entries are removed, with changes in the order of the asset IDs", func(p *probe) {
			numbers := numbersTo(allowlist.MaxItems)
			for _, n := range []int{5, 500, 900} {
				p.set(site(n), asset.StatusBlocked, at(-1))
			}
			p.add(addCommand(1, numbers...))
			before := len(p.changes(asset.ChangeFilter{}))
			cmd := p.removal(1, numbers...)
			require.Equal(p, cmd.AssetIDs, assetIDs(p.remove(cmd)))
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
	}
}
