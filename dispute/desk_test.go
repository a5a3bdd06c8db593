package dispute_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/memory"
)

// dispute makes a dispute of https://bad.example, which is BLOCKED.
func (f fixture) dispute(t *testing.T, email string) dispute.Dispute {
	t.Helper()
	f.put(t, "https://bad.example", asset.StatusBlocked)
	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: email})
	require.NoError(t, err)
	return created.Dispute
}

func TestADeskTakesADisputeUpAndAcceptsIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	want := f.dispute(t, "ada@acme.example")

	got, err := f.StartReview(t.Context(), dispute.TransitionRequest{DisputeID: want.ID, Actor: 5})
	require.NoError(t, err)
	require.Equal(t, dispute.StateUnderReview, got.State)
	_, err = f.AddNote(t.Context(), dispute.AddNoteRequest{DisputeID: want.ID, Actor: 6, Text: "Asked the host."})
	require.NoError(t, err)
	got, err = f.Resolve(t.Context(), dispute.ResolveRequest{
		DisputeID: want.ID, State: dispute.StateAccepted, AssetStatus: asset.StatusAllowed, Actor: 5, Reason: "It is theirs.",
	})
	require.NoError(t, err)

	want.State, want.Notes = dispute.StateAccepted, []dispute.Note{
		{Author: 5, State: dispute.StateUnderReview, CreatedAt: noon},
		{Text: "Asked the host.", Author: 6, CreatedAt: noon},
		{Text: "It is theirs.", Author: 5, State: dispute.StateAccepted, CreatedAt: noon},
	}
	require.Equal(t, want, got)
	got, err = f.Get(t.Context(), want.ID)
	require.NoError(t, err)
	require.Equal(t, want, got)

	changes, err := f.assets.ChangePage(t.Context(), asset.ChangeFilter{To: asset.StatusAllowed}, asset.ChangeCursor{}, 10)
	require.NoError(t, err)
	require.Len(t, changes, 1)
	require.Equal(t, asset.StatusBlocked, changes[0].From)
	require.Equal(t, noon, changes[0].At)
	require.Equal(t, asset.Origin{Cause: asset.CauseDispute, Actor: 5, Reference: "dispute/1"}, changes[0].Origin)
}

func TestRejectingLeavesTheAsset(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.dispute(t, "ada@acme.example")
	_, err := f.Resolve(t.Context(), dispute.ResolveRequest{DisputeID: d.ID, State: dispute.StateRejected, Reason: "It phishes."})
	require.NoError(t, err)
	known, err := f.assets.Get(t.Context(), url("https://bad.example"))
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, known.Status)
}

func TestResolveRefuses(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		change func(*dispute.ResolveRequest)
		fields []string
	}{
		"no state":                         {func(r *dispute.ResolveRequest) { r.State = "" }, []string{"state"}},
		"a state that decides nothing":     {func(r *dispute.ResolveRequest) { r.State = dispute.StateUnderReview }, []string{"state"}},
		"withdrawing, which is no verdict": {func(r *dispute.ResolveRequest) { r.State = dispute.StateWithdrawn }, []string{"state"}},
		"acceptance without a status":      {func(r *dispute.ResolveRequest) { r.AssetStatus = "" }, []string{"assetStatus"}},
		"acceptance that blocks":           {func(r *dispute.ResolveRequest) { r.AssetStatus = asset.StatusBlocked }, []string{"assetStatus"}},
		"a status that is none":            {func(r *dispute.ResolveRequest) { r.AssetStatus = "allowed" }, []string{"assetStatus"}},
		"a rejection with a status":        {func(r *dispute.ResolveRequest) { r.State = dispute.StateRejected }, []string{"assetStatus"}},
		"no reason":                        {func(r *dispute.ResolveRequest) { r.Reason = " \n" }, []string{"reason"}},
		"a reason with NUL":                {func(r *dispute.ResolveRequest) { r.Reason = "\x00" }, []string{"reason"}},
		"a user who cannot be":             {func(r *dispute.ResolveRequest) { r.Actor = -1 }, []string{"by"}},
		"a user beyond all identifiers":    {func(r *dispute.ResolveRequest) { r.Actor = asset.MaxID + 1 }, []string{"by"}},
		"everything that is wrong is told": {func(r *dispute.ResolveRequest) { *r = dispute.ResolveRequest{Actor: -1} }, []string{"state", "reason", "by"}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			d := f.dispute(t, "ada@acme.example")
			r := dispute.ResolveRequest{DisputeID: d.ID, State: dispute.StateAccepted, AssetStatus: asset.StatusUnknown, Actor: 5, Reason: "Why."}
			c.change(&r)
			_, err := f.Resolve(t.Context(), r)
			require.Equal(t, c.fields, fieldsOf(t, err))
			got, err := f.Get(t.Context(), d.ID)
			require.NoError(t, err)
			require.Equal(t, d, got, "nothing was stored")
		})
	}
}

