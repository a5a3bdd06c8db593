package storagetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/step"
)

func listDecideChecks() []requirement {
	return []requirement{
		{"a step registers assets, decides, and returns them in the order of its entries", func(p *probe) {
			list := p.addLists("a")[0]
			known := p.set(site(2), asset.StatusUnknown, at(0))
			p.setStatuses(withdrawalOf(at(0), 2))
			cmd := decideCommand(list, at(5), asset.StatusBlocked, 3, 2, 1)
			cmd.Entries[2].Decision = listDecision(list, asset.StatusAllowed, time.Time{})
			got := p.decideEntries(cmd)
			require.Equal(p, []asset.Asset{p.asset(site(3)), p.asset(site(2)), p.asset(site(1))}, got)
			require.Equal(p, known.ID, got[1].ID)
			require.Greater(p, got[2].ID, got[0].ID, "in the order of the entries")
			changes := p.changes(asset.ChangeFilter{})
			require.Len(p, changes, len(cmd.Entries))
			for i, entry := range cmd.Entries {
				change := changes[len(changes)-1-i]
				require.Equal(p, asset.Change{
					ID: change.ID, AssetID: got[i].ID, Type: asset.TypeURL, Content: entry.Identity.Canonical,
					From: asset.StatusUnknown, To: entry.Decision.Status, At: at(5), Origin: cmd.Origin,
				}, change)
				entry.Decision.Since = at(5)
				basis := asset.Basis{By: asset.SourceList, ListID: list.ID, Reason: entry.Decision.Reason, Since: at(5)}
				held := asset.Held{Known: asset.Known{Asset: got[i], Basis: basis}, ChangedAt: at(5), Lists: []asset.ListDecision{entry.Decision}}
				require.Equal(p, held, p.held(entry.Identity, at(5)))
			}
		}},
		{"every decision is stored", func(p *probe) {
			list := p.addLists("a")[0]
			for n, reason := range append(asset.Reasons(), "") {
				for _, status := range []asset.Status{asset.StatusBlocked, asset.StatusAllowed} {
					if !reason.Fits(status) {
						continue
					}
					cmd := decideCommand(list, at(n), status, n)
					cmd.Entries[0].Decision.Reason = reason
					p.decideEntries(cmd)
					stored := only(p, p.held(site(n), at(n)).Lists)
					require.Equal(p, []any{status, reason}, []any{stored.Status, stored.Reason})
				}
			}
		}},
		{"what a list holds already is not stored again", func(p *probe) {
			list := p.addLists("a")[0]
			p.decideEntries(decideCommand(list, at(1), asset.StatusBlocked, 1))
			before, changes := p.held(site(1), at(2)), p.changes(asset.ChangeFilter{})
			got := p.decideEntries(decideCommand(list, at(2), asset.StatusBlocked, 1))
			require.Equal(p, []asset.Asset{before.Asset}, got)
			require.Equal(p, before, p.held(site(1), at(2)))
			require.Equal(p, changes, p.changes(asset.ChangeFilter{}))
		}},
		{"another reason leaves the time of a decision", func(p *probe) {
			list := p.addLists("a")[0]
			p.decideEntries(decideCommand(list, at(1), asset.StatusBlocked, 1))
			cmd := decideCommand(list, at(2), asset.StatusBlocked, 1)
			cmd.Entries[0].Decision.Reason = asset.ReasonMalware
			p.decideEntries(cmd)
			want := listDecision(list, asset.StatusBlocked, at(1))
			want.Reason = asset.ReasonMalware
			require.Equal(p, []asset.ListDecision{want}, p.held(site(1), at(2)).Lists)
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
		}},
		{"another status begins anew", func(p *probe) {
			list := p.addLists("a")[0]
			p.decideEntries(decideCommand(list, at(1), asset.StatusBlocked, 1))
			p.decideEntries(decideCommand(list, at(2), asset.StatusAllowed, 1))
			require.Equal(p, []asset.ListDecision{listDecision(list, asset.StatusAllowed, at(2))}, p.held(site(1), at(2)).Lists)
			require.Equal(p, asset.StatusAllowed, p.statusOf(1))
			require.Equal(p, at(2), p.newestChange().At)
		}},
		{"of several lists, those that block decide", func(p *probe) {
			added := p.addLists("a", "b", "c")
			p.decideEntries(decideCommand(added[2], at(1), asset.StatusAllowed, 1))
			p.decideEntries(decideCommand(added[0], at(2), asset.StatusBlocked, 1))
			p.decideEntries(decideCommand(added[1], at(3), asset.StatusAllowed, 1))
			require.Equal(p, asset.StatusBlocked, p.statusOf(1))
			require.Equal(p, []asset.ListDecision{
				listDecision(added[0], asset.StatusBlocked, at(2)),
				listDecision(added[1], asset.StatusAllowed, at(3)),
				listDecision(added[2], asset.StatusAllowed, at(1)),
			}, p.held(site(1), at(3)).Lists)
			id := p.asset(site(1)).ID
			for _, one := range []struct {
				list lists.List
				want asset.Status
			}{{added[2], asset.StatusBlocked}, {added[0], asset.StatusAllowed}, {added[1], asset.StatusUnknown}} {
				end := endCommand(one.list, at(4), id)
				p.withdrawEntries(end)
				require.Equal(p, one.want, p.statusOf(1))
				require.NotContains(p, heldBy(p.held(site(1), at(4))), one.list.ID)
				if one.want != asset.StatusBlocked {
					require.Equal(p, end.Origin, p.newestChange().Origin)
				}
			}
		}},
		{"a step of a sync that cannot go on stores nothing", func(p *probe) {
			p.addLists("a", "b", "c")
			list := p.beginSync("a")
			p.decideEntries(decideCommand(list, at(1), asset.StatusBlocked, 1))
			removing := p.putList("b", func(l *lists.List) { l.Removing = true })
			earlier, later, unknown := list, list, list
			earlier.Begun--
			later.Begun++
			unknown.ID = 99
			id := p.asset(site(1)).ID
			before := p.list(asset.Filter{})
			for reason, c := range map[string]struct {
				list lists.List
				want error
			}{
				"a list that does not exist":  {unknown, lists.ErrNotFound},
				"a list that is removed":      {removing, lists.ErrNotFound},
				"another sync has begun":      {earlier, lists.ErrSuperseded},
				"a sync that has not begun":   {later, lists.ErrSuperseded},
				"a removal that is not begun": {lists.List{ID: list.ID}, lists.ErrSuperseded},
			} {
				assets, err := p.DecideEntries(p.Context(), decideCommand(c.list, at(2), asset.StatusAllowed, 2, 1))
				require.Equal(p, c.want, err, reason)
				require.Empty(p, assets, reason)
				require.Equal(p, c.want, p.WithdrawEntries(p.Context(), endCommand(c.list, at(2), id)), reason)
			}
			require.Equal(p, before, p.list(asset.Filter{}), "nothing is registered")
			require.Equal(p, []asset.ListDecision{listDecision(list, asset.StatusBlocked, at(1))}, p.held(site(1), at(2)).Lists)
		}},
		{"a list that is removed withdraws what it holds", func(p *probe) {
			list := p.addLists("a")[0]
			ended := p.decideEntries(decideCommand(list, at(1), asset.StatusBlocked, 1, 2))
			p.putList("a", func(l *lists.List) { l.Removing = true })
			end := endCommand(list, at(2), ended[0].ID)
			end.Begun = 0
			p.withdrawEntries(end)
			require.Equal(p, asset.StatusUnknown, p.statusOf(1))
			require.Equal(p, []int64{ended[1].ID}, entryIDs(p.listEntries(list.ID)))
		}},
		{"a withdrawal changes assets in the order of their IDs", func(p *probe) {
			list := p.addLists("a")[0]
			decided := p.decideEntries(decideCommand(list, at(1), asset.StatusBlocked, 1, 2, 3, 4))
			p.withdrawEntries(endCommand(list, at(2), decided[3].ID, decided[0].ID, decided[1].ID))
			changes := p.changes(asset.ChangeFilter{To: asset.StatusUnknown})
			require.Len(p, changes, 3)
			for i, n := range []int{3, 1, 0} { // the last one first
				require.Equal(p, decided[n].ID, changes[i].AssetID)
			}
			require.Equal(p, []int64{decided[2].ID}, entryIDs(p.listEntries(list.ID)))
		}},
		{"a withdrawal ignores assets that do not exist, and those on which the list holds nothing", func(p *probe) {
			added := p.addLists("a", "b")
			first := p.decideEntries(decideCommand(added[0], at(1), asset.StatusBlocked, 1))
			second := p.decideEntries(decideCommand(added[1], at(1), asset.StatusBlocked, 2))
			before := p.held(site(2), at(2))
			p.withdrawEntries(endCommand(added[0], at(2), 99, second[0].ID, first[0].ID))
			require.Equal(p, asset.StatusUnknown, p.statusOf(1))
			require.Equal(p, before, p.held(site(2), at(2)))
			require.Equal(p, []int64{second[0].ID}, entryIDs(p.listEntries(added[1].ID)))
		}},
		{"a thousand entries are decided and withdrawn in one step", func(p *probe) {
			list := p.addLists("a")[0]
			decided := p.decideEntries(decideCommand(list, at(1), asset.StatusBlocked, numbersTo(asset.MaxItems)...))
			require.Len(p, p.list(asset.Filter{Status: asset.StatusBlocked}), asset.MaxItems)
			all := make([]int64, len(decided))
			for i, one := range decided {
				require.Equal(p, asset.StatusBlocked, one.Status)
				all[i] = one.ID
			}
			require.Equal(p, all, entryIDs(p.listEntries(list.ID)))
			p.withdrawEntries(endCommand(list, at(2), all...))
			require.Empty(p, p.list(asset.Filter{Status: asset.StatusBlocked}))
			require.Empty(p, p.listEntries(list.ID))
			require.Len(p, p.changes(asset.ChangeFilter{}), 2*asset.MaxItems)
		}},
	}
}

