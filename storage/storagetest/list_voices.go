package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// listVoiceChecks test what decides of lists, operators and organizations.
func listVoiceChecks() []requirement {
	return []requirement{
		{"what operators hold stands against lists, whichever is later", func(p *probe) {
			list := p.addLists("a")[0]
			p.decideEntries(decideCommand(list, at(1), asset.StatusBlocked, numbersTo(3)...))
			for n, status := range asset.Statuses() {
				p.set(site(n), status, at(2))
			}
			p.decideEntries(decideCommand(list, at(3), asset.StatusAllowed, numbersTo(3)...))
			for n, status := range asset.Statuses() {
				require.Equal(p, status, p.statusOf(n))
			}
		}},
		{"an asset that operators leave is as lists hold it", func(p *probe) {
			list := p.addLists("a")[0]
			p.set(site(1), asset.StatusAllowed, at(1))
			p.decideEntries(decideCommand(list, at(2), asset.StatusBlocked, 1))
			cmd := withdrawalOf(at(3), 1)
			before := only(p, p.setStatuses(cmd))
			require.Equal(p, []asset.ListDecision{listDecision(list, asset.StatusBlocked, at(2))}, before.Lists)
			require.Equal(p, asset.StatusBlocked, p.statusOf(1))
			require.Equal(p, cmd.Origin, p.newestChange().Origin)
		}},
		{"an asset whose approval is withdrawn is as lists hold it", needs("AddReviews", func(p *probe) {
			list := p.addLists("a")[0]
			f := fileCommand("report", 1)
			f.Proposals[0].ProposedStatus = asset.StatusAllowed
			reviewed := p.review(reviewOf(p.file(f).Proposals[0], report.ReviewApprove, 1))
			p.decideEntries(decideCommand(list, at(2), asset.StatusBlocked, 1))
			require.Equal(p, asset.StatusAllowed, p.statusOf(1))
			p.withdrawAt(reviewed.Proposals[0].ReviewID, 3)
			require.Equal(p, asset.StatusBlocked, p.statusOf(1))
		})},
		{"an entry of an allowlist stands against lists that began before it", needs("AddToAllowlist", func(p *probe) {
			added := p.addLists("a", "b")
			p.decideEntries(decideCommand(added[0], at(5), asset.StatusBlocked, 1))
			cmd := addCommand(1, 1)
			cmd.At = at(3) // the clock was set back
			p.add(cmd)
			require.Equal(p, asset.StatusAllowed, p.statusOf(1))
			require.Equal(p, at(5), only(p, p.entries(1)).AddedAt)

			p.decideEntries(decideCommand(added[1], at(4), asset.StatusBlocked, 1))
			require.Equal(p, asset.StatusBlocked, p.statusOf(1), "a list that began later")
			require.Equal(p, at(6), p.held(site(1), at(4)).Lists[1].Since)

			p.withdrawEntries(endCommand(added[1], at(7), p.asset(site(1)).ID))
			require.Equal(p, asset.StatusAllowed, p.statusOf(1), "that list alone began later")
			cmd.OrganizationID, cmd.At = 2, at(8)
			p.decideEntries(decideCommand(added[1], at(8), asset.StatusBlocked, 1))
			p.add(cmd)
			require.Equal(p, asset.StatusAllowed, p.statusOf(1), "an entry of the same time")
		})},
		{"a list that allows gives way to nothing, and moves no entry", needs("AddToAllowlist", func(p *probe) {
			list := p.addLists("a")[0]
			p.decideEntries(decideCommand(list, at(5), asset.StatusAllowed, 1))
			p.add(addCommand(1, 1))
			require.Equal(p, at(0), only(p, p.entries(1)).AddedAt)
			p.remove(p.removal(1, 1))
			require.Equal(p, asset.StatusAllowed, p.statusOf(1))
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
		})},
		{"an asset that leaves an allowlist is as lists hold it", needs("AddToAllowlist", func(p *probe) {
			list := p.addLists("a")[0]
			p.decideEntries(decideCommand(list, at(1), asset.StatusBlocked, 1, 2))
			cmd := addCommand(1, 1, 2)
			cmd.At, cmd.Entries[1].ExpiresAt = at(2), at(5)
			p.add(cmd)
			require.Empty(p, p.list(asset.Filter{Status: asset.StatusBlocked}))
			removal := p.removal(1, 1)
			removal.At = at(4)
			p.remove(removal)
			require.Equal(p, asset.StatusBlocked, p.statusOf(1))
			require.Equal(p, removal.Origin, p.newestChange().Origin)
			require.Equal(p, 1, p.expireEntries(at(5), noLimit))
			require.Equal(p, asset.StatusBlocked, p.statusOf(2))
		})},
		{"steps of a sync settle what a list holds already, and what it does not hold", needs("AddToAllowlist", func(p *probe) {
			added := p.addLists("a", "b")
			p.decideEntries(decideCommand(added[0], at(1), asset.StatusBlocked, 1, 2))
			cmd := endingCommand(1, at(5), 1, 2)
			cmd.At = at(2)
			p.add(cmd)
			require.Equal(p, asset.StatusBlocked, p.decideEntries(decideCommand(added[0], at(6), asset.StatusBlocked, 1))[0].Status)
			p.withdrawEntries(endCommand(added[1], at(6), p.asset(site(2)).ID))
			require.Equal(p, asset.StatusBlocked, p.statusOf(2), "the entry has ended")
		})},
	}
}
