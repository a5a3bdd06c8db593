package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/dispute"
)

// The steps of the state machine that are about disputes and their life.

var (
	anyState  = rapid.SampledFrom(dispute.States())
	anyStates = rapid.SliceOfN(anyState, 0, 3)
	// anyEmailKey is one of few, of which an EmailKey has none in capitals.
	anyEmailKey = rapid.SampledFrom([]string{"a", "A", "b"})
)

func (m *machine) moveRandomly(t *rapid.T) {
	move := dispute.Transition{
		DisputeID:   rapid.Int64Range(1, m.last["dispute"]+1).Draw(t, "dispute"),
		From:        sometimes(anyStates).Draw(t, "from"),
		To:          anyState.Draw(t, "to"),
		AssetStatus: sometimes(anyStatus).Draw(t, "asset status"),
		Actor:          maybe(anyUser).Draw(t, "by"),
		Reason:      anyWord.Draw(t, "reason"),
		At:          anyMoment.Draw(t, "at"),
	}
	got, err := m.MoveDispute(m.Context(), move)
	known := m.model.disputeByID(move.DisputeID)
	if known == nil {
		require.ErrorIs(m, err, dispute.ErrNotFound)
		return
	}
	if refusal := m.model.move(known, move); refusal != nil {
		require.Equal(m, refusal, err)
	} else {
		require.NoError(m, err)
		m.sameDispute(known.dispute, got)
	}
	m.compareDispute(*known)
	m.compareChanges()
}

func (m *machine) noteRandomly(t *rapid.T) {
	note := dispute.AddNoteCommand{
		DisputeID: rapid.Int64Range(1, m.last["dispute"]+1).Draw(t, "dispute"),
		Text:      anyWord.Draw(t, "text"),
		Actor:    maybe(anyUser).Draw(t, "author"),
		At:        anyMoment.Draw(t, "at"),
	}
	got, err := m.AddDisputeNote(m.Context(), note)
	known := m.model.disputeByID(note.DisputeID)
	if known == nil {
		require.ErrorIs(m, err, dispute.ErrNotFound)
		return
	}
	require.NoError(m, err)
	known.update(note.At)
	known.dispute.Notes = append(known.dispute.Notes, dispute.Note{Text: note.Text, Author: note.Actor, CreatedAt: note.At})
	m.sameDispute(known.dispute, got)
	m.compareDispute(*known)
}

func (m *machine) readDisputes(t *rapid.T) {
	listing := dispute.Listing{
		Filter: dispute.Filter{
			States:   sometimes(anyStates).Draw(t, "states"),
			Identity: sometimes(anyIdentity).Draw(t, "identity"),
			Email:    sometimes(anyEmailKey).Draw(t, "email"),
			Created:  anyPeriod.Draw(t, "created"),
		},
		OldestFirst: rapid.Bool().Draw(t, "oldest first"),
		Limit:       rapid.IntRange(1, 4).Draw(t, "limit"),
	}
	if rapid.Bool().Draw(t, "continued") {
		listing.Cursor = dispute.Cursor{At: anyBound.Draw(t, "after"), ID: rapid.Int64Range(0, m.last["dispute"]+1).Draw(t, "after ID")}
	}
	require.Equal(m, m.model.listed(listing), orNil(m.listed(listing)), "Disputes with %+v", listing)
}

func (m *machine) compareDispute(want modelDispute) {
	m.Helper()
	got := m.disputeByID(want.dispute.ID)
	m.sameDispute(want.dispute, got)
	m.livesByTheTable(got)
}

func (m *machine) compareDisputes() {
	m.Helper()
	for _, want := range m.model.disputes {
		m.compareDispute(want)
	}
	all := dispute.Listing{Limit: everything}
	require.Equal(m, m.model.listed(all), orNil(m.listed(all)), "all disputes")
}

func (m *model) disputeByID(id int64) *modelDispute {
	return find(m.disputes, func(d modelDispute) bool { return d.dispute.ID == id })
}

// move carries out the move, or returns why not.
func (m *model) move(d *modelDispute, move dispute.Transition) error {
	from := d.dispute.State
	if len(move.From) > 0 && !slices.Contains(move.From, from) || !from.CanBecome(move.To) {
		return &dispute.TransitionError{From: from, To: move.To}
	}
	d.dispute.State = move.To
	d.update(move.At)
	d.dispute.Notes = append(d.dispute.Notes, dispute.Note{Text: move.Reason, Author: move.Actor, State: move.To, CreatedAt: move.At})
	if move.AssetStatus != "" {
		m.setStatus(m.assetByID(d.dispute.AssetID), move.AssetStatus, move.At, move.Origin())
	}
	return nil
}

// update gives a dispute the time of an update.
func (d *modelDispute) update(moment time.Time) {
	d.dispute.UpdatedAt = moment
	if moment.Before(d.dispute.CreatedAt) {
		d.dispute.UpdatedAt = d.dispute.CreatedAt
	}
}

func (m *model) listed(listing dispute.Listing) []dispute.Dispute {
	var disputes []dispute.Dispute
	for _, d := range m.disputes {
		if listing.Match(d.dispute, m.assetByID(d.dispute.AssetID).Identity, d.emailKey) {
			shown := d.dispute
			shown.Description, shown.Notes = "", nil
			disputes = append(disputes, shown)
		}
	}
	slices.SortFunc(disputes, listing.Compare)
	return orNil(disputes[:min(listing.Limit, len(disputes))])
}
