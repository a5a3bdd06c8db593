package storagetest

import (
	"cmp"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/step"
)

func (p *probe) expireDecisions(now time.Time, limit int) int {
	p.Helper()
	n, err := p.ExpireDecisions(p.Context(), asset.ExpireCommand{At: now, Limit: limit})
	require.NoError(p, err, "ExpireDecisions")
	return n
}

// setUntil sets the status of assets until the end.
func (p *probe) setUntil(end, at time.Time, status asset.Status, numbers ...int) {
	p.Helper()
	cmd := statusesCommand(at, status, numbers...)
	for i := range cmd.Items {
		cmd.Items[i].ExpiresAt = end
	}
	p.setStatuses(cmd)
}

// decideUntil makes a list hold statuses until the end.
func (p *probe) decideUntil(end time.Time, list lists.List, at time.Time, status asset.Status, numbers ...int) {
	p.Helper()
	cmd := decideCommand(list, at, status, numbers...)
	for i := range cmd.Entries {
		cmd.Entries[i].Decision.ExpiresAt = end
	}
	p.decideEntries(cmd)
}

// dueBefore returns all decisions that are due at the time.
func (p *probe) dueBefore(before time.Time) []asset.Due {
	p.Helper()
	return allPages(p, noLimit, func(last asset.Due) step.Page[asset.Due] { return p.duePage(before, last, noLimit) })
}

func (p *probe) duePage(before time.Time, last asset.Due, limit int) step.Page[asset.Due] {
	p.Helper()
	page, err := p.DueDecisions(p.Context(), asset.DueRequest{Before: before, Cursor: last.Cursor(), Limit: limit})
	require.NoError(p, err, "DueDecisions before %v after %+v", before, last.Cursor())
	return page
}

