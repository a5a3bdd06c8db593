package client_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/storage/memory"
)

// newFourEyes returns the clients of two operators of a server with four eyes on.
func newFourEyes(t *testing.T) (first, second *client.Operator) {
	t.Helper()
	guard := apguard.New(memory.New(), apguard.Options{FourEyes: true})
	api, err := httpapi.NewOperator(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{})
	require.NoError(t, err)
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	operator := func(id int64, name, key string) *client.Operator {
		require.NoError(t, guard.Accounts.PutUser(t.Context(), account.User{ID: id, FullName: name}))
		require.NoError(t, guard.Keys.Put(t.Context(), key, account.KeyRequest{UserID: id, Scopes: account.OperatorScopes()}))
		return newOperator(t, server.URL, client.Options{Key: key})
	}
	return operator(1, "Ada", "apg_ada"), operator(2, "Bea", "apg_bea")
}

// What needs a second operator is an error that has the act, and happens when another operator approves that.
func TestOperator_Acts(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	ada, bea := newFourEyes(t)
	block := client.SetStatusRequest{Content: "github.io", Status: asset.StatusBlocked, ConfirmProtected: true, Note: "for a day"}
	_, err := ada.SetStatus(ctx, block)
	require.ErrorIs(t, err, asset.ErrPending)
	var asked *client.Error
	require.ErrorAs(t, err, &asked)
	require.Equal(t, http.StatusAccepted, asked.Status)
	require.Equal(t, pending.KindBlock, asked.Act.Kind)
	require.Equal(t, "Ada", asked.Act.Actor.FullName)
	require.Equal(t, asset.ProtectedSuffix, asked.Act.Assets[0].Protection.Reason)
	require.False(t, asked.OutcomeUnknown)

	acts := all(t, bea.Acts(ctx, client.ActsRequest{}))
	require.Equal(t, []client.Act{*asked.Act}, acts)
	_, err = ada.ApproveAct(ctx, client.DecideActRequest{ID: asked.Act.ID})
	require.ErrorIs(t, err, client.ErrConflict)
	require.NotErrorIs(t, err, asset.ErrChanged)
	decided, err := bea.ApproveAct(ctx, client.DecideActRequest{ID: asked.Act.ID, Comment: "I see it, too"})
	require.NoError(t, err)
	require.Equal(t, pending.StateApproved, decided.State)
	require.Equal(t, "Bea", decided.DecidedBy.FullName)
	explained, err := ada.Explain(ctx, "github.io")
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, explained.Asset.Status)

	results, err := ada.SetStatuses(ctx, client.SetStatusesRequest{ConfirmProtected: true, Items: []client.StatusItem{
		{Content: "pages.dev", Status: asset.StatusBlocked}, {Content: "shop.example.com", Status: asset.StatusBlocked},
	}})
	require.NoError(t, err)
	var item *client.ItemError
	require.ErrorAs(t, results[0].Err, &item)
	require.ErrorIs(t, item, asset.ErrPending)
	require.True(t, results[1].Changed())
	_, err = bea.SetStatus(ctx, client.SetStatusRequest{Content: "pages.dev", Status: asset.StatusAllowed})
	require.NoError(t, err)
	_, err = bea.ApproveAct(ctx, client.DecideActRequest{ID: item.Act.ID})
	require.ErrorIs(t, err, pending.ErrEffectChanged)
	require.ErrorIs(t, err, asset.ErrChanged)
	rejected, err := bea.RejectAct(ctx, client.DecideActRequest{ID: item.Act.ID})
	require.NoError(t, err)
	require.Equal(t, pending.StateRejected, rejected.State)
	require.Len(t, all(t, bea.Acts(ctx, client.ActsRequest{State: pending.StateRejected})), 1)
}