// step is a way to move a dispute, and the states from which it may.
type step struct {
	from []dispute.State
	to   dispute.State
	call func(*dispute.Service, context.Context, dispute.TransitionRequest) (dispute.Dispute, error)
}

func steps() map[string]step {
	undecided := []dispute.State{dispute.StateOpen, dispute.StateUnderReview}
	return map[string]step{
		"review":          {undecided[:1], dispute.StateUnderReview, (*dispute.Service).StartReview},
		"put back":        {undecided[1:], dispute.StateOpen, (*dispute.Service).Release},
		"withdraw":        {undecided, dispute.StateWithdrawn, (*dispute.Service).Withdraw},
		"reopen":          {dispute.States()[2:], dispute.StateOpen, (*dispute.Service).Reopen},
		"accept, unknown": {undecided, dispute.StateAccepted, resolving(dispute.StateAccepted, asset.StatusUnknown)},
		"accept, allowed": {undecided, dispute.StateAccepted, resolving(dispute.StateAccepted, asset.StatusAllowed)},
		"reject":          {undecided, dispute.StateRejected, resolving(dispute.StateRejected, "")},
	}
}

func resolving(state dispute.State, status asset.Status) func(*dispute.Service, context.Context, dispute.TransitionRequest) (dispute.Dispute, error) {
	return func(s *dispute.Service, ctx context.Context, req dispute.TransitionRequest) (dispute.Dispute, error) {
		return s.Resolve(ctx, dispute.ResolveRequest{
			DisputeID: req.DisputeID, State: state, AssetStatus: status, Actor: req.Actor, Reason: req.Reason,
		})
	}
}

// However a desk goes about, each step succeeds from its states alone, and only an
// acceptance touches the asset.
func TestStepsOfADesk(t *testing.T) {
	t.Parallel()
	names := []string{"accept, allowed", "accept, unknown", "put back", "reject", "reopen", "review", "withdraw"}
	require.Len(t, steps(), len(names))
	rapid.Check(t, func(t *rapid.T) {
		store, clock := memory.New(), noon
		now := func() time.Time { return clock }
		assets := asset.NewService(store, asset.Options{Clock: now})
		disputes := dispute.NewService(store, dispute.Options{Clock: now})
		known, err := assets.SetStatus(t.Context(), asset.StatusRequest{Identity: url("https://bad.example"), Status: asset.StatusBlocked})
		require.NoError(t, err)
		created, err := disputes.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "ada@acme.example"})
		require.NoError(t, err)
		want, status := created.Dispute, known.Status

		for range rapid.IntRange(0, 15).Draw(t, "steps") {
			clock = noon.Add(time.Duration(rapid.IntRange(-3, 3).Draw(t, "at")) * time.Second)
			name := rapid.SampledFrom(names).Draw(t, "step")
			step := steps()[name]
			req := dispute.TransitionRequest{DisputeID: want.ID, Actor: rapid.Int64Range(0, 2).Draw(t, "by"), Reason: "Why."}
			got, err := step.call(disputes, t.Context(), req)
			if !slices.Contains(step.from, want.State) {
				require.Equal(t, &dispute.TransitionError{From: want.State, To: step.to}, err, name)
				continue
			}
			require.NoError(t, err, name)
			want.State, want.UpdatedAt = step.to, clock
			if clock.Before(noon) {
				want.UpdatedAt = noon
			}
			want.Notes = append(want.Notes, dispute.Note{Text: "Why.", Author: req.Actor, State: step.to, CreatedAt: clock})
			require.Equal(t, want, got, name)
			switch name {
			case "accept, unknown":
				status = asset.StatusUnknown
			case "accept, allowed":
				status = asset.StatusAllowed
			}
		}
		known, err = assets.Get(t.Context(), url("https://bad.example"))
		require.NoError(t, err)
		require.Equal(t, status, known.Status)
		got, err := disputes.Get(t.Context(), want.ID)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

func TestEveryStepRefuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for name, step := range steps() {
		_, err := step.call(f.Service, t.Context(), dispute.TransitionRequest{DisputeID: 9, Reason: "Why."})
		require.ErrorIs(t, err, dispute.ErrNotFound, name)
		_, err = step.call(f.Service, t.Context(), dispute.TransitionRequest{DisputeID: 9, Actor: -1, Reason: "\xff"})
		require.Equal(t, []string{"by", "reason"}, fieldsOf(t, err), name)
	}
}

func TestAddNoteRefuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for reason, c := range map[string]struct {
		req    dispute.AddNoteRequest
		fields []string
	}{
		"no text":                          {dispute.AddNoteRequest{}, []string{"text"}},
		"blank text":                       {dispute.AddNoteRequest{Text: " \t\n"}, []string{"text"}},
		"a text that is none":              {dispute.AddNoteRequest{Text: "\xff"}, []string{"text"}},
		"a user who cannot be":             {dispute.AddNoteRequest{Actor: -1, Text: "note"}, []string{"author"}},
		"everything that is wrong is told": {dispute.AddNoteRequest{Actor: -1}, []string{"author", "text"}},
	} {
		_, err := f.AddNote(t.Context(), c.req)
		require.Equal(t, c.fields, fieldsOf(t, err), reason)
	}
	_, err := f.AddNote(t.Context(), dispute.AddNoteRequest{DisputeID: 9, Text: "note"})
	require.ErrorIs(t, err, dispute.ErrNotFound)
}

func TestTheLargestNoteIsTaken(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.dispute(t, "ada@acme.example")
	_, err := f.AddNote(t.Context(), dispute.AddNoteRequest{DisputeID: d.ID, Text: strings.Repeat("x", dispute.MaxNoteBytes)})
	require.NoError(t, err)
	_, err = f.AddNote(t.Context(), dispute.AddNoteRequest{DisputeID: d.ID, Text: strings.Repeat("x", dispute.MaxNoteBytes+1)})
	require.Equal(t, []string{"text"}, fieldsOf(t, err))
	_, err = f.Withdraw(t.Context(), dispute.TransitionRequest{DisputeID: d.ID, Reason: strings.Repeat("x", dispute.MaxNoteBytes+1)})
	require.Equal(t, []string{"reason"}, fieldsOf(t, err))
}

func TestOfManyDecisionsAtOnceOneWins(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.dispute(t, "ada@acme.example")
	var (
		wg           sync.WaitGroup
		won, refused atomic.Int32
	)
	for i := range 16 {
		wg.Go(func() {
			_, err := f.Resolve(t.Context(), dispute.ResolveRequest{
				DisputeID: d.ID, State: dispute.StateRejected, Actor: int64(i + 1), Reason: "Why.",
			})
			switch {
			case err == nil:
				won.Add(1)
			case errors.Is(err, dispute.ErrInvalidTransition):
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, won.Load())
	require.EqualValues(t, 15, refused.Load())
}

func TestListGoesThroughAllPages(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := range 7 {
		f.dispute(t, fmt.Sprintf("%d@acme.example", i))
	}
	for _, oldestFirst := range []bool{false, true} {
		for limit := 1; limit <= 8; limit++ {
			req := dispute.ListRequest{Limit: limit, OldestFirst: oldestFirst}
			var ids []int64
			for range 8 {
				page, err := f.List(t.Context(), req)
				require.NoError(t, err)
				require.NotEmpty(t, page.Disputes, "no page but that of nothing at all is empty")
				for _, d := range page.Disputes {
					ids = append(ids, d.ID)
				}
				if req.Cursor = page.NextCursor; req.Cursor == (dispute.Cursor{}) {
					break
				}
			}
			if !oldestFirst {
				slices.Reverse(ids)
			}
			require.Equal(t, []int64{1, 2, 3, 4, 5, 6, 7}, ids, "pages of %d", limit)
		}
	}
}

func TestListShowsDisputesWithoutNotes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.dispute(t, "ada@acme.example")
	d, err := f.AddNote(t.Context(), dispute.AddNoteRequest{DisputeID: d.ID, Text: "note"})
	require.NoError(t, err)
	page, err := f.List(t.Context(), dispute.ListRequest{Filter: dispute.Filter{Email: "ADA@acme.example"}, Limit: 1})
	require.NoError(t, err)
	d.Notes = nil
	require.Equal(t, dispute.Page{Disputes: []dispute.Dispute{d}}, page)

	_, err = f.List(t.Context(), dispute.ListRequest{})
	require.Equal(t, []string{"limit"}, fieldsOf(t, err))
}
