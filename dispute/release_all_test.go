package dispute_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// reviewed creates a dispute and lets a user take it up.
func (f fixture) reviewed(t *testing.T, email string, reviewer int64) dispute.Dispute {
	t.Helper()
	updated, err := f.queue.StartReview(t.Context(), dispute.TransitionRequest{DisputeID: f.dispute(t, email).ID, Actor: reviewer})
	require.NoError(t, err)
	return updated.Dispute
}

func (f fixture) get(t *testing.T, id int64) dispute.Dispute {
	t.Helper()
	d, err := f.queue.Get(t.Context(), id)
	require.NoError(t, err)
	return d
}

func TestQueueService_ReleaseAll(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	colleague := f.reviewed(t, "grace@acme.example", 2)
	open := f.dispute(t, "open@acme.example")
	closed := f.reviewed(t, "closed@acme.example", 1)
	_, err := f.queue.Resolve(t.Context(), dispute.ResolveRequest{DisputeID: closed.ID, State: dispute.StateRejected, Actor: 1, Reason: "no"})
	require.NoError(t, err)
	full := f.reviewed(t, "full@acme.example", 1)
	for range dispute.MaxNotes - len(full.Notes) {
		_, err := f.queue.AddNote(t.Context(), dispute.AddNoteRequest{DisputeID: full.ID, Text: "x"})
		require.NoError(t, err)
	}
	const held = dispute.MaxLimit + 1
	for i := range held {
		f.reviewed(t, fmt.Sprintf("%d@acme.example", i), 1)
	}

	released, err := f.queue.ReleaseAll(t.Context(), dispute.ReleaseAllRequest{Assignee: 1, Actor: 3, Reason: "left"})
	require.NoError(t, err)
	require.Equal(t, held, released, "more than a page")
	page, err := f.queue.List(t.Context(), dispute.ListRequest{Filter: dispute.Filter{States: []dispute.State{dispute.StateOpen}}, Limit: 1})
	require.NoError(t, err)
	note, _ := f.get(t, page.Disputes[0].ID).LastTransition()
	require.Equal(t, dispute.Note{Kind: dispute.NoteKindTransition, Text: "left", Author: 3, State: dispute.StateOpen, CreatedAt: noon}, note)
	require.EqualValues(t, 2, f.get(t, colleague.ID).Assignee, "that of a colleague")
	require.Empty(t, f.get(t, open.ID).Notes[len(open.Notes):], "one that nobody has taken up")
	require.Equal(t, dispute.StateRejected, f.get(t, closed.ID).State, "one that is decided")
	require.Equal(t, dispute.StateUnderReview, f.get(t, full.ID).State, "one without room for a note")
	released, err = f.queue.ReleaseAll(t.Context(), dispute.ReleaseAllRequest{Assignee: 1})
	require.NoError(t, err)
	require.Zero(t, released, "a second time")
}

func TestReleaseAllRequest_Validate(t *testing.T) {
	t.Parallel()
	for want, req := range map[string]dispute.ReleaseAllRequest{
		"assigneeId: is required":                 {},
		"assigneeId: must be a user's id":         {Assignee: -1},
		"actor: must be a user's id":              {Assignee: 1, Actor: asset.MaxID + 1},
		"reason: must be valid UTF-8 without NUL": {Assignee: 1, Reason: "\x00"},
	} {
		_, err := newFixture(t).queue.ReleaseAll(t.Context(), req)
		require.EqualError(t, err, "invalid input: "+want)
	}
}

// hasty is a store in which a colleague is faster, or that fails.
type hasty struct {
	dispute.QueueStore

	before func(ctx context.Context, id int64)
	err    error
}

func (s hasty) UpdateDispute(ctx context.Context, cmd dispute.UpdateCommand) (dispute.Dispute, error) {
	if s.err != nil {
		return dispute.Dispute{}, s.err
	}
	s.before(ctx, cmd.DisputeID)
	return s.QueueStore.UpdateDispute(ctx, cmd)
}

func TestQueueService_ReleaseAll_Faster(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.reviewed(t, "ada@acme.example", 1)
	takeOver := func(ctx context.Context, id int64) {
		_, err := f.queue.Release(ctx, dispute.TransitionRequest{DisputeID: id, Actor: 2})
		require.NoError(t, err)
		_, err = f.queue.StartReview(ctx, dispute.TransitionRequest{DisputeID: id, Actor: 2})
		require.NoError(t, err)
	}
	queue := dispute.NewQueueService(hasty{QueueStore: f.store, before: takeOver}, dispute.QueueOptions{})
	released, err := queue.ReleaseAll(t.Context(), dispute.ReleaseAllRequest{Assignee: 1})
	require.NoError(t, err)
	require.Zero(t, released)
	require.EqualValues(t, 2, f.get(t, d.ID).Assignee, "a colleague has it now")

	down := errors.New("down")
	queue = dispute.NewQueueService(hasty{QueueStore: f.store, err: down}, dispute.QueueOptions{})
	_, err = queue.ReleaseAll(t.Context(), dispute.ReleaseAllRequest{Assignee: 2})
	require.ErrorIs(t, err, down)
}
