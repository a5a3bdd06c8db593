package storagetest

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/dispute"
)

func (p *probe) erase(emailKey string, limit int) int {
	p.Helper()
	erased, err := p.EraseDisputes(p.Context(), dispute.EraseCommand{EmailKey: emailKey, Limit: limit})
	require.NoError(p, err, "EraseDisputes")
	return erased
}

func disputeEraseChecks() []requirement {
	const ada, grace = "ada@acme.example", "grace@acme.example"
	return []requirement{
		{"an erased dispute has no texts of the person", func(p *probe) {
			cmd := registeringCommand(1, ada)
			cmd.Content, cmd.Description = "HTTPS://Ada@site-1.example", "I am Ada"
			cmd.Notes = systemNotes("system")
			created := p.dispute(cmd)
			_, err := p.tryAddNote(dispute.AddNoteCommand{
				AddNoteRequest: dispute.AddNoteRequest{DisputeID: created.ID, Actor: 3, Text: "Ada called"}, At: at(5),
			})
			require.NoError(p, err)
			_, err = p.UpdateDispute(p.Context(), dispute.UpdateCommand{DisputeID: created.ID, Apply: dispute.Transition{
				TransitionRequest: dispute.TransitionRequest{Reason: "Ada is right"}, To: dispute.StateAccepted, At: at(6),
			}.Apply})
			require.NoError(p, err)
			before, err := p.DisputeByID(p.Context(), created.ID)
			require.NoError(p, err)
			require.Equal(p, 1, p.erase(ada, 10))
			after, err := p.DisputeByID(p.Context(), created.ID)
			require.NoError(p, err)
			want := before.Erased(site(1).Canonical)
			require.Equal(p, want, after)
			require.Equal(p, "system", after.Notes[0].Text)
			require.Empty(p, after.Notes[1].Text)
			require.Empty(p, after.Notes[2].Text)
			require.Equal(p, 0, p.erase(ada, 10), "a second time")
		}},
	}
}

func (m *machine) eraseRandomly(t *rapid.T) {
	key, limit := anyEmailKey.Draw(t, "email"), rapid.IntRange(1, 4).Draw(t, "limit")
	left := 0
	for i := range m.model.disputes {
		if d := &m.model.disputes[i]; d.emailKey == key {
			canonical := m.model.assetByID(d.dispute.AssetID).Canonical
			d.dispute, d.emailKey = d.dispute.Erased(canonical), dispute.ErasedKey(d.dispute.ID)
			left++
		}
	}
	cmd := dispute.EraseCommand{EmailKey: key, Limit: limit, Audit: m.anyAct(t)}
	for more := true; more; left -= limit { // and once more when none are left
		more = left > 0
		erased, err := m.EraseDisputes(m.Context(), cmd)
		require.NoError(m, err, "EraseDisputes")
		require.Equal(m, max(0, min(left, limit)), erased, "EraseDisputes of %q", key)
		if erased > 0 {
			m.model.tell(cmd.Entry(erased))
		}
	}
	for _, d := range m.model.disputes {
		m.compareDispute(d)
	}
}
