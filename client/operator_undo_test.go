package client_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
)

// undoing returns the items that undo what the results have made.
func undoing(results []client.StatusResult) []client.UndoItem {
	items := make([]client.UndoItem, len(results))
	for i, result := range results {
		items[i] = client.UndoItem{Content: result.Content, Decision: result.Decision, Previous: result.Previous}
	}
	return items
}

// An act is undone as a whole, but not what another operator has decided since. The undo can be undone.
func TestOperator_Undo(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := newOrigin(t, httpapi.Options{}, nil)
	op := o.operator(t)
	const before, overruled = "https://bad.example.com", "https://quiet.example.com"
	made, err := op.SetStatuses(ctx, client.SetStatusesRequest{Reference: "case 7", Items: []client.StatusItem{
		{Content: before, Status: asset.StatusAllowed},
		{Content: overruled, Status: asset.StatusBlocked},
	}})
	require.NoError(t, err)
	_, err = op.SetStatus(ctx, client.SetStatusRequest{Content: overruled, Status: asset.StatusBlocked, Reason: asset.ReasonScam})
	require.NoError(t, err)

	plan, err := op.Undo(ctx, client.UndoRequest{Items: undoing(made), DryRun: true})
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, plan[0].Asset.Status)
	requireStatus(t, o.client(t, acmeKey), before, asset.StatusAllowed)

	undone, err := op.Undo(ctx, client.UndoRequest{Items: undoing(made), Reference: "a mistake"})
	require.NoError(t, err)
	require.True(t, undone[0].Changed())
	require.Equal(t, made[0].Previous, undone[0].Decision)
	require.ErrorIs(t, undone[1].Err, asset.ErrChanged)
	requireStatus(t, o.client(t, acmeKey), before, asset.StatusBlocked)
	requireStatus(t, o.client(t, acmeKey), overruled, asset.StatusBlocked)

	again, err := op.Undo(ctx, client.UndoRequest{Items: undoing(undone[:1])})
	require.NoError(t, err)
	require.Equal(t, asset.StatusAllowed, again[0].Asset.Status)
}
