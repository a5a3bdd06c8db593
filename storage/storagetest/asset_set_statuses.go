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
		{"IfStatus is the status before", func(p *probe) {
			for _, c := range []struct {
				n             int
				ifStatus, set asset.Status
				want          error
			}{
				{1, asset.StatusAllowed, asset.StatusBlocked, asset.ErrChanged},
				{1, asset.StatusUnknown, asset.StatusBlocked, nil},
				{1, asset.StatusUnknown, asset.StatusAllowed, asset.ErrChanged},
				{1, asset.StatusBlocked, asset.StatusAllowed, nil},
				{1, "", asset.StatusUnknown, nil},
				{2, asset.StatusBlocked, asset.StatusUnknown, asset.ErrChanged},
			} {
				before := p.list(asset.Filter{})
				cmd := statusesCommand(at(1), c.set, c.n)
				cmd.IfStatus = c.ifStatus
				_, err := p.SetAssetStatuses(p.Context(), cmd)
				require.Equal(p, c.want, err)
				if err != nil {
					require.Equal(p, before, p.list(asset.Filter{}), "nothing is registered")
					continue
				}
				require.Equal(p, c.set, p.asset(site(c.n)).Status)
			}
		}},
		{"a thousand statuses are set in one step", func(p *probe) {
			p.set(site(500), asset.StatusAllowed, at(0))
			before := p.setStatuses(statusesCommand(at(1), asset.StatusBlocked, numbersTo(asset.MaxItems)...))
			require.Len(p, before, asset.MaxItems)
			require.Equal(p, asset.StatusAllowed, before[500].Status)
			require.Len(p, p.list(asset.Filter{Status: asset.StatusBlocked}), asset.MaxItems)
			require.Len(p, p.changes(asset.ChangeFilter{}), asset.MaxItems+1)
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

func (p *probe) setStatuses(cmd asset.SetStatusesCommand) []asset.Held {
	p.Helper()
	before, err := p.SetAssetStatuses(p.Context(), cmd)
	require.NoError(p, err, "SetAssetStatuses")
	require.Len(p, before, len(cmd.Items), "one asset for each item")
	for i := range before {
		before[i] = byList(before[i])
	}
	return before
}

func (m *machine) setRandomStatuses(t *rapid.T) {
	cmd := asset.SetStatusesCommand{
		Origin: asset.Origin{Cause: asset.CauseImport, Actor: maybe(anyUser).Draw(t, "actor"), Reference: anyText.Draw(t, "reference")},
		At:     anyTime.Draw(t, "at"),
		Audit:  m.anyAct(t),

		ReviewAt: sometimes(anyTime).Draw(t, "review"),
	}
	if rapid.Bool().Draw(t, "with a reason") {
		cmd.Reason, cmd.Note = rapid.SampledFrom(asset.Reasons()).Draw(t, "reason"), anyText.Draw(t, "note")
	}
	for _, identity := range rapid.SliceOfNDistinct(anyIdentity, 1, assetCount, rapid.ID).Draw(t, "identities") {
		item := asset.StatusItem{Identity: identity, Status: anyStatus.Draw(t, "status"), ExpiresAt: sometimes(anyTime).Draw(t, "end")}
		cmd.Items = append(cmd.Items, item)
	}
	var registered []int64
	found := m.setStatuses(cmd)
	m.model.tell(cmd.Entry(found))
	for i, before := range found {
		item := cmd.Items[i]
		known := m.model.asset(item.Identity)
		if known == nil {
			registered = append(registered, before.ID)
			known = m.model.register(before.ID, item.Identity)
		}
		require.Equal(m, m.model.held(known, cmd.At), before, "what is held on the asset of item %d before the step", i)
		m.model.decide(known, asset.Decision{
			Status: item.Status, Reason: cmd.Reason, Note: cmd.Note, ExpiresAt: item.ExpiresAt, ReviewAt: cmd.ReviewAt, Origin: cmd.Origin,
		}, cmd.At)
		require.Equal(m, item.Status, m.asset(item.Identity).Status, "an asset has the status that was set, whatever else is held on it")
	}
	m.assigned("asset", registered...)
	m.compareChanges()
}
