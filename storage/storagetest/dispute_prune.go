package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

func (p *probe) pruneDisputes(before time.Time, after int64, limit int) asset.Pruned[int64] {
	p.Helper()
	result, err := p.PruneDisputes(p.Context(), dispute.PruneCommand{Before: before, After: after, Limit: limit})
	require.NoError(p, err, "PruneDisputes")
	return result
}

// closedDispute creates a dispute of asset n that is rejected at a time.
func (p *probe) closedDispute(n int, closed time.Time) dispute.Dispute {
	p.Helper()
	return p.closedDisputeBy("ada@acme.example", n, closed)
}

// closedDisputeBy is closedDispute with another address.
func (p *probe) closedDisputeBy(email string, n int, closed time.Time) dispute.Dispute {
	p.Helper()
	created := p.dispute(registeringCommand(n, email))
	got, err := p.UpdateDispute(p.Context(), created.ID, dispute.Transition{To: dispute.StateRejected, At: closed}.Apply)
	require.NoError(p, err)
	return got
}

func disputePruneChecks() []requirement {
	return []requirement{
		{"closed disputes before the time are removed, others stay", func(p *probe) {
			open := p.dispute(registeringCommand(1, "ada@acme.example"))
			old, newer := p.closedDispute(2, at(10)), p.closedDispute(3, at(20))
			require.Equal(p, asset.Pruned[int64]{Next: newer.ID, Done: true}, p.pruneDisputes(at(10), 0, 10), "at the time")
			require.Equal(p, asset.Pruned[int64]{Removed: 1, Next: newer.ID, Done: true}, p.pruneDisputes(at(10).Add(time.Microsecond), 0, 10))
			_, err := p.DisputeByID(p.Context(), old.ID)
			require.ErrorIs(p, err, dispute.ErrNotFound)
			page, err := p.Disputes(p.Context(), dispute.ListRequest{Limit: noLimit})
			require.NoError(p, err)
			require.Len(p, page.Items, 2)
			for _, kept := range []dispute.Dispute{open, newer} {
				_, err := p.DisputeByID(p.Context(), kept.ID)
				require.NoError(p, err)
			}
			again := p.dispute(registeringCommand(2, "ada@acme.example"))
			require.Greater(p, again.ID, newer.ID)
		}},
		{"a step examines no more disputes than its limit", func(p *probe) {
			var last dispute.Dispute
			for n := range 5 {
				last = p.closedDispute(n, at(10))
			}
			first := p.pruneDisputes(maxTime, 0, 2)
			require.Equal(p, 2, first.Removed)
			require.False(p, first.Done)
			second := p.pruneDisputes(maxTime, first.Next, 3)
			require.Equal(p, asset.Pruned[int64]{Removed: 3, Next: last.ID}, second)
			require.Equal(p, asset.Pruned[int64]{Next: last.ID, Done: true}, p.pruneDisputes(maxTime, last.ID, 3))
			require.Greater(p, p.dispute(registeringCommand(1, "b@acme.example")).ID, last.ID, "an ID is not used again")
		}},
		{"the zero time removes nothing", func(p *probe) {
			p.closedDispute(1, at(10))
			require.Zero(p, p.pruneDisputes(time.Time{}, 0, 10).Removed)
		}},
	}
}

func (m *machine) pruneDisputesRandomly(t *rapid.T) {
	cmd := dispute.PruneCommand{
		Before: anyBound.Draw(t, "before"),
		After:  rapid.Int64Range(0, m.last["dispute"]).Draw(t, "after"),
		Limit:  rapid.IntRange(1, 4).Draw(t, "limit"),
	}
	want := asset.Pruned[int64]{Next: cmd.After}
	examined, removed := 0, make(map[int64]bool)
	for _, d := range m.model.disputes { // ordered by ID
		if id := d.dispute.ID; id > cmd.After && examined < cmd.Limit {
			examined++
			want.Next = id
			removed[id] = d.dispute.State.Closed() && d.dispute.UpdatedAt.Before(cmd.Before)
		}
	}
	before := len(m.model.disputes)
	m.model.disputes = slices.DeleteFunc(m.model.disputes, func(d modelDispute) bool { return removed[d.dispute.ID] })
	want.Removed, want.Done = before-len(m.model.disputes), examined < cmd.Limit
	require.Equal(m, want, m.pruneDisputes(cmd.Before, cmd.After, cmd.Limit), "PruneDisputes with %+v", cmd)
	m.compareDisputes()
}
