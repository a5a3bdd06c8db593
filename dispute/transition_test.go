package dispute_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage/memory"
)

// operation is a method that makes a transition, and the states in which it succeeds.
type operation struct {
	from []dispute.State
	to   dispute.State
	call func(*dispute.QueueService, context.Context, dispute.TransitionRequest) (dispute.Updated, error)
}

func operations() map[string]operation {
	undecided := []dispute.State{dispute.StateOpen, dispute.StateUnderReview}
	return map[string]operation{
		"start review":    {undecided[:1], dispute.StateUnderReview, (*dispute.QueueService).StartReview},
		"release":         {undecided[1:], dispute.StateOpen, (*dispute.QueueService).Release},
		"withdraw":        {undecided, dispute.StateWithdrawn, (*dispute.QueueService).Withdraw},
		"reopen":          {dispute.States()[2:], dispute.StateOpen, (*dispute.QueueService).Reopen},
		"accept, unknown": {undecided, dispute.StateAccepted, resolve(dispute.StateAccepted, asset.StatusUnknown)},
		"accept, allowed": {undecided, dispute.StateAccepted, resolve(dispute.StateAccepted, asset.StatusAllowed)},
		"reject":          {undecided, dispute.StateRejected, resolve(dispute.StateRejected, "")},
	}
}

func resolve(state dispute.State, status asset.Status) func(*dispute.QueueService, context.Context, dispute.TransitionRequest) (dispute.Updated, error) {
	return func(s *dispute.QueueService, ctx context.Context, req dispute.TransitionRequest) (dispute.Updated, error) {
		return s.Resolve(ctx, dispute.ResolveRequest{
			DisputeID: req.DisputeID, State: state, AssetStatus: status, Actor: req.Actor, Reason: req.Reason,
		})
	}
}

func TestState_CanBecome(t *testing.T) {
	t.Parallel()
	allowed := map[dispute.State][]dispute.State{
		"OPEN":         {"UNDER_REVIEW", "ACCEPTED", "REJECTED", "WITHDRAWN"},
		"UNDER_REVIEW": {"OPEN", "ACCEPTED", "REJECTED", "WITHDRAWN"},
		"ACCEPTED":     {"OPEN"},
		"REJECTED":     {"OPEN"},
		"WITHDRAWN":    {"OPEN"},
		"":             {},
		"open":         {},
	}
	for from, want := range allowed {
		can := []dispute.State{}
		for _, to := range append(dispute.States(), "", "open") {
			if from.CanBecome(to) {
				can = append(can, to)
			}
		}
		require.ElementsMatch(t, want, can, "from %q", from)
	}
}