func listEntryChecks() []requirement {
	return []requirement{
		{"entries of a list are ordered by asset, and none is of another list", func(p *probe) {
			added := p.addLists("a", "b")
			p.block(at(0), at(0), at(0), at(0), at(0), at(0)) // the IDs have the order of the numbers
			p.decideEntries(decideCommand(added[0], at(1), asset.StatusBlocked, 4, 2))
			p.decideEntries(decideCommand(added[1], at(2), asset.StatusAllowed, 5, 2, 3))
			p.decideEntries(decideCommand(added[0], at(3), asset.StatusAllowed, 3, 1))
			want := make([]lists.HeldEntry, 4)
			for i, decision := range []asset.ListDecision{
				listDecision(added[0], asset.StatusAllowed, at(3)),
				listDecision(added[0], asset.StatusBlocked, at(1)),
				listDecision(added[0], asset.StatusAllowed, at(3)),
				listDecision(added[0], asset.StatusBlocked, at(1)),
			} {
				want[i] = lists.HeldEntry{Asset: p.asset(site(i + 1)), Decision: decision}
			}
			require.Equal(p, want, p.listEntries(added[0].ID))
			everyPageSize(p, want, func(last lists.HeldEntry, size int) step.Page[lists.HeldEntry] {
				return p.listEntryPage(added[0].ID, last.ID, size)
			})
			require.Len(p, p.listEntries(added[1].ID), 3)
		}},
		{"an entry has the present status of its asset", func(p *probe) {
			list := p.addLists("a")[0]
			p.decideEntries(decideCommand(list, at(1), asset.StatusBlocked, 1))
			p.set(site(1), asset.StatusAllowed, at(2))
			require.Equal(p, asset.StatusAllowed, only(p, p.listEntries(list.ID)).Status)
		}},
		{"a list that holds nothing, one that does not exist, and a removed one have no entries", func(p *probe) {
			list := p.addLists("a")[0]
			require.Empty(p, p.listEntries(list.ID))
			require.Empty(p, p.listEntries(list.ID+1))
			ended := p.decideEntries(decideCommand(list, at(1), asset.StatusBlocked, 1))
			p.withdrawEntries(endCommand(list, at(2), ended[0].ID))
			require.NoError(p, p.RemoveList(p.Context(), list.ID, audit.Entry{}))
			require.Empty(p, p.listEntries(list.ID))
			require.Empty(p, p.listEntries(p.addLists("a")[0].ID))
		}},
		{"a page of the entries of a list is bounded by bytes", func(p *probe) {
			list := p.addLists("a")[0]
			requirePagesByBytes(p, func(sizes []int) {
				for i, size := range sizes {
					cmd := decideCommand(list, at(0), asset.StatusBlocked, i)
					identity := &cmd.Entries[0].Identity
					identity.Canonical += filler(lists.HeldEntry{Asset: asset.Asset{Identity: *identity}}, size)
					p.decideEntries(cmd)
				}
			}, func(last lists.HeldEntry) step.Page[lists.HeldEntry] {
				return p.listEntryPage(list.ID, last.ID, noLimit)
			})
		}},
	}
}

func entryIDs(entries []lists.HeldEntry) []int64 {
	found := make([]int64, len(entries))
	for i, entry := range entries {
		found[i] = entry.ID
	}
	return found
}

// heldBy returns the IDs of the lists that hold something on an asset.
func heldBy(held asset.Held) []int64 {
	found := make([]int64, len(held.Lists))
	for i, decision := range held.Lists {
		found[i] = decision.ListID
	}
	return found
}
