package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// accepting returns a move that accepts a dispute.
func accepting(id int64, status asset.Status, at time.Time) dispute.Transition {
	m := moving(id, dispute.StateAccepted, at)
	m.AssetStatus = status
	return m
}

// moving returns a move that leaves the asset as it is.
func moving(id int64, to dispute.State, at time.Time) dispute.Transition {
	return dispute.Transition{DisputeID: id, To: to, Actor: 7, Reason: "to " + string(to), At: at}
}

func (p *probe) move(move dispute.Transition) dispute.Dispute {
	p.Helper()
	moved, err := p.MoveDispute(p.Context(), move)
	require.NoError(p, err, "MoveDispute %d to %s", move.DisputeID, move.To)
	return moved
}

// refusedMove demands that the move is refused because the dispute is in that state.
func (p *probe) refusedMove(move dispute.Transition, from dispute.State) {
	p.Helper()
	_, err := p.MoveDispute(p.Context(), move)
	require.ErrorIs(p, err, dispute.ErrInvalidTransition, "MoveDispute %d from %s to %s", move.DisputeID, from, move.To)
	var forbidden *dispute.TransitionError
	require.ErrorAs(p, err, &forbidden)
	require.Equal(p, dispute.TransitionError{From: from, To: move.To}, *forbidden)
}

func (p *probe) note(note dispute.AddNoteCommand) dispute.Dispute {
	p.Helper()
	noted, err := p.AddDisputeNote(p.Context(), note)
	require.NoError(p, err, "AddDisputeNote %d", note.DisputeID)
	return noted
}

// keepsDisputeLife stores the moment in the life of a dispute of an ALLOWED asset,
// and demands to get back what it is in UTC.
func (p *probe) keepsDisputeLife(d dispute.Dispute, disputed asset.Identity, moment, want time.Time) {
	p.Helper()
	moved := p.move(accepting(d.ID, asset.StatusUnknown, moment))
	noted := p.note(dispute.AddNoteCommand{DisputeID: d.ID, Text: "note", At: moment})
	for _, got := range []dispute.Dispute{moved, noted, p.disputeByID(d.ID)} {
		p.sameMoment(want, got.UpdatedAt, "the update of a dispute that was moved")
		for _, note := range got.Notes {
			p.sameMoment(want, note.CreatedAt, "the time of a note")
		}
	}
	byDispute := asset.ChangeFilter{Identity: disputed, To: asset.StatusUnknown}
	p.sameMoment(want, only(p, p.changes(byDispute)).At, "the time of a change by a dispute")
}

// disputeIn makes a dispute of asset n, which is BLOCKED, and moves it to the state.
func (p *probe) disputeIn(n int, state dispute.State) dispute.Dispute {
	p.Helper()
	p.set(site(n), asset.StatusBlocked, at(0))
	d := p.dispute(draft(n, "ada@acme.example"))
	if state == dispute.StateOpen {
		return d
	}
	return p.move(moving(d.ID, state, at(1)))
}

// livesByTheTable demands that the notes of a dispute lead from OPEN to the state
// that it has, by allowed moves alone.
func (p *probe) livesByTheTable(d dispute.Dispute) {
	p.Helper()
	state := dispute.StateOpen
	for i, note := range d.Notes {
		if note.State == "" {
			continue
		}
		require.True(p, state.CanBecome(note.State), "note %d of dispute %d is of a move from %s to %s", i, d.ID, state, note.State)
		state = note.State
	}
	require.Equal(p, state, d.State, "the last move of dispute %d must lead to its state", d.ID)
}

