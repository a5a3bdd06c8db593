package storagetest

import (
	"slices"
	"strconv"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
)

var (
	anyState  = rapid.SampledFrom(dispute.States())
	anyStates = rapid.SliceOfN(anyState, 0, 3)
	// anyEmailKey has a key in upper case, which EmailKey never returns.
	anyEmailKey   = rapid.SampledFrom([]string{"a", "A", "b"})
	anySystemNote = rapid.Custom(func(t *rapid.T) dispute.Note {
		return dispute.Note{
			Kind: rapid.SampledFrom([]dispute.NoteKind{dispute.NoteKindAPI, dispute.NoteKindExternalList}).Draw(t, "kind"),
			Text: anyText.Draw(t, "text"),
		}
	})
)

func (m *machine) transitionRandomly(t *rapid.T) {
	step := dispute.Transition{
		TransitionRequest: dispute.TransitionRequest{
			DisputeID: rapid.Int64Range(1, m.last["dispute"]+1).Draw(t, "dispute"),
			Actor:     maybe(anyUser).Draw(t, "actor"),
			Reason:    anyText.Draw(t, "reason"),
		},
		From:        sometimes(anyStates).Draw(t, "from"),
		To:          anyState.Draw(t, "to"),
		AssetStatus: sometimes(anyStatus).Draw(t, "asset status"),
		At:          anyTime.Draw(t, "at"),
	}
	got, err := m.tryTransition(step)
	known := m.model.disputeByID(step.DisputeID)
	if known == nil {
		require.ErrorIs(m, err, dispute.ErrNotFound)
		return
	}
	if invalid := m.model.transition(known, step); invalid != nil {
		require.Equal(m, invalid, err)
	} else {
		require.NoError(m, err)
		m.sameDispute(known.dispute, got)
	}
	m.compareDispute(*known)
	m.compareChanges()
}

func (m *machine) addNoteRandomly(t *rapid.T) {
	note := dispute.AddNoteCommand{
		AddNoteRequest: dispute.AddNoteRequest{
			DisputeID: rapid.Int64Range(1, m.last["dispute"]+1).Draw(t, "dispute"),
			Text:      anyText.Draw(t, "text"),
			Actor:     maybe(anyUser).Draw(t, "actor"),
		},
		At: anyTime.Draw(t, "at"),
	}
	got, err := m.tryAddNote(note)
	known := m.model.disputeByID(note.DisputeID)
	if known == nil {
		require.ErrorIs(m, err, dispute.ErrNotFound)
		return
	}
	require.NoError(m, err)
	known.setUpdatedAt(note.At)
	known.dispute.Notes = append(known.dispute.Notes, dispute.Note{Kind: dispute.NoteKindComment, Text: note.Text, Author: note.Actor, CreatedAt: note.At})
	m.sameDispute(known.dispute, got)
	m.compareDispute(*known)
}

func (m *machine) readDisputes(t *rapid.T) {
	req := dispute.ListRequest{
		Filter: dispute.Filter{
			States:   sometimes(anyStates).Draw(t, "states"),
			Identity: sometimes(anyIdentity).Draw(t, "identity"),
			Assignee: maybe(anyUser).Draw(t, "assignee"),
			Email:    sometimes(rapid.SampledFrom([]string{"a", "A", " B\t", "unknown", " "})).Draw(t, "email"),
			Created:  anyPeriod.Draw(t, "created"),
		},
		OldestFirst: rapid.Bool().Draw(t, "oldest first"),
		Limit:       anyLimit.Draw(t, "limit"),
	}
	if rapid.Bool().Draw(t, "continued") {
		between := rapid.Custom(func(t *rapid.T) dispute.Cursor {
			return dispute.Cursor{At: anyBound.Draw(t, "after"), ID: rapid.Int64Range(0, m.last["dispute"]+1).Draw(t, "after ID")}
		})
		req.Cursor = cursorOr(m.model.disputes, func(d modelDispute) dispute.Cursor { return d.dispute.Cursor() }, between).Draw(t, "cursor")
	}
	samePage(m, m.model.listDisputes(req), req.Limit, m.disputePage(req), "Disputes with %+v", req)
}

