package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func changelogChecks() []requirement {
	return []requirement{
		{"a change is never before the last one of its asset", func(p *probe) {
			statuses := []asset.Status{asset.StatusBlocked, asset.StatusAllowed, asset.StatusUnknown, asset.StatusBlocked}
			for i, status := range statuses {
				p.set(site(1), status, at(-10*i))
			}
			p.set(site(2), asset.StatusBlocked, at(-50))
			changes := p.changes(asset.ChangeFilter{})
			require.Equal(p, sites(1, 1, 1, 1, 2), contents(changes))
			for i, status := range statuses {
				require.Equal(p, status, changes[3-i].To)
				require.Equal(p, at(0), changes[3-i].At)
			}
			require.Equal(p, at(-50), changes[4].At, "other assets do not count")
		}},
		{"the changes of some assets are listed together, newest first", func(p *probe) {
			for i := range 12 {
				p.set(site(i%4), []asset.Status{asset.StatusBlocked, asset.StatusAllowed, asset.StatusUnknown}[(i/4)%3], at(i*7%10))
			}
			all := p.changes(asset.ChangeFilter{})
			of := func(assets ...int64) []asset.Change {
				page, err := p.Changes(p.Context(), asset.ListChangesRequest{Assets: assets, Limit: noLimit})
				require.NoError(p, err)
				return page.Items
			}
			first, second := p.asset(site(1)).ID, p.asset(site(2)).ID
			var want []asset.Change
			for _, change := range all {
				if change.AssetID == first || change.AssetID == second {
					want = append(want, change)
				}
			}
			require.NotEmpty(p, want)
			require.Equal(p, want, of(second, first, asset.MaxID, first))
			require.Empty(p, of([]int64{}...), "no assets")
		}},
		{"the decisions of a user are listed, newest first", func(p *probe) {
			const user = 7
			var want []asset.Change
			for i, cause := range asset.Causes() {
				for _, actor := range []int64{user, user + 1, 0} {
					cmd := statusCommand(site(10*i+int(actor)), asset.StatusBlocked, at(i))
					cmd.Origin = asset.Origin{Cause: cause, Actor: actor}
					p.setStatuses(cmd)
					if actor == user && cause.ByOperators() {
						want = append(want, p.changes(asset.ChangeFilter{Identity: site(10*i + user)})...)
					}
				}
			}
			slices.Reverse(want)
			require.Len(p, want, 4)
			page, err := p.Changes(p.Context(), asset.ListChangesRequest{Actor: user, Limit: noLimit})
			require.NoError(p, err)
			require.Equal(p, want, page.Items)
			page, err = p.Changes(p.Context(), asset.ListChangesRequest{Actor: user, Cursor: want[1].Cursor(), Limit: 1})
			require.NoError(p, err)
			require.Equal(p, want[2:3], page.Items)
			require.True(p, page.More)
		}},
		{"a cursor at the zero time is not the start of the changelog", func(p *probe) {
			var first time.Time
			p.block(first, first, first)
			changes := p.changes(asset.ChangeFilter{})
			require.Equal(p, sites(2, 1, 0), contents(changes))
			require.Equal(p, changes, p.changesByPages(asset.ChangeFilter{}, 1))
		}},
	}
}

// pageableChanges records changes of a few assets, many in the same millisecond.
func (p *probe) pageableChanges() {
	p.Helper()
	for i := range 12 {
		p.set(site(i%4), []asset.Status{asset.StatusBlocked, asset.StatusAllowed, asset.StatusUnknown}[(i/4)%3], at(i*7%10))
	}
	cmd := addCommand(1, 10, 11, 12, 13, 14)
	cmd.At = at(5)
	p.add(cmd)
}
