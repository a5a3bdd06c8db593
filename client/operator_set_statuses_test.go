package client_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
)

func TestOperator_SetStatuses(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	op := newOrigin(t, httpapi.Options{}, nil).operator(t)
	request := client.SetStatusesRequest{Reason: asset.ReasonScam, Note: "a campaign", Reference: "ticket/7", DryRun: true, Items: []client.StatusItem{
		{Content: "one.dev", Status: asset.StatusBlocked, ExpiresAt: time.Now().Add(time.Hour)},
		{Content: "not \xff an asset", Status: asset.StatusBlocked},
		{Content: "github.io", Status: asset.StatusBlocked},
		{Content: "One.dev", Status: asset.StatusBlocked}, // without the end
		{Content: "https://bad.example.com", Status: asset.StatusBlocked},
		{Content: "two.dev", Status: "NONE"},
	}}
	for _, request.DryRun = range []bool{true, false} {
		results, err := op.SetStatuses(ctx, request)
		require.NoError(t, err)
		require.Len(t, results, 6)
		require.Equal(t, asset.StatusBlocked, results[0].Asset.Status)
		require.Equal(t, request.DryRun, results[0].Asset.ID == 0)
		require.True(t, results[0].Changed())
		var refused *classify.Error
		require.ErrorAs(t, results[1].Err, &refused)
		require.Equal(t, classify.ReasonForbiddenCharacter, refused.Reason)
		require.ErrorIs(t, results[2].Err, asset.ErrProtected)
		require.ErrorIs(t, results[3].Err, asset.ErrContradiction)
		require.NotErrorIs(t, results[3].Err, asset.ErrProtected)
		require.False(t, results[4].Changed())
		require.NoError(t, results[4].Err)
		require.ErrorIs(t, results[5].Err, client.ErrInvalid)
		require.Equal(t, "status: must be UNKNOWN, ALLOWED or BLOCKED", results[5].Err.Error())
	}
	request.Items = nil
	_, err := op.SetStatuses(ctx, request)
	require.ErrorIs(t, err, client.ErrInvalid)
}
