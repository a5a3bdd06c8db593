package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
)

func basisChecks() []requirement {
	return []requirement{
		{"assets, lists of assets and the feed have the basis of a status", needs("Since", func(p *probe) {
			list := p.addLists("a list")[0]
			cmd := statusCommand(site(0), asset.StatusBlocked, at(1))
			cmd.Reason, cmd.Note = asset.ReasonMalware, "<b>ünïcode</b>"
			p.setStatuses(cmd)
			p.add(addCommand(1, 1))
			p.decideEntries(decideCommand(list, at(3), asset.StatusBlocked, 2))
			p.set(site(3), asset.StatusAllowed, at(-1))
			p.setStatuses(withdrawalOf(at(4), 3))
			p.hasBases(map[int]asset.Basis{
				0: {By: asset.SourceOperator, Reason: asset.ReasonMalware, Note: cmd.Note, Since: at(1)},
				1: {By: asset.SourceOrganization, Since: at(0)},
				2: {By: asset.SourceList, ListID: list.ID, List: list.Name, Reason: list.Reason, Since: at(3)},
				3: {},
			})
		})},
		{"the basis of a removed list has no name", needs("Since", func(p *probe) {
			list := p.addLists("a")[0]
			id := only(p, p.decideEntries(decideCommand(list, at(1), asset.StatusBlocked, 1))).ID
			p.withdrawEntries(endCommand(list, at(2), id))
			require.NoError(p, p.RemoveList(p.Context(), list.ID, audit.Entry{}))
			blocked := p.feed(asset.FeedCursor{}, noLimit)[0].Change
			require.Equal(p, asset.Basis{By: asset.SourceList, ListID: list.ID, Reason: list.Reason, Since: at(1)}, blocked.Basis)
		})},
		{"a change of the basis alone is in the feed and not in the changelog", needs("Since", func(p *probe) {
			both := p.addLists("a", "b")
			first, second := both[0], both[1]
			id := only(p, p.decideEntries(decideCommand(first, at(1), asset.StatusBlocked, 1))).ID
			p.decideEntries(decideCommand(second, at(2), asset.StatusBlocked, 1))
			p.withdrawEntries(endCommand(first, at(3), id))
			log, feed := p.changes(asset.ChangeFilter{}), changesOf(p.feed(asset.FeedCursor{}, noLimit))
			require.Len(p, log, 1)
			require.Equal(p, log, changelogOf(feed))
			require.Equal(p, asset.Change{
				ID: feed[1].ID, AssetID: id, Type: asset.TypeURL, Content: site(1).Canonical, From: asset.StatusBlocked, To: asset.StatusBlocked,
				At: at(3), Origin: asset.Origin{Cause: asset.CauseList, Reference: first.Name},
				Basis: asset.Basis{By: asset.SourceList, ListID: second.ID, List: second.Name, Reason: second.Reason, Since: at(2)},
			}, feed[1])
			for _, filter := range []asset.ChangeFilter{
				{Identity: site(1)}, {To: asset.StatusBlocked}, {Type: asset.TypeURL, To: asset.StatusBlocked},
			} {
				require.Equal(p, changelogOf(feed[:1]), p.changes(filter), "%+v", filter)
			}
			require.Empty(p, p.changes(asset.ChangeFilter{From: asset.StatusBlocked}))
			require.Empty(p, p.changes(asset.ChangeFilter{From: asset.StatusBlocked, To: asset.StatusBlocked}))
			require.Equal(p, at(3), only(p, p.list(asset.Filter{})).UpdatedAt)
		})},
	}
}

// hasBases requires that the assets with the numbers have the bases, however they are read.
func (p *probe) hasBases(want map[int]asset.Basis) {
	p.Helper()
	followed, listed := make(map[asset.Identity]asset.Basis), make(map[asset.Identity]asset.Basis)
	for _, entry := range p.feed(asset.FeedCursor{}, noLimit) {
		followed[entry.Change.Identity()] = entry.Change.Basis
	}
	for _, one := range p.list(asset.Filter{}) {
		listed[one.Identity] = one.Basis
	}
	many := make([]asset.Identity, asset.MaxItems)
	for i := range many {
		many[i] = site(i)
	}
	found := make(map[asset.Identity]asset.Basis)
	for _, one := range p.assetsByIdentity(many...) {
		found[one.Identity] = one.Basis
	}
	for n, basis := range want {
		one := only(p, p.assetsByIdentity(site(n)))
		require.Equal(p, basis, one.Basis, "asset %d", n)
		for name, all := range map[string]map[asset.Identity]asset.Basis{"the feed": followed, "the list": listed, "many assets": found} {
			require.Equal(p, basis, all[site(n)], "asset %d in %s", n, name)
		}
		held := basis
		held.List = ""
		require.Equal(p, held, p.held(site(n), at(0)).Basis, "what is held on asset %d", n)
	}
}