func decisionExpireChecks() []requirement {
	return []requirement{
		{"a decision ends at its end, with a change of the store's own", func(p *probe) {
			p.setUntil(at(5), at(1), asset.StatusBlocked, 1)
			p.set(site(2), asset.StatusBlocked, at(1))
			require.Zero(p, p.expireDecisions(at(4), 10))
			require.Equal(p, asset.StatusBlocked, p.statusOf(1))
			require.Equal(p, 1, p.expireDecisions(at(5), 10))
			require.Nil(p, p.held(site(1), at(5)).Operators)
			require.Equal(p, asset.StatusBlocked, p.statusOf(2))
			got := p.newestChange()
			require.Equal(p, asset.Change{
				ID: got.ID, AssetID: p.asset(site(1)).ID, Type: asset.TypeURL, Content: site(1).Canonical,
				From: asset.StatusBlocked, To: asset.StatusUnknown, At: at(5), Origin: asset.Origin{Cause: asset.CauseExpiry},
			}, got)
			require.Zero(p, p.expireDecisions(at(5), 10))
		}},
		{"a change is not before the last one of its asset", func(p *probe) {
			p.setUntil(at(2), at(9), asset.StatusBlocked, 1)
			require.Equal(p, 1, p.expireDecisions(at(3), 10), "although the clock was set back")
			require.Equal(p, at(9), p.newestChange().At)
		}},
		{"another end, and none, take the place of an end", func(p *probe) {
			p.setUntil(at(5), at(1), asset.StatusBlocked, 1, 2)
			p.setUntil(at(7), at(2), asset.StatusBlocked, 1)
			p.setUntil(time.Time{}, at(2), asset.StatusBlocked, 2)
			require.Zero(p, p.expireDecisions(at(6), 10))
			require.Equal(p, at(7), p.held(site(1), at(6)).Operators.ExpiresAt)
			require.Len(p, p.changes(asset.ChangeFilter{}), 2)
			require.Equal(p, 1, p.expireDecisions(at(9), 10))
			require.Equal(p, asset.StatusBlocked, p.statusOf(2))
		}},
		{"a decision that was replaced goes with the one that ends, and never before", func(p *probe) {
			p.setUntil(at(3), at(1), asset.StatusBlocked, 1)
			p.setUntil(at(6), at(2), asset.StatusAllowed, 1)
			require.Zero(p, p.expireDecisions(at(5), 10))
			require.Equal(p, at(3), p.held(site(1), at(5)).Operators.Replaced.ExpiresAt)
			require.Equal(p, 1, p.expireDecisions(at(6), 10))
			require.Nil(p, p.held(site(1), at(6)).Operators)
			p.set(site(1), asset.StatusAllowed, at(7))
			require.Nil(p, p.held(site(1), at(7)).Operators.Replaced)
		}},
		{"an ended decision that was replaced takes no room in a step", func(p *probe) {
			p.setUntil(at(3), at(1), asset.StatusBlocked, 1)
			p.set(site(1), asset.StatusAllowed, at(2))
			p.setUntil(at(4), at(2), asset.StatusBlocked, 2)
			require.Equal(p, 1, p.expireDecisions(at(9), 1))
			require.Equal(p, asset.StatusAllowed, p.statusOf(1))
			require.Equal(p, asset.StatusUnknown, p.statusOf(2))
		}},
		{"a step takes what ended first, and changes assets in the order of their IDs", func(p *probe) {
			p.block(at(0), at(0), at(0), at(0)) // the IDs have the order of the numbers
			p.setUntil(at(4), at(1), asset.StatusAllowed, 0)
			p.setUntil(at(3), at(1), asset.StatusAllowed, 3, 1)
			p.setUntil(at(2), at(1), asset.StatusAllowed, 2)
			for _, want := range [][]string{sites(2, 1), sites(3, 0)} {
				require.Equal(p, 2, p.expireDecisions(at(9), 2))
				slices.SortFunc(want, func(a, b string) int { return cmp.Compare(b, a) }) // the last one first
				require.Equal(p, want, contents(p.changes(asset.ChangeFilter{To: asset.StatusUnknown}))[:2])
			}
			require.Zero(p, p.expireDecisions(at(9), 2))
		}},
		{"decisions of lists end, and what else is held stays", needs("DecideEntries", func(p *probe) {
			added := p.addLists("a", "b")
			p.decideUntil(at(5), added[0], at(1), asset.StatusBlocked, 1, 2)
			p.decideUntil(at(6), added[1], at(1), asset.StatusAllowed, 1)
			require.Equal(p, 2, p.expireDecisions(at(5), 10))
			require.Equal(p, asset.StatusAllowed, p.statusOf(1))
			require.Equal(p, asset.StatusUnknown, p.statusOf(2))
			require.Empty(p, p.listEntries(added[0].ID))
			want := listDecision(added[1], asset.StatusAllowed, at(1))
			want.ExpiresAt = at(6)
			require.Equal(p, []asset.ListDecision{want}, p.held(site(1), at(5)).Lists)
			require.Equal(p, want, only(p, p.listEntries(added[1].ID)).Decision)
			p.decideUntil(time.Time{}, added[1], at(5), asset.StatusAllowed, 1)
			require.Zero(p, p.expireDecisions(at(9), 10), "the entry has no end any more")
			require.Equal(p, at(1), only(p, p.listEntries(added[1].ID)).Decision.Since)
		})},
		{"an asset is expired at once, even if its decisions are more than the limit", needs("DecideEntries", func(p *probe) {
			added := p.addLists("a", "b")
			p.decideUntil(at(2), added[0], at(1), asset.StatusBlocked, 1)
			p.decideUntil(at(3), added[1], at(1), asset.StatusBlocked, 1)
			p.setUntil(at(4), at(1), asset.StatusAllowed, 1)
			require.Equal(p, 3, p.expireDecisions(at(4), 1))
			require.Equal(p, asset.Held{Known: asset.Known{Asset: p.asset(site(1))}, ChangedAt: at(4)}, p.held(site(1), at(4)))
		})},
		{"a thousand decisions end in one step", func(p *probe) {
			p.setUntil(at(5), at(1), asset.StatusBlocked, numbersTo(asset.MaxItems)...)
			require.Equal(p, asset.MaxItems, p.expireDecisions(at(5), asset.MaxItems))
			require.Len(p, p.changes(asset.ChangeFilter{To: asset.StatusUnknown}), asset.MaxItems)
		}},
	}
}

