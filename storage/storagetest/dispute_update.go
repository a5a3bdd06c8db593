package storagetest

import (
	"errors"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

func disputeUpdateChecks() []requirement {
	return []requirement{
		{"a command with a claim is executed once", func(p *probe) {
			d := p.dispute(registeringCommand(1, "ada@acme.example"))
			cmd := dispute.UpdateCommand{DisputeID: d.ID, Apply: acceptance(d.ID, asset.StatusAllowed, at(1)).Apply, Claim: claimOf(1, "key")}
			repeated(p, func() (dispute.Dispute, error) { return p.UpdateDispute(p.Context(), cmd) }, cmd.Record)
			require.Len(p, p.disputeByID(d.ID).Notes, len(d.Notes)+1)
		}},
		{"a dispute with the maximum of notes can only be closed", func(p *probe) {
			for i, notes := range [][]dispute.Note{
				slices.Repeat(systemNotes("note"), dispute.MaxNotes-1),
				systemNotes(strings.Repeat("x", dispute.MaxTotalNoteBytes-len("the last"))),
			} {
				many := registeringCommand(i, "ada@acme.example")
				many.Notes = notes
				d := p.dispute(many)
				full := p.addNote(noteCommand(d.ID, "the last", at(2)))
				_, err := p.tryAddNote(noteCommand(d.ID, "one more", at(3)))
				require.ErrorIs(p, err, dispute.ErrTooManyNotes)
				_, err = p.tryTransition(transition(d.ID, dispute.StateUnderReview, at(4)))
				require.ErrorIs(p, err, dispute.ErrTooManyNotes)
				require.Equal(p, full, p.disputeByID(d.ID))
				decided := p.transition(transition(d.ID, dispute.StateRejected, at(5)))
				require.Len(p, decided.Notes, len(notes)+2)
				_, err = p.tryTransition(transition(d.ID, dispute.StateOpen, at(6)))
				require.ErrorIs(p, err, dispute.ErrTooManyNotes)
				require.Equal(p, decided, p.disputeByID(d.ID))
			}
		}},
		{"an update of an unknown dispute is ErrNotFound", needs("Organizations", func(p *probe) {
			p.disputeIn(1, dispute.StateOpen)
			before := p.snapshot()
			for _, id := range []int64{0, -1, 1000, asset.MaxID} {
				called := false
				_, err := p.UpdateDispute(p.Context(), dispute.UpdateCommand{DisputeID: id, Apply: func(dispute.Dispute) (dispute.Update, error) {
					called = true
					return dispute.Update{}, nil
				}})
				require.ErrorIs(p, err, dispute.ErrNotFound, "dispute %d", id)
				require.False(p, called, "the update must not be called for the unknown dispute %d", id)
			}
			require.Equal(p, before, p.snapshot())
		})},
		{"the error of an update is returned unchanged and nothing is stored", needs("Organizations", func(p *probe) {
			d := p.disputeIn(1, dispute.StateOpen)
			before := p.snapshot()
			refusal := errors.New("refused")
			_, err := p.UpdateDispute(p.Context(), dispute.UpdateCommand{DisputeID: d.ID, Apply: func(d dispute.Dispute) (dispute.Update, error) {
				update, _ := acceptance(d.ID, asset.StatusAllowed, at(8)).Apply(d)
				return update, refusal
			}})
			require.Equal(p, refusal, err)
			require.Equal(p, before, p.snapshot())
		})},
		{"the largest ID of a user is stored exactly", func(p *probe) {
			d := p.disputeIn(1, dispute.StateOpen)
			note := noteCommand(d.ID, "note", at(8))
			note.Actor = asset.MaxID
			p.addNote(note)
			t := acceptance(d.ID, asset.StatusAllowed, at(9))
			t.Actor = asset.MaxID
			p.transition(t)
			for _, note := range p.disputeByID(d.ID).Notes {
				require.EqualValues(p, asset.MaxID, note.Author)
			}
			require.EqualValues(p, asset.MaxID, p.newestChange().Origin.Actor)
		}},
	}
}