// In any sequence of calls, each operation succeeds only in its states, and only an
// acceptance changes the asset.
func TestQueueService_Transitions(t *testing.T) {
	t.Parallel()
	names := []string{"accept, allowed", "accept, unknown", "reject", "release", "reopen", "start review", "withdraw"}
	require.Len(t, operations(), len(names))
	rapid.Check(t, func(t *rapid.T) {
		store, clock := memory.New(), noon
		now := func() time.Time { return clock }
		assets := asset.NewService(store, asset.Options{Clock: now})
		disputes := dispute.NewService(store, dispute.Options{Clock: now})
		queue := dispute.NewQueueService(store, dispute.QueueOptions{Clock: now})
		known, err := assets.SetStatus(t.Context(), asset.SetStatusRequest{Identity: url("https://bad.example"), Status: asset.StatusBlocked})
		require.NoError(t, err)
		created, err := disputes.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "ada@acme.example"})
		require.NoError(t, err)
		want, status := created.Dispute, known.Status

		for range rapid.IntRange(0, 15).Draw(t, "calls") {
			clock = noon.Add(time.Duration(rapid.IntRange(-3, 3).Draw(t, "at")) * time.Second)
			name := rapid.SampledFrom(names).Draw(t, "operation")
			op := operations()[name]
			req := dispute.TransitionRequest{DisputeID: want.ID, Actor: rapid.Int64Range(0, 2).Draw(t, "actor"), Reason: "Why."}
			got, err := op.call(queue, t.Context(), req)
			if !slices.Contains(op.from, want.State) {
				require.Equal(t, &dispute.TransitionError{From: want.State, To: op.to}, err, name)
				continue
			}
			require.NoError(t, err, name)
			want.State, want.Assignee, want.UpdatedAt = op.to, req.Actor, clock
			if op.to == dispute.StateOpen {
				want.Assignee = 0
			}
			if clock.Before(noon) {
				want.UpdatedAt = noon
			}
			want.Notes = append(want.Notes, dispute.Note{
				Kind: dispute.NoteKindTransition, Text: "Why.", Author: req.Actor, State: op.to, CreatedAt: clock,
			})
			require.Equal(t, want, got.Dispute, name)
			switch name {
			case "accept, unknown":
				status = asset.StatusUnknown
			case "accept, allowed":
				status = asset.StatusAllowed
			}
		}
		present, err := assets.Get(t.Context(), url("https://bad.example"))
		require.NoError(t, err)
		require.Equal(t, status, present.Status)
		got, err := queue.Get(t.Context(), want.ID)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

func TestQueueService_TransitionErrors(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for name, op := range operations() {
		_, err := op.call(f.queue, t.Context(), dispute.TransitionRequest{DisputeID: 9, Reason: "Why."})
		require.ErrorIs(t, err, dispute.ErrNotFound, name)
		_, err = op.call(f.queue, t.Context(), dispute.TransitionRequest{DisputeID: 9, Actor: -1, Reason: "\xff"})
		require.Equal(t, []string{"actor", "reason"}, fieldsOf(t, err), name)
	}
}

func TestQueueService_ConcurrentTransitions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.dispute(t, "ada@acme.example")
	var (
		wg                 sync.WaitGroup
		succeeded, refused atomic.Int32
	)
	for i := range 16 {
		wg.Go(func() {
			_, err := f.queue.Resolve(t.Context(), dispute.ResolveRequest{
				DisputeID: d.ID, State: dispute.StateRejected, Actor: int64(i + 1), Reason: "Why.",
			})
			switch {
			case err == nil:
				succeeded.Add(1)
			case errors.Is(err, dispute.ErrInvalidTransition):
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, succeeded.Load())
	require.EqualValues(t, 15, refused.Load())
}

var anyState = rapid.SampledFrom(dispute.States())

// A dispute only makes allowed transitions, and its notes record all of them in their
// order, whatever the clock says.
func TestTransition_Apply(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		notes := []dispute.Note{{Kind: dispute.NoteKindAPI, Text: "system"}}
		d := dispute.CreateCommand{Content: "bad.example", Email: "ada@acme.example", Description: "It is ours.", Notes: notes, At: noon}.
			Apply(7, asset.Asset{ID: 3})
		created := d
		states := []dispute.State{dispute.StateOpen}
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			before := d
			at := noon.Add(time.Duration(rapid.Int64Range(-5e9, 5e9).Draw(t, "at")))
			if rapid.Bool().Draw(t, "note") {
				update, err := dispute.AddNoteCommand{AddNoteRequest: dispute.AddNoteRequest{Text: "note", Actor: 5}, At: at}.Apply(before)
				require.NoError(t, err)
				require.Equal(t, dispute.Update{Note: update.Note}, update, "a note leaves the asset unchanged")
				d = update.Apply(before)
				require.Equal(t, before.State, d.State)
				want := dispute.Note{Kind: dispute.NoteKindComment, Text: "note", Author: 5, CreatedAt: step.TruncateTime(at)}
				require.Equal(t, want, d.Notes[len(before.Notes)])
			} else {
				transition := dispute.Transition{
					TransitionRequest: dispute.TransitionRequest{Actor: 6, Reason: "why"},
					From:              rapid.SliceOfN(anyState, 0, 2).Draw(t, "from"),
					To:                anyState.Draw(t, "to"),
					At:                at,
				}
				update, err := transition.Apply(before)
				if err != nil {
					require.Equal(t, &dispute.TransitionError{From: before.State, To: transition.To}, err)
					require.Zero(t, update)
					continue
				}
				d = update.Apply(before)
				require.True(t, before.State.CanBecome(d.State))
				if len(transition.From) > 0 {
					require.Contains(t, transition.From, before.State)
				}
				last, ok := d.LastTransition()
				require.True(t, ok)
				want := dispute.Note{Kind: dispute.NoteKindTransition, Text: "why", Author: 6, State: d.State, CreatedAt: step.TruncateTime(at)}
				require.Equal(t, want, last)
				require.Equal(t, want, d.Notes[len(d.Notes)-1])
				states = append(states, d.State)
			}
			if at.Before(noon) {
				require.Equal(t, noon, d.UpdatedAt, "not before it was created")
			} else {
				require.Equal(t, step.TruncateTime(at), d.UpdatedAt)
			}
			require.Equal(t, before.Notes, d.Notes[:len(before.Notes)], "earlier notes are unchanged")
			require.Len(t, d.Notes, len(before.Notes)+1)
		}
		recorded := []dispute.State{dispute.StateOpen}
		for _, note := range d.Notes {
			if note.Kind == dispute.NoteKindTransition {
				recorded = append(recorded, note.State)
			}
		}
		require.Equal(t, states, recorded)
		unchanged := d
		unchanged.State, unchanged.Assignee, unchanged.Notes, unchanged.UpdatedAt = dispute.StateOpen, 0, d.Notes[:1], noon
		require.Equal(t, created, unchanged)
	})
}

func TestTransition_Apply_AssetStatus(t *testing.T) {
	t.Parallel()
	d := dispute.Dispute{ID: 7, State: dispute.StateOpen, CreatedAt: noon.Add(time.Hour)}
	update, err := dispute.Transition{
		TransitionRequest: dispute.TransitionRequest{DisputeID: 7, Actor: 6},
		To:                dispute.StateAccepted, AssetStatus: asset.StatusAllowed, At: noon,
	}.Apply(d)
	require.NoError(t, err)
	require.Equal(t, asset.StatusAllowed, update.AssetStatus)
	require.Equal(t, asset.Origin{Cause: asset.CauseDispute, Actor: 6, Reference: "dispute/7"}, update.Origin)
	require.Equal(t, noon, update.Note.CreatedAt, "the time of the change may be before the creation of the dispute")
	require.Equal(t, noon.Add(time.Hour), update.Apply(d).UpdatedAt)
}

func TestTransitionError(t *testing.T) {
	t.Parallel()
	_, err := dispute.Transition{To: dispute.StateRejected}.Apply(dispute.Dispute{State: dispute.StateAccepted})
	require.ErrorIs(t, err, dispute.ErrInvalidTransition)
	require.NotErrorIs(t, err, dispute.ErrNotFound)
	require.EqualError(t, err, "dispute is ACCEPTED: cannot transition to REJECTED")
}