func dueChecks() []requirement {
	setDue := func(p *probe, number int, review time.Time) {
		cmd := statusesCommand(at(0), asset.StatusBlocked, number)
		cmd.ReviewAt = review
		p.setStatuses(cmd)
	}
	return []requirement{
		{"what is due is ordered by its time and then by its asset", func(p *probe) {
			p.block(at(0), at(0), at(0), at(0), at(0)) // the IDs have the order of the numbers
			for number, review := range map[int]int{0: 3, 1: 2, 3: 2, 4: 9} {
				setDue(p, number, at(review))
			}
			want := make([]asset.Due, 3)
			for i, n := range []int{1, 3, 0} {
				want[i] = asset.Due{Asset: p.asset(site(n)), Decision: *p.held(site(n), at(0)).Operators}
				want[i].Decision.Replaced = nil
			}
			require.Equal(p, want, p.dueBefore(at(3)))
			everyPageSize(p, want, func(last asset.Due, size int) step.Page[asset.Due] { return p.duePage(at(3), last, size) })
			require.Empty(p, p.dueBefore(at(1)))
		}},
		{"a decision is due until it is replaced by one that is not, withdrawn or has ended", func(p *probe) {
			for n := range 4 {
				setDue(p, n, at(2))
			}
			setDue(p, 0, time.Time{})
			setDue(p, 1, at(9))
			p.setStatuses(withdrawalOf(at(1), 2))
			ending := statusesCommand(at(1), asset.StatusBlocked, 3)
			ending.Items[0].ExpiresAt, ending.ReviewAt = at(3), at(2)
			p.setStatuses(ending)
			require.Equal(p, site(3), only(p, p.dueBefore(at(8))).Identity)
			p.expireDecisions(at(3), 10)
			require.Empty(p, p.dueBefore(at(8)))
		}},
		{"a page of what is due is bounded by bytes", func(p *probe) {
			requirePagesByBytes(p, func(sizes []int) {
				for i, size := range sizes {
					cmd := statusesCommand(at(0), asset.StatusBlocked, i)
					cmd.ReviewAt = at(1)
					identity := &cmd.Items[0].Identity
					identity.Canonical += filler(asset.Due{Asset: asset.Asset{Identity: *identity}}, size)
					p.setStatuses(cmd)
				}
			}, func(last asset.Due) step.Page[asset.Due] { return p.duePage(at(1), last, noLimit) })
		}},
	}
}

func (m *machine) expireDecisionsRandomly(t *rapid.T) {
	cmd := asset.ExpireCommand{At: anyTime.Draw(t, "at"), Limit: rapid.IntRange(1, 4).Draw(t, "limit")}
	require.Equal(m, m.model.expireDecisions(cmd), m.expireDecisions(cmd.At, cmd.Limit), "ExpireDecisions with %+v", cmd)
	m.compareChanges()
}

// ends reports whether something with the end, if that is not zero, has ended.
func ends(end, at time.Time) bool { return !end.IsZero() && !end.After(at) }

// expireDecisions ends all decisions on the assets of the first ones that have ended.
func (m *model) expireDecisions(cmd asset.ExpireCommand) int {
	var first []asset.DueCursor // the ends, and the assets
	for id, decision := range m.decisions {
		first = append(first, asset.DueCursor{At: decision.said.ExpiresAt, ID: id})
	}
	for _, e := range m.onLists {
		first = append(first, asset.DueCursor{At: e.decision.ExpiresAt, ID: e.assetID})
	}
	first = slices.DeleteFunc(first, func(c asset.DueCursor) bool { return !ends(c.At, cmd.At) })
	slices.SortFunc(first, asset.DueCursor.Compare)
	first = first[:min(cmd.Limit, len(first))]
	ids := make([]int64, len(first))
	for i, one := range first {
		ids[i] = one.ID
	}
	removed := 0
	for _, id := range slices.Compact(sorted(ids)) {
		if decision := m.decisions[id]; decision != nil && ends(decision.said.ExpiresAt, cmd.At) {
			delete(m.decisions, id)
			removed++
		}
		before := len(m.onLists)
		m.onLists = slices.DeleteFunc(m.onLists, func(e modelListEntry) bool { return e.assetID == id && ends(e.decision.ExpiresAt, cmd.At) })
		removed += before - len(m.onLists)
		m.settle(m.assetByID(id), cmd.At, asset.Origin{Cause: asset.CauseExpiry})
	}
	return removed
}

// readDue compares a page of the decisions that are due.
func (m *machine) readDue(t *rapid.T) {
	before, limit := anyTime.Draw(t, "before"), rapid.IntRange(1, 3).Draw(t, "limit")
	after := asset.Due{Asset: asset.Asset{ID: rapid.Int64Range(0, m.last["asset"]+1).Draw(t, "after ID")}}
	after.Decision.ReviewAt = sometimes(anyBound).Draw(t, "after")
	var want []asset.Due
	for id, decision := range m.model.decisions {
		due := asset.Due{Asset: *m.model.assetByID(id), Decision: *decision.stored()}
		if review := due.Decision.ReviewAt; !review.IsZero() && !review.After(before) && due.Cursor().Compare(after.Cursor()) > 0 {
			want = append(want, due)
		}
	}
	slices.SortFunc(want, func(a, b asset.Due) int { return a.Cursor().Compare(b.Cursor()) })
	samePage(m, want, limit, m.duePage(before, after, limit), "DueDecisions before %v after %+v", before, after.Cursor())
}
