package storagetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
)

// disputeCommand returns a command that creates a dispute of asset n, which must be
// registered.
func disputeCommand(n int, email string) dispute.CreateCommand {
	return dispute.CreateCommand{
		Identity: site(n),
		Content:  site(n).Canonical,
		Email:    email,
		EmailKey: email,
		At:       at(0),
	}
}

// registeringCommand is like disputing, and registers asset n if it does not exist.
func registeringCommand(n int, email string) dispute.CreateCommand {
	d := disputeCommand(n, email)
	d.Register = true
	return d
}

// systemNotes returns notes of a new dispute.
func systemNotes(texts ...string) []dispute.Note {
	notes := make([]dispute.Note, len(texts))
	for i, text := range texts {
		notes[i] = dispute.Note{Kind: dispute.NoteKindAPI, Text: text}
	}
	return notes
}

func noteTexts(d dispute.Dispute) []string {
	texts := make([]string, len(d.Notes))
	for i, note := range d.Notes {
		texts[i] = note.Text
	}
	return texts
}

func (p *probe) disputes(req dispute.ListRequest) []dispute.Dispute {
	p.Helper()
	return p.disputePage(req).Items
}

func (p *probe) disputePage(req dispute.ListRequest) step.Page[dispute.Dispute] {
	p.Helper()
	disputes, err := p.Disputes(p.Context(), req)
	require.NoError(p, err, "Disputes with %+v", req)
	return disputes
}

// allDisputes returns all disputes that the filter matches, newest first.
func (p *probe) allDisputes(filter dispute.Filter) []dispute.Dispute {
	p.Helper()
	return p.disputes(dispute.ListRequest{Filter: filter, Limit: noLimit})
}

func disputeIDs(disputes []dispute.Dispute) []int64 {
	list := make([]int64, len(disputes))
	for i, d := range disputes {
		list[i] = d.ID
	}
	return list
}

// transition returns a transition that leaves the asset unchanged.
func transition(id int64, to dispute.State, at time.Time) dispute.Transition {
	request := dispute.TransitionRequest{DisputeID: id, Actor: 7, Reason: "to " + string(to)}
	return dispute.Transition{TransitionRequest: request, To: to, At: at}
}

// acceptance returns a transition to ACCEPTED that sets the status of the asset.
func acceptance(id int64, status asset.Status, at time.Time) dispute.Transition {
	t := transition(id, dispute.StateAccepted, at)
	t.AssetStatus = status
	return t
}

// noteCommand returns a command that adds a note.
func noteCommand(id int64, text string, at time.Time) dispute.AddNoteCommand {
	return dispute.AddNoteCommand{AddNoteRequest: dispute.AddNoteRequest{DisputeID: id, Text: text}, At: at}
}

func (p *probe) tryTransition(t dispute.Transition) (dispute.Dispute, error) {
	return p.UpdateDispute(p.Context(), dispute.UpdateCommand{DisputeID: t.DisputeID, Apply: t.Apply})
}

func (p *probe) tryAddNote(cmd dispute.AddNoteCommand) (dispute.Dispute, error) {
	return p.UpdateDispute(p.Context(), dispute.UpdateCommand{DisputeID: cmd.DisputeID, Apply: cmd.Apply})
}

func (p *probe) transition(t dispute.Transition) dispute.Dispute {
	p.Helper()
	updated, err := p.tryTransition(t)
	require.NoError(p, err, "UpdateDispute %d to %s", t.DisputeID, t.To)
	return updated
}

func (p *probe) addNote(cmd dispute.AddNoteCommand) dispute.Dispute {
	p.Helper()
	updated, err := p.tryAddNote(cmd)
	require.NoError(p, err, "UpdateDispute %d with a note", cmd.DisputeID)
	return updated
}

// disputeIn blocks asset n and creates a dispute of it in that state.
func (p *probe) disputeIn(n int, state dispute.State) dispute.Dispute {
	p.Helper()
	p.set(site(n), asset.StatusBlocked, at(0))
	d := p.dispute(disputeCommand(n, "ada@acme.example"))
	if state == dispute.StateOpen {
		return d
	}
	return p.transition(transition(d.ID, state, at(1)))
}

// validHistory requires that the notes of d record allowed transitions from OPEN to the
// current state.
func (p *probe) validHistory(d dispute.Dispute) {
	p.Helper()
	state := dispute.StateOpen
	for i, note := range d.Notes {
		if note.Kind != dispute.NoteKindTransition {
			continue
		}
		require.True(p, state.CanBecome(note.State), "note %d of dispute %d must not be of a transition from %s to %s", i, d.ID, state, note.State)
		state = note.State
	}
	require.Equal(p, state, d.State, "the state of dispute %d must be that of its last transition", d.ID)
}

func (p *probe) dispute(cmd dispute.CreateCommand) dispute.Dispute {
	p.Helper()
	created, err := p.CreateDispute(p.Context(), cmd)
	require.NoError(p, err, "CreateDispute of %v by %q", cmd.Identity, cmd.Email)
	created.Notes = orNil(created.Notes)
	return created
}

func (p *probe) disputeByID(id int64) dispute.Dispute {
	p.Helper()
	got, err := p.DisputeByID(p.Context(), id)
	require.NoError(p, err, "DisputeByID %d", id)
	got.Notes = orNil(got.Notes)
	return got
}

func (p *probe) disputeWithAsset(id int64) dispute.WithAsset {
	p.Helper()
	got, err := p.DisputeWithAsset(p.Context(), id)
	require.NoError(p, err, "DisputeWithAsset %d", id)
	got.Notes = orNil(got.Notes)
	return got
}