func disputeLifeChecks() []check {
	return []check{
		{"a move changes the state and leaves a note", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			d := draft(1, "ada@acme.example")
			d.Notes = []string{"first"}
			want := p.dispute(d)
			before := p.changes(asset.ChangeFilter{})

			got := p.move(dispute.Transition{DisputeID: want.ID, To: dispute.StateUnderReview, Actor: 7, Reason: "I look.", At: at(5)})
			want.State, want.UpdatedAt = dispute.StateUnderReview, at(5)
			want.Notes = append(want.Notes, dispute.Note{Text: "I look.", Author: 7, State: dispute.StateUnderReview, CreatedAt: at(5)})
			require.Equal(p, want, got)
			require.Equal(p, want, p.disputeByID(want.ID))
			require.Equal(p, asset.StatusBlocked, p.asset(site(1)).Status)
			require.Equal(p, before, p.changes(asset.ChangeFilter{}), "a move without a status is no change")
		}},
		{"a move may be by nobody and for no reason", func(p *probe) {
			d := p.disputeIn(1, dispute.StateOpen)
			d = p.move(dispute.Transition{DisputeID: d.ID, To: dispute.StateWithdrawn, At: at(5)})
			require.Equal(p, dispute.Note{State: dispute.StateWithdrawn, CreatedAt: at(5)}, only(p, d.Notes))
			require.Equal(p, d, p.disputeByID(d.ID))
		}},
		{"the moves from every state are those of the table", func(p *probe) {
			for i, from := range dispute.States() {
				for j, to := range dispute.States() {
					before := p.disputeIn(10*i+j, from)
					if from.CanBecome(to) {
						require.Equal(p, to, p.move(moving(before.ID, to, at(9))).State)
						continue
					}
					p.refusedMove(moving(before.ID, to, at(9)), from)
					require.Equal(p, before, p.disputeByID(before.ID), "a forbidden move changes nothing")
				}
			}
		}},
		{"a move may ask for a state to start from", func(p *probe) {
			closed := p.disputeIn(1, dispute.StateRejected)
			putBack := moving(closed.ID, dispute.StateOpen, at(9))
			putBack.From = []dispute.State{dispute.StateUnderReview}
			p.refusedMove(putBack, dispute.StateRejected)
			require.Equal(p, closed, p.disputeByID(closed.ID))
			putBack.From = []dispute.State{dispute.StateUnderReview, dispute.StateRejected}
			require.Equal(p, dispute.StateOpen, p.move(putBack).State)
		}},
		{"acceptance gives the asset its status and records the change", func(p *probe) {
			d := p.disputeIn(1, dispute.StateUnderReview)
			p.move(accepting(d.ID, asset.StatusAllowed, at(8)))
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
		{"acceptance of a status that the asset has already is no change", func(p *probe) {
			d := p.dispute(registering(1, "ada@acme.example"))
			require.Equal(p, dispute.StateAccepted, p.move(accepting(d.ID, asset.StatusUnknown, at(8))).State)
			require.Empty(p, p.changes(asset.ChangeFilter{}))
		}},
		{"a forbidden move leaves the asset as it is", func(p *probe) {
			d := p.disputeIn(1, dispute.StateRejected)
			before := p.snapshot()
			p.refusedMove(accepting(d.ID, asset.StatusAllowed, at(8)), dispute.StateRejected)
			require.Equal(p, before, p.snapshot())
		}},
		{"reopening leaves the asset as acceptance made it", func(p *probe) {
			d := p.disputeIn(1, dispute.StateOpen)
			p.move(accepting(d.ID, asset.StatusAllowed, at(8)))
			before := p.changes(asset.ChangeFilter{})
			p.move(moving(d.ID, dispute.StateOpen, at(9)))
			require.Equal(p, asset.StatusAllowed, p.asset(site(1)).Status)
			require.Equal(p, before, p.changes(asset.ChangeFilter{}))
		}},
		{"moves and notes of one dispute leave the others alone", func(p *probe) {
			other := p.disputeIn(2, dispute.StateOpen)
			d := p.disputeIn(1, dispute.StateOpen)
			p.note(dispute.AddNoteCommand{DisputeID: d.ID, Text: "note", At: at(8)})
			p.move(accepting(d.ID, asset.StatusAllowed, at(8)))
			require.Equal(p, other, p.disputeByID(other.ID))
			require.Equal(p, asset.StatusBlocked, p.asset(site(2)).Status)
		}},
		{"in every state a second dispute of the asset and e-mail key is ErrExists", func(p *probe) {
			for i, state := range dispute.States() {
				d := p.disputeIn(i, state)
				_, err := p.CreateDispute(p.Context(), draft(i, "ada@acme.example"))
				require.ErrorIs(p, err, dispute.ErrExists, "a dispute that is %s", state)
				require.Equal(p, d, p.disputeByID(d.ID))
			}
		}},
		{"a note is added in every state and keeps it", func(p *probe) {
			for i, state := range dispute.States() {
				want := p.disputeIn(i, state)
				got := p.note(dispute.AddNoteCommand{DisputeID: want.ID, Text: "note", Actor: 7, At: at(8)})
				want.UpdatedAt = at(8)
				want.Notes = append(want.Notes, dispute.Note{Text: "note", Author: 7, CreatedAt: at(8)})
				require.Equal(p, want, got)
				require.Equal(p, want, p.disputeByID(want.ID))
			}
		}},
		{"a dispute with all the notes that it may have is decided, and takes no other", func(p *probe) {
			many := draft(1, "ada@acme.example")
			many.Register = true
			many.Notes = slices.Repeat([]string{"note"}, dispute.MaxNotes-1)
			d := p.dispute(many)
			full := p.note(dispute.AddNoteCommand{DisputeID: d.ID, Text: "the last", At: at(2)})
			_, err := p.AddDisputeNote(p.Context(), dispute.AddNoteCommand{DisputeID: d.ID, Text: "one more", At: at(3)})
			require.ErrorIs(p, err, dispute.ErrTooManyNotes)
			_, err = p.MoveDispute(p.Context(), moving(d.ID, dispute.StateUnderReview, at(4)))
			require.ErrorIs(p, err, dispute.ErrTooManyNotes)
			require.Equal(p, full, p.disputeByID(d.ID))
			decided := p.move(moving(d.ID, dispute.StateRejected, at(5)))
			require.Len(p, decided.Notes, dispute.MaxNotes+1)
			_, err = p.MoveDispute(p.Context(), moving(d.ID, dispute.StateOpen, at(6)))
			require.ErrorIs(p, err, dispute.ErrTooManyNotes)
			require.Equal(p, decided, p.disputeByID(d.ID))
		}},
		{"notes keep their order when the clock is set back", func(p *probe) {
			d := p.disputeIn(1, dispute.StateOpen)
			p.move(moving(d.ID, dispute.StateUnderReview, at(-5)))
			p.note(dispute.AddNoteCommand{DisputeID: d.ID, Text: "later", At: at(-7)})
			p.move(moving(d.ID, dispute.StateRejected, at(-9)))
			got := p.disputeByID(d.ID)
			require.Equal(p, []string{"to UNDER_REVIEW", "later", "to REJECTED"}, noteTexts(got))
			require.Equal(p, at(0), got.CreatedAt)
			require.Equal(p, at(0), got.UpdatedAt, "not before it was created")
			require.Equal(p, at(9), p.move(moving(d.ID, dispute.StateOpen, at(9))).UpdatedAt)
			p.note(dispute.AddNoteCommand{DisputeID: d.ID, Text: "earlier", At: at(7)})
			require.Equal(p, at(7), p.disputeByID(d.ID).UpdatedAt, "the last update, not the latest time")
		}},
		{"a dispute that does not exist is ErrNotFound", func(p *probe) {
			p.disputeIn(1, dispute.StateOpen)
			before := p.snapshot()
			for _, id := range []int64{0, -1, 1000, asset.MaxID} {
				_, err := p.MoveDispute(p.Context(), accepting(id, asset.StatusAllowed, at(8)))
				require.ErrorIs(p, err, dispute.ErrNotFound, "moving dispute %d", id)
				_, err = p.AddDisputeNote(p.Context(), dispute.AddNoteCommand{DisputeID: id, Text: "note", At: at(8)})
				require.ErrorIs(p, err, dispute.ErrNotFound, "a note on dispute %d", id)
			}
			require.Equal(p, before, p.snapshot())
		}},
		{"the largest identifier of a user is kept", func(p *probe) {
			d := p.disputeIn(1, dispute.StateOpen)
			p.note(dispute.AddNoteCommand{DisputeID: d.ID, Text: "note", Actor: asset.MaxID, At: at(8)})
			m := accepting(d.ID, asset.StatusAllowed, at(9))
			m.Actor = asset.MaxID
			p.move(m)
			for _, note := range p.disputeByID(d.ID).Notes {
				require.EqualValues(p, asset.MaxID, note.Author)
			}
			require.EqualValues(p, asset.MaxID, p.newestChange().Origin.Actor)
		}},
	}
}
