package client_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/httpapi"
)

func TestOperator_disputes(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := newOrigin(t, httpapi.Options{}, nil)
	op := o.operator(t)
	created, err := o.client(t, acmeKey).CreateDispute(ctx, client.DisputeRequest{Content: "https://bad.example.com", Description: "It is ours"})
	require.NoError(t, err)
	backlog, err := op.DisputeBacklog(ctx)
	require.NoError(t, err)
	require.Equal(t, dispute.Backlog{Open: 1, OldestAt: backlog.OldestAt}, backlog)
	d, err := op.Dispute(ctx, created.ID)
	require.NoError(t, err)
	require.Equal(t, client.Dispute{
		ID: created.ID, AssetID: 1, Content: "https://bad.example.com", Email: "ada@acme.test", State: dispute.StateOpen, CreatedAt: backlog.OldestAt,
		UpdatedAt: d.UpdatedAt, Description: "It is ours", Notes: d.Notes,
	}, d)
	taken, err := op.StartDisputeReview(ctx, client.TransitionRequest{ID: d.ID, Reason: "I look into it", IdempotencyKey: "k"})
	require.NoError(t, err)
	require.Equal(t, ada, taken.Assignee)
	again, err := op.StartDisputeReview(ctx, client.TransitionRequest{ID: d.ID, Reason: "I look into it", IdempotencyKey: "k"})
	require.NoError(t, err)
	taken.Replayed = true
	require.Equal(t, taken, again)
	_, err = op.StartDisputeReview(ctx, client.TransitionRequest{ID: d.ID})
	require.ErrorIs(t, err, client.ErrConflict)
	require.NotErrorIs(t, err, asset.ErrChanged)
	_, err = op.ReleaseDispute(ctx, client.TransitionRequest{ID: d.ID})
	require.NoError(t, err)
	colleague, err := op.CreateUser(ctx, account.UserRequest{FullName: "Bea"})
	require.NoError(t, err)
	given, err := op.AssignDispute(ctx, client.AssignRequest{ID: d.ID, AssigneeID: colleague.ID})
	require.NoError(t, err)
	require.Equal(t, client.NamedUser{ID: colleague.ID, FullName: "Bea"}, given.Assignee)
	require.Equal(t, given.Assignee, given.Notes[len(given.Notes)-1].Assignee)
	require.Equal(t, ada, given.Notes[len(given.Notes)-1].Author)
	_, err = op.ReleaseDispute(ctx, client.TransitionRequest{ID: d.ID})
	require.NoError(t, err)
	noted, err := op.AddDisputeNote(ctx, client.NoteRequest{ID: d.ID, Text: "Called the owner"})
	require.NoError(t, err)
	require.Equal(t, client.DisputeNote{
		Kind: dispute.NoteKindComment, Text: "Called the owner", Author: ada, CreatedAt: noted.UpdatedAt,
	}, noted.Notes[len(noted.Notes)-1])
	accepted, err := op.ResolveDispute(ctx, client.ResolveRequest{
		ID: d.ID, State: dispute.StateAccepted, AssetStatus: asset.StatusAllowed, Reason: "It is theirs",
	})
	require.NoError(t, err)
	require.Equal(t, dispute.StateAccepted, accepted.State)
	_, err = op.ReopenDispute(ctx, client.TransitionRequest{ID: d.ID})
	require.NoError(t, err)
	_, err = op.WithdrawDispute(ctx, client.TransitionRequest{ID: d.ID})
	require.NoError(t, err)

	listed := all(t, op.Disputes(ctx, client.DisputesRequest{
		States: []dispute.State{dispute.StateWithdrawn, dispute.StateOpen}, Content: "https://bad.example.com", AssigneeID: 1, Email: "ADA@acme.test",
		OldestFirst: true, Limit: 1, StartDate: d.CreatedAt.Format(time.DateOnly), EndDate: "9999-01-01",
	}))
	require.Len(t, listed, 1)
	require.Empty(t, listed[0].Notes)
	_, err = op.Dispute(ctx, 12345)
	require.ErrorIs(t, err, client.ErrNotFound)
}
