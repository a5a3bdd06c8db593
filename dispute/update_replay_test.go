package dispute_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/idempotency"
)

// A retry gets the dispute of the first time, whatever has happened since. The transitions have
// keys of their own.
func TestQueueService_retry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(t, "https://bad.example", asset.StatusBlocked)
	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "eve@mail.example"})
	require.NoError(t, err)
	key := idempotency.Key{Text: "k"}
	req := dispute.TransitionRequest{DisputeID: created.Dispute.ID, Actor: 5, Reason: "why", Idempotency: key}
	calls := []func() (dispute.Updated, error){
		func() (dispute.Updated, error) { return f.queue.StartReview(t.Context(), req) },
		func() (dispute.Updated, error) { return f.queue.Release(t.Context(), req) },
		func() (dispute.Updated, error) {
			return f.queue.AddNote(t.Context(), dispute.AddNoteRequest{DisputeID: req.DisputeID, Actor: 5, Text: "a note", Idempotency: key})
		},
		func() (dispute.Updated, error) {
			return f.queue.Resolve(t.Context(), dispute.ResolveRequest{
				DisputeID: req.DisputeID, State: dispute.StateAccepted, AssetStatus: asset.StatusAllowed, Actor: 5, Reason: "theirs", Idempotency: key,
			})
		},
		func() (dispute.Updated, error) { return f.queue.Reopen(t.Context(), req) },
		func() (dispute.Updated, error) { return f.queue.Withdraw(t.Context(), req) },
	}
	first := make([]dispute.Updated, len(calls))
	for i, call := range calls {
		first[i], err = call()
		require.NoError(t, err)
		require.False(t, first[i].Replayed)
	}
	for i, call := range calls {
		again, err := call()
		require.NoError(t, err)
		require.Equal(t, dispute.Updated{Dispute: first[i].Dispute, Replayed: true}, again)
	}
	stored, err := f.queue.Get(t.Context(), req.DisputeID)
	require.NoError(t, err)
	require.Equal(t, first[len(first)-1].Dispute, stored)
	req.Reason = "another"
	_, err = f.queue.Withdraw(t.Context(), req)
	require.ErrorIs(t, err, idempotency.ErrReused)
}
