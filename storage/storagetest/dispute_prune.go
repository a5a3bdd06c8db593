package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
)

func (p *probe) pruneDisputes(before time.Time, after int64, limit int) step.Pruned[int64] {
	p.Helper()
	result, err := p.PruneDisputes(p.Context(), dispute.PruneCommand{Before: before, After: after, Limit: limit})
	require.NoError(p, err, "PruneDisputes")
	return result
}

// closedDisputeBy creates a dispute of an address on asset n that is closed at a time.
func (p *probe) closedDisputeBy(email string, n int, closed time.Time) dispute.Dispute {
	p.Helper()
	created := p.dispute(registeringCommand(n, email))
	got, err := p.UpdateDispute(p.Context(), dispute.UpdateCommand{DisputeID: created.ID, Apply: dispute.Transition{To: dispute.StateRejected, At: closed}.Apply})
	require.NoError(p, err)
	return got
}

func (m *machine) pruneDisputesRandomly(t *rapid.T) {
	cmd := dispute.PruneCommand{
		Before: anyBound.Draw(t, "before"),
		After:  rapid.Int64Range(0, m.last["dispute"]).Draw(t, "after"),
		Limit:  rapid.IntRange(1, 4).Draw(t, "limit"),
		Audit:  m.anyAct(t),
	}
	want := step.Pruned[int64]{Next: cmd.After}
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
	m.model.events = slices.DeleteFunc(m.model.events, func(e dispute.Event) bool { return removed[e.DisputeID] })
	want.Removed, want.Done = before-len(m.model.disputes), examined < cmd.Limit
	got, err := m.PruneDisputes(m.Context(), cmd)
	require.NoError(m, err, "PruneDisputes")
	require.Equal(m, want, got, "PruneDisputes with %+v", cmd)
	m.model.tell(cmd.Entry(want.Removed))
	m.compareDisputes()
}
