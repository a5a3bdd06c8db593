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
		{"a transition changes the state and adds a note", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			d := disputeCommand(1, "ada@acme.example")
			d.Notes = systemNotes("first")
			want := p.dispute(d)
			before := p.changes(asset.ChangeFilter{})

			got := p.transition(transition(want.ID, dispute.StateUnderReview, at(5)))
			want.State, want.UpdatedAt = dispute.StateUnderReview, at(5)
			want.Notes = append(want.Notes, dispute.Note{
				Kind: dispute.NoteKindTransition, Text: "to UNDER_REVIEW", Author: 7, State: dispute.StateUnderReview, CreatedAt: at(5),
			})
			require.Equal(p, want, got)
			require.Equal(p, want, p.disputeByID(want.ID))
			require.Equal(p, asset.StatusBlocked, p.asset(site(1)).Status)
			require.Equal(p, before, p.changes(asset.ChangeFilter{}), "a transition without AssetStatus must not change the asset")
		}},
		{"the actor and the reason of a transition may be empty", func(p *probe) {
			d := p.disputeIn(1, dispute.StateOpen)
			t := transition(d.ID, dispute.StateWithdrawn, at(5))
			t.Actor, t.Reason = 0, ""
			d = p.transition(t)
			want := dispute.Note{Kind: dispute.NoteKindTransition, State: dispute.StateWithdrawn, CreatedAt: at(5)}
			require.Equal(p, want, only(p, d.Notes))
			require.Equal(p, d, p.disputeByID(d.ID))
		}},
		{"a transition succeeds from the states that allow it", func(p *probe) {
			for i, from := range dispute.States() {
				for j, to := range dispute.States() {
					before := p.disputeIn(10*i+j, from)
					if from.CanBecome(to) {
						require.Equal(p, to, p.transition(transition(before.ID, to, at(9))).State)
						continue
					}
					p.invalidTransition(transition(before.ID, to, at(9)), from)
					require.Equal(p, before, p.disputeByID(before.ID), "an invalid transition must store nothing")
				}
			}
		}},
		{"a transition may require a state", func(p *probe) {
			rejected := p.disputeIn(1, dispute.StateRejected)
			release := transition(rejected.ID, dispute.StateOpen, at(9))
			release.From = []dispute.State{dispute.StateUnderReview}
			p.invalidTransition(release, dispute.StateRejected)
			require.Equal(p, rejected, p.disputeByID(rejected.ID))
			release.From = []dispute.State{dispute.StateUnderReview, dispute.StateRejected}
			require.Equal(p, dispute.StateOpen, p.transition(release).State)
		}},
		{"acceptance sets the status of the asset and records the change", func(p *probe) {
			d := p.disputeIn(1, dispute.StateUnderReview)
			p.transition(acceptance(d.ID, asset.StatusAllowed, at(8)))
			require.Equal(p, asset.StatusAllowed, p.asset(site(1)).Status)
			change := p.newestChange()
			require.Equal(p, asset.Change{
				ID:      change.ID,
				AssetID: d.AssetID,
				Type:    asset.TypeURL,
				Content: site(1).Canonical,
				From:    asset.StatusBlocked,
				To:      asset.StatusAllowed,
				At:      at(8),
				Origin:  asset.Origin{Cause: asset.CauseDispute, Actor: 7, Reference: "dispute/1"},
			}, change)
		}},
		{"acceptance with the current status of the asset records nothing", func(p *probe) {
			d := p.dispute(registeringCommand(1, "ada@acme.example"))
			require.Equal(p, dispute.StateAccepted, p.transition(acceptance(d.ID, asset.StatusUnknown, at(8))).State)
			require.Empty(p, p.changes(asset.ChangeFilter{}))
		}},
		{"an invalid transition leaves the asset unchanged", needs("Organizations", func(p *probe) {
			d := p.disputeIn(1, dispute.StateRejected)
			before := p.snapshot()
			p.invalidTransition(acceptance(d.ID, asset.StatusAllowed, at(8)), dispute.StateRejected)
			require.Equal(p, before, p.snapshot())
		})},
		{"reopening keeps the status that the acceptance set", func(p *probe) {
			d := p.disputeIn(1, dispute.StateOpen)
			p.transition(acceptance(d.ID, asset.StatusAllowed, at(8)))
			before := p.changes(asset.ChangeFilter{})
			p.transition(transition(d.ID, dispute.StateOpen, at(9)))
			require.Equal(p, asset.StatusAllowed, p.asset(site(1)).Status)
			require.Equal(p, before, p.changes(asset.ChangeFilter{}))
		}},
		{"an update of one dispute leaves the others unchanged", func(p *probe) {
			other := p.disputeIn(2, dispute.StateOpen)
			d := p.disputeIn(1, dispute.StateOpen)
			p.addNote(noteCommand(d.ID, "note", at(8)))
			p.transition(acceptance(d.ID, asset.StatusAllowed, at(8)))
			require.Equal(p, other, p.disputeByID(other.ID))
			require.Equal(p, asset.StatusBlocked, p.asset(site(2)).Status)
		}},
		{"a second dispute of the asset and e-mail key is ErrExists in every state", func(p *probe) {
			for i, state := range dispute.States() {
				d := p.disputeIn(i, state)
				_, err := p.CreateDispute(p.Context(), disputeCommand(i, "ada@acme.example"))
				require.ErrorIs(p, err, dispute.ErrExists, "a second dispute of a dispute that is %s", state)
				require.Equal(p, d, p.disputeByID(d.ID))
			}
		}},
		{"a note is added in every state", func(p *probe) {
			for i, state := range dispute.States() {
				want := p.disputeIn(i, state)
				note := noteCommand(want.ID, "note", at(8))
				note.Actor = 7
				got := p.addNote(note)
				want.UpdatedAt = at(8)
				want.Notes = append(want.Notes, dispute.Note{Kind: dispute.NoteKindComment, Text: "note", Author: 7, CreatedAt: at(8)})
				require.Equal(p, want, got)
				require.Equal(p, want, p.disputeByID(want.ID))
			}
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
		{"notes keep their order if the clock is set back", func(p *probe) {
			d := p.disputeIn(1, dispute.StateOpen)
			p.transition(transition(d.ID, dispute.StateUnderReview, at(-5)))
			p.addNote(noteCommand(d.ID, "later", at(-7)))
			p.transition(transition(d.ID, dispute.StateRejected, at(-9)))
			got := p.disputeByID(d.ID)
			require.Equal(p, []string{"to UNDER_REVIEW", "later", "to REJECTED"}, noteTexts(got))
			require.Equal(p, at(0), got.CreatedAt)
			require.Equal(p, at(0), got.UpdatedAt, "UpdatedAt must not be before CreatedAt")
			require.Equal(p, at(9), p.transition(transition(d.ID, dispute.StateOpen, at(9))).UpdatedAt)
			p.addNote(noteCommand(d.ID, "earlier", at(7)))
			require.Equal(p, at(7), p.disputeByID(d.ID).UpdatedAt, "UpdatedAt must be the time of the last update, not the latest time")
		}},
		{"an update of an unknown dispute is ErrNotFound", needs("Organizations", func(p *probe) {
			p.disputeIn(1, dispute.StateOpen)
			before := p.snapshot()
			for _, id := range []int64{0, -1, 1000, asset.MaxID} {
				called := false
				_, err := p.UpdateDispute(p.Context(), id, func(dispute.Dispute) (dispute.Update, error) {
					called = true
					return dispute.Update{}, nil
				})
				require.ErrorIs(p, err, dispute.ErrNotFound, "dispute %d", id)
				require.False(p, called, "the update must not be called for the unknown dispute %d", id)
			}
			require.Equal(p, before, p.snapshot())
		})},
		{"an update receives the stored dispute", func(p *probe) {
			d := registeringCommand(1, "Ada@acme.example")
			d.Description, d.Notes = "It is ours.", systemNotes("first")
			want := p.dispute(d)
			var got dispute.Dispute
			_, err := p.UpdateDispute(p.Context(), want.ID, func(d dispute.Dispute) (dispute.Update, error) {
				got = d
				return noteCommand(d.ID, "note", at(1)).Apply(d)
			})
			require.NoError(p, err)
			require.Equal(p, want, got)
		}},
		{"the error of an update is returned unchanged and nothing is stored", needs("Organizations", func(p *probe) {
			d := p.disputeIn(1, dispute.StateOpen)
			before := p.snapshot()
			refusal := errors.New("refused")
			_, err := p.UpdateDispute(p.Context(), d.ID, func(d dispute.Dispute) (dispute.Update, error) {
				update, _ := acceptance(d.ID, asset.StatusAllowed, at(8)).Apply(d)
				return update, refusal
			})
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
