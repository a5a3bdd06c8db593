package dispute_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

func TestResolveRequest_Validate(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		change func(*dispute.ResolveRequest)
		fields []string
	}{
		"no state":                      {func(r *dispute.ResolveRequest) { r.State = "" }, []string{"state"}},
		"a state other than a decision": {func(r *dispute.ResolveRequest) { r.State = dispute.StateUnderReview }, []string{"state"}},
		"withdrawal":                    {func(r *dispute.ResolveRequest) { r.State = dispute.StateWithdrawn }, []string{"state"}},
		"acceptance without a status":   {func(r *dispute.ResolveRequest) { r.AssetStatus = "" }, []string{"assetStatus"}},
		"acceptance that blocks":        {func(r *dispute.ResolveRequest) { r.AssetStatus = asset.StatusBlocked }, []string{"assetStatus"}},
		"invalid status":                {func(r *dispute.ResolveRequest) { r.AssetStatus = "allowed" }, []string{"assetStatus"}},
		"rejection with a status":       {func(r *dispute.ResolveRequest) { r.State = dispute.StateRejected }, []string{"assetStatus"}},
		"no reason":                     {func(r *dispute.ResolveRequest) { r.Reason = " \n" }, []string{"reason"}},
		"reason with NUL":               {func(r *dispute.ResolveRequest) { r.Reason = "\x00" }, []string{"reason"}},
		"negative actor":                {func(r *dispute.ResolveRequest) { r.Actor = -1 }, []string{"actor"}},
		"actor too large":               {func(r *dispute.ResolveRequest) { r.Actor = asset.MaxID + 1 }, []string{"actor"}},
		"everything invalid":            {func(r *dispute.ResolveRequest) { *r = dispute.ResolveRequest{Actor: -1} }, []string{"state", "reason", "actor"}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			d := f.dispute(t, "ada@acme.example")
			req := dispute.ResolveRequest{DisputeID: d.ID, State: dispute.StateAccepted, AssetStatus: asset.StatusUnknown, Actor: 5, Reason: "Why."}
			require.NoError(t, req.Validate())
			c.change(&req)
			require.Equal(t, c.fields, fieldsOf(t, req.Validate()))
			_, err := f.queue.Resolve(t.Context(), req)
			require.Equal(t, c.fields, fieldsOf(t, err))
			got, err := f.queue.Get(t.Context(), d.ID)
			require.NoError(t, err)
			require.Equal(t, d, got, "nothing was stored")
		})
	}
}

func TestQueueService_Resolve_Accepted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	want := f.dispute(t, "ada@acme.example")

	got, err := f.queue.StartReview(t.Context(), dispute.TransitionRequest{DisputeID: want.ID, Actor: 5})
	require.NoError(t, err)
	require.Equal(t, dispute.StateUnderReview, got.State)
	_, err = f.queue.AddNote(t.Context(), dispute.AddNoteRequest{DisputeID: want.ID, Actor: 6, Text: "Asked the host."})
	require.NoError(t, err)
	got, err = f.queue.Resolve(t.Context(), dispute.ResolveRequest{
		DisputeID: want.ID, State: dispute.StateAccepted, AssetStatus: asset.StatusAllowed, Actor: 5, Reason: "It is theirs.",
	})
	require.NoError(t, err)

	want.State, want.Assignee, want.Notes = dispute.StateAccepted, 5, []dispute.Note{
		{Kind: dispute.NoteKindTransition, Author: 5, State: dispute.StateUnderReview, CreatedAt: noon},
		{Kind: dispute.NoteKindComment, Text: "Asked the host.", Author: 6, CreatedAt: noon},
		{Kind: dispute.NoteKindTransition, Text: "It is theirs.", Author: 5, State: dispute.StateAccepted, CreatedAt: noon},
	}
	require.Equal(t, dispute.Updated{Dispute: want}, got)
	stored, err := f.queue.Get(t.Context(), want.ID)
	require.NoError(t, err)
	require.Equal(t, want, stored)

	page, err := f.assets.ListChanges(t.Context(), asset.ListChangesRequest{Filter: asset.ChangeFilter{To: asset.StatusAllowed}, Limit: 10})
	require.NoError(t, err)
	require.Len(t, page.Changes, 1)
	require.Equal(t, asset.StatusBlocked, page.Changes[0].From)
	require.Equal(t, noon, page.Changes[0].At)
	require.Equal(t, asset.Origin{Cause: asset.CauseDispute, Actor: 5, Reference: "dispute/1"}, page.Changes[0].Origin)
}

func TestQueueService_Resolve_Rejected(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.dispute(t, "ada@acme.example")
	_, err := f.queue.Resolve(t.Context(), dispute.ResolveRequest{DisputeID: d.ID, State: dispute.StateRejected, Reason: "It phishes."})
	require.NoError(t, err)
	known, err := f.assets.Get(t.Context(), url("https://bad.example"))
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, known.Status)
}
