package storagetest

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
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
		{"a dispute is given to an active user, and the note says by whom", needs("Users", func(p *probe) {
			require.NoError(p, p.PutUser(p.Context(), account.User{ID: 71, FullName: "Ana"}, audit.Entry{}))
			require.NoError(p, p.PutUser(p.Context(), account.User{ID: 72, Deactivated: true}, audit.Entry{}))
			d := p.disputeIn(1, dispute.StateOpen)
			t := transition(d.ID, dispute.StateUnderReview, at(9))
			t.Actor = 1
			for _, id := range []int64{72, 73, asset.MaxID} {
				before := p.snapshot()
				t.Assignee = id
				_, err := p.UpdateDispute(p.Context(), dispute.UpdateCommand{DisputeID: d.ID, Assignee: id, Apply: t.Apply})
				require.ErrorIs(p, err, asset.ErrInvalid, "user %d", id)
				require.Equal(p, before, p.snapshot())
			}
			t.Assignee = 71
			given, err := p.UpdateDispute(p.Context(), dispute.UpdateCommand{DisputeID: d.ID, Assignee: 71, Apply: t.Apply})
			require.NoError(p, err)
			require.EqualValues(p, 71, given.Assignee)
			last := given.Notes[len(given.Notes)-1]
			require.EqualValues(p, 71, last.Assignee)
			require.EqualValues(p, 1, last.Author)
			require.Equal(p, given, p.disputeByID(d.ID))
			require.Equal(p, []int64{d.ID}, disputeIDs(p.allDisputes(dispute.Filter{Assignee: 71})))
		})},
		{"the disputes of a user who leaves are released, and no others", needs("Organizations", func(p *probe) {
			held := make([]dispute.Dispute, 0, 3)
			for n, reviewer := range []int64{1, 2, 1} {
				t := transition(p.disputeIn(n, dispute.StateOpen).ID, dispute.StateUnderReview, at(1))
				t.Actor = reviewer
				held = append(held, p.transition(t))
			}
			queue := dispute.NewQueueService(p.Store, dispute.QueueOptions{Clock: func() time.Time { return at(2) }})
			released, err := queue.ReleaseAll(p.Context(), dispute.ReleaseAllRequest{Assignee: 1, Actor: 3, Reason: "left"})
			require.NoError(p, err)
			require.Equal(p, 2, released)
			for i, d := range held {
				after := p.disputeByID(d.ID)
				if i == 1 {
					require.Equal(p, d, after, "that of a colleague")
					continue
				}
				require.Equal(p, dispute.StateOpen, after.State)
				require.Zero(p, after.Assignee)
				require.EqualValues(p, 3, after.Notes[len(after.Notes)-1].Author)
			}
		})},
	}
}
