package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

func setStatusesChecks() []requirement {
	return []requirement{
		{"new assets are registered with the statuses of their items", func(p *probe) {
			before := p.setStatuses(asset.SetStatusesCommand{
				Items: []asset.StatusItem{
					{Identity: site(3), Status: asset.StatusBlocked},
					{Identity: site(1), Status: asset.StatusUnknown},
					{Identity: site(2), Status: asset.StatusAllowed},
					{Identity: site(4), Status: asset.StatusBlocked},
				},
				Origin: asset.Origin{Cause: asset.CauseImport, Actor: 7, Reference: "feed"},
				At:     at(3),
			})
			for i, n := range []int{3, 1, 2, 4} {
				require.Equal(p, asset.Asset{ID: int64(i + 1), Identity: site(n), Status: asset.StatusUnknown}, before[i])
			}
			require.Equal(p, asset.StatusBlocked, p.asset(site(3)).Status)
			require.Equal(p, asset.StatusUnknown, p.asset(site(1)).Status)
			require.Equal(p, asset.StatusAllowed, p.asset(site(2)).Status)
			changes := p.changes(asset.ChangeFilter{})
			require.Equal(p, sites(4, 2, 3), contents(changes), "the changes are recorded in the order of the items")
			for _, change := range changes {
				require.Equal(p, at(3), change.At)
				require.Equal(p, asset.Origin{Cause: asset.CauseImport, Actor: 7, Reference: "feed"}, change.Origin)
				require.Equal(p, p.asset(change.Identity()).ID, change.AssetID)
				require.Equal(p, asset.StatusUnknown, change.From)
				require.Equal(p, p.asset(change.Identity()).Status, change.To)
			}
		}},
		{"existing assets are returned as they were and change", func(p *probe) {
			blocked := p.set(site(1), asset.StatusBlocked, at(0))
			allowed := p.set(site(2), asset.StatusAllowed, at(0))
			same := p.set(site(3), asset.StatusBlocked, at(0))
			before := p.setStatuses(asset.SetStatusesCommand{
				Items: []asset.StatusItem{
					{Identity: site(5), Status: asset.StatusBlocked},
					{Identity: site(2), Status: asset.StatusBlocked},
					{Identity: site(3), Status: asset.StatusBlocked},
					{Identity: site(1), Status: asset.StatusUnknown},
					{Identity: site(6), Status: asset.StatusBlocked},
				},
				Origin: asset.Origin{Cause: asset.CauseImport},
				At:     at(1),
			})
			require.Equal(p, []asset.Asset{allowed, same, blocked}, before[1:4])
			changes := p.changes(asset.ChangeFilter{Period: asset.Period{Since: at(1)}})
			require.Equal(p, sites(6, 1, 2, 5), contents(changes))
			require.Equal(p, asset.StatusAllowed, changes[2].From)
			require.Equal(p, asset.StatusBlocked, changes[2].To)
			for n := range 7 {
				if n != 0 && n != 4 {
					p.validChanges(site(n))
				}
			}
		}},
		{"statuses that are set already record no change", func(p *probe) {
			cmd := statusesCommand(at(0), asset.StatusBlocked, 1, 2, 3)
			p.setStatuses(cmd)
			want := p.list(asset.Filter{})
			cmd.At = at(1)
			for i, before := range p.setStatuses(cmd) {
				require.Equal(p, want[i].Asset, before)
			}
			require.Len(p, p.changes(asset.ChangeFilter{}), 3)
			require.Equal(p, want, p.list(asset.Filter{}))
		}},
		{"a thousand statuses are set in one step", func(p *probe) {
			p.set(site(500), asset.StatusAllowed, at(0))
			before := p.setStatuses(statusesCommand(at(1), asset.StatusBlocked, numbersTo(asset.MaxStatuses)...))
			require.Len(p, before, asset.MaxStatuses)
			require.Equal(p, asset.StatusAllowed, before[500].Status)
			require.Len(p, p.list(asset.Filter{Status: asset.StatusBlocked}), asset.MaxStatuses)
			require.Len(p, p.changes(asset.ChangeFilter{}), asset.MaxStatuses+1)
		}},
		{"IDs grow in the order of the items", func(p *probe) {
			numbers := numbersTo(20)
			slices.Reverse(numbers)
			var last int64
			for _, before := range p.setStatuses(statusesCommand(at(0), asset.StatusBlocked, numbers...)) {
				require.Greater(p, before.ID, last)
				last = before.ID
			}
		}},
	}
}

// statusesCommand returns a command that gives several assets one status.
func statusesCommand(at time.Time, status asset.Status, numbers ...int) asset.SetStatusesCommand {
	cmd := asset.SetStatusesCommand{Origin: asset.Origin{Cause: asset.CauseImport}, At: at}
	for _, n := range numbers {
		cmd.Items = append(cmd.Items, asset.StatusItem{Identity: site(n), Status: status})
	}
	return cmd
}

func (p *probe) setStatuses(cmd asset.SetStatusesCommand) []asset.Asset {
	p.Helper()
	before, err := p.SetAssetStatuses(p.Context(), cmd)
	require.NoError(p, err, "SetAssetStatuses")
	require.Len(p, before, len(cmd.Items), "one asset for each item")
	return before
}

func (m *machine) setRandomStatuses(t *rapid.T) {
	cmd := asset.SetStatusesCommand{
		Origin: asset.Origin{Cause: asset.CauseImport, Actor: maybe(anyUser).Draw(t, "actor"), Reference: anyText.Draw(t, "reference")},
		At:     anyTime.Draw(t, "at"),
	}
	for _, identity := range rapid.SliceOfNDistinct(anyIdentity, 1, assetCount, rapid.ID).Draw(t, "identities") {
		cmd.Items = append(cmd.Items, asset.StatusItem{Identity: identity, Status: anyStatus.Draw(t, "status")})
	}
	var registered []int64
	for i, before := range m.setStatuses(cmd) {
		item := cmd.Items[i]
		known := m.model.asset(item.Identity)
		if known == nil {
			registered = append(registered, before.ID)
			known = m.model.register(before.ID, item.Identity)
		}
		require.Equal(m, *known, before, "the asset of item %d before the step", i)
		m.model.setStatus(known, item.Status, cmd.At, cmd.Origin)
	}
	m.assigned("asset", registered...)
	m.compareChanges()
}