func (m *machine) compareDispute(want modelDispute) {
	m.Helper()
	got := m.disputeByID(want.dispute.ID)
	m.sameDispute(want.dispute, got)
	m.validHistory(got)
	disputed := m.disputeWithAsset(want.dispute.ID)
	m.sameDispute(want.dispute, disputed.Dispute)
	require.Equal(m, *m.model.assetByID(got.AssetID), disputed.Asset)
}

func (m *machine) compareDisputes() {
	m.Helper()
	for _, want := range m.model.disputes {
		m.compareDispute(want)
	}
	for _, oldestFirst := range []bool{false, true} {
		req := dispute.ListRequest{OldestFirst: oldestFirst}
		sameList(m, m.model.listDisputes(req), func(last dispute.Dispute) step.Page[dispute.Dispute] {
			return m.disputePage(disputesAfter(req, last, m.pageSize))
		})
	}
	backlog, err := m.DisputeBacklog(m.Context())
	require.NoError(m, err)
	require.Equal(m, m.model.backlog(), backlog)
}

func (m *model) disputeByID(id int64) *modelDispute {
	return find(m.disputes, func(d modelDispute) bool { return d.dispute.ID == id })
}

// transition executes the transition, or returns why it is invalid.
func (m *model) transition(d *modelDispute, t dispute.Transition) error {
	from := d.dispute.State
	if len(t.From) > 0 && !slices.Contains(t.From, from) || !from.CanBecome(t.To) {
		return &dispute.TransitionError{From: from, To: t.To}
	}
	d.dispute.State, d.dispute.Assignee = t.To, t.Actor
	if t.To == dispute.StateOpen {
		d.dispute.Assignee = 0
	}
	d.setUpdatedAt(t.At)
	d.dispute.Notes = append(d.dispute.Notes, dispute.Note{
		Kind: dispute.NoteKindTransition, Text: t.Reason, Author: t.Actor, State: t.To, CreatedAt: t.At,
	})
	if t.To.Closed() {
		m.recordEvent(d, t.At)
	}
	if t.AssetStatus != "" {
		origin := asset.Origin{Cause: asset.CauseDispute, Actor: t.Actor, Reference: "dispute/" + strconv.FormatInt(d.dispute.ID, 10)}
		m.decide(m.assetByID(d.dispute.AssetID), asset.Decision{Status: t.AssetStatus, Origin: origin}, t.At)
	}
	return nil
}

// recordEvent records that the dispute got into its state.
func (m *model) recordEvent(d *modelDispute, when time.Time) {
	disputed := m.assetByID(d.dispute.AssetID)
	m.lastEvent++
	m.events = append(m.events, dispute.Event{
		Position: m.lastEvent, DisputeID: d.dispute.ID, AssetID: disputed.ID, Type: disputed.Type, Canonical: disputed.Canonical,
		State: d.dispute.State, At: when,
	})
}

func (m *machine) readDisputeEvents(t *rapid.T) {
	after, limit := rapid.Int64Range(0, m.model.lastEvent+1).Draw(t, "after"), anyLimit.Draw(t, "limit")
	m.publish()
	want := above(m.model.events, after, func(e dispute.Event) int64 { return e.Position })
	samePage(m, want, limit, m.eventPage(after, limit), "DisputeEvents after %d", after)
}

func (m *machine) compareDisputeEvents() {
	m.Helper()
	m.publish()
	sameList(m, m.model.events, func(last dispute.Event) step.Page[dispute.Event] {
		return m.eventPage(last.Position, m.pageSize)
	})
}

func (m *model) backlog() dispute.Backlog {
	var backlog dispute.Backlog
	for _, d := range m.disputes {
		switch d.dispute.State {
		case dispute.StateOpen:
			backlog.Open++
		case dispute.StateUnderReview:
			backlog.UnderReview++
		default:
			continue
		}
		if backlog.OldestAt.IsZero() || d.dispute.CreatedAt.Before(backlog.OldestAt) {
			backlog.OldestAt = d.dispute.CreatedAt
		}
	}
	return backlog
}

// setUpdatedAt sets the time of an update, which is not before the creation.
func (d *modelDispute) setUpdatedAt(when time.Time) {
	d.dispute.UpdatedAt = when
	if when.Before(d.dispute.CreatedAt) {
		d.dispute.UpdatedAt = d.dispute.CreatedAt
	}
}

func (m *model) listDisputes(req dispute.ListRequest) []dispute.Dispute {
	var disputes []dispute.Dispute
	for _, d := range m.disputes {
		if req.Match(d.dispute, m.assetByID(d.dispute.AssetID).Identity, d.emailKey) {
			shown := d.dispute
			shown.Description, shown.Notes = "", nil
			disputes = append(disputes, shown)
		}
	}
	slices.SortFunc(disputes, req.Compare)
	return disputes
}

func (m *machine) sameDispute(want, got dispute.Dispute) {
	m.Helper()
	want.Notes, got.Notes = orNil(want.Notes), orNil(got.Notes)
	require.Equal(m, want, got, "dispute %d", want.ID)
}

func (m *machine) disputeRandomly(t *rapid.T) {
	d := dispute.CreateCommand{
		Identity:       anyIdentity.Draw(t, "identity"),
		Content:        anyText.Draw(t, "content"),
		Register:       rapid.Bool().Draw(t, "register"),
		Email:          anyText.Draw(t, "email"),
		EmailKey:       anyEmailKey.Draw(t, "email key"),
		Description:    anyText.Draw(t, "description"),
		OrganizationID: maybe(anyOrganization).Draw(t, "organization"),
		CreatedBy:      maybe(anyUser).Draw(t, "created by"),
		Notes:          rapid.SliceOfN(anySystemNote, 0, 3).Draw(t, "notes"),
		At:             anyTime.Draw(t, "at"),
		Claim:          anyClaim("dispute").Draw(t, "claim"),
	}
	refusal := m.model.checkClaim(d.Claim)
	got, err := m.CreateDispute(m.Context(), d)
	known := m.model.asset(d.Identity)
	switch {
	case refusal != nil:
		m.refusedClaim(refusal, err)
		return
	case known == nil && !d.Register:
		require.ErrorIs(m, err, asset.ErrNotFound)
		return
	case known != nil && m.model.disputeOf(known.ID, d.EmailKey) != nil:
		require.ErrorIs(m, err, dispute.ErrExists)
		return
	}
	require.NoError(m, err)
	m.model.keep(d.Claim, d.Record(got))
	m.assigned("dispute", got.ID)
	if known == nil {
		m.assigned("asset", got.AssetID)
		known = m.model.register(got.AssetID, d.Identity)
	}
	want := dispute.Dispute{
		ID:             got.ID,
		AssetID:        known.ID,
		Content:        d.Content,
		Email:          d.Email,
		Description:    d.Description,
		OrganizationID: d.OrganizationID,
		CreatedBy:      d.CreatedBy,
		State:          dispute.StateOpen,
		CreatedAt:      d.At,
		UpdatedAt:      d.At,
	}
	for _, note := range d.Notes {
		if note.Kind != dispute.NoteKindExternalList || known.Status != asset.StatusBlocked {
			note.CreatedAt = d.At
			want.Notes = append(want.Notes, note)
		}
	}
	m.sameDispute(want, got)
	added := modelDispute{emailKey: d.EmailKey, dispute: want}
	m.model.disputes = append(m.model.disputes, added)
	m.model.recordEvent(&added, d.At)
}

func (m *model) disputeOf(assetID int64, emailKey string) *modelDispute {
	return find(m.disputes, func(d modelDispute) bool {
		return d.dispute.AssetID == assetID && d.emailKey == emailKey
	})
}
