package client_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
)

func TestOperator_SetStatus(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	op := newOrigin(t, httpapi.Options{}, nil).operator(t)
	request := client.SetStatusRequest{
		Content: "github.io", Status: asset.StatusBlocked, Reason: asset.ReasonPhishing, Note: "a campaign", Reference: "ticket/7",
		ExpiresAt: time.Now().Add(time.Hour), ReviewAt: time.Now().Add(time.Minute), IfStatus: asset.StatusUnknown, IdempotencyKey: "k",
	}
	_, err := op.SetStatus(ctx, request)
	require.ErrorIs(t, err, asset.ErrProtected)
	require.ErrorIs(t, err, client.ErrInvalid)
	require.Equal(t, "confirmProtected: must be true to block it: github.io is a public suffix", failure(t, err).Issues[0].Message)
	preview, err := op.Preview(ctx, request.Content, asset.StatusBlocked)
	require.NoError(t, err)
	require.Equal(t, &asset.Protection{Reason: asset.ProtectedSuffix, By: "github.io"}, preview.Protection)
	require.Equal(t, asset.StatusBlocked, preview.Verdict.Status)

	request.ConfirmProtected = true
	set, err := op.SetStatus(ctx, request)
	require.NoError(t, err)
	want := client.Decision{
		Status: asset.StatusBlocked, Reason: asset.ReasonPhishing, Note: "a campaign", Reference: "ticket/7", Actor: ada, Since: set.Decision.Since,
		ExpiresAt: request.ExpiresAt.UTC().Truncate(time.Millisecond), ReviewAt: request.ReviewAt.UTC().Truncate(time.Millisecond),
	}
	require.Equal(t, client.UpdatedAsset{
		Asset:    asset.Asset{ID: set.ID, Identity: asset.Identity{Type: asset.TypePage, Canonical: "github.io"}, Status: asset.StatusBlocked},
		Decision: &want,
	}, set)
	again, err := op.SetStatus(ctx, request)
	require.NoError(t, err)
	require.True(t, again.Replayed)
	request.Note = "another one"
	_, err = op.SetStatus(ctx, request)
	require.ErrorIs(t, err, client.ErrReused)

	require.Equal(t, []client.DueAsset{{Asset: set.Asset, Decision: want}}, all(t, op.Due(ctx, client.DueRequest{Before: request.ReviewAt.Add(time.Second)})))
	changes := all(t, op.History(ctx, client.HistoryRequest{Content: "github.io"}))
	require.Equal(t, []client.AssetChange{{
		ID: changes[0].ID, From: asset.StatusUnknown, To: asset.StatusBlocked, At: want.Since, Cause: asset.CauseManual, Actor: ada, Reference: "ticket/7",
	}}, changes)
	named := client.NamedChange{AssetChange: changes[0], AssetID: set.ID, Type: asset.TypePage, Content: "github.io"}
	require.Equal(t, []client.NamedChange{named}, all(t, op.Changes(ctx, client.ChangesRequest{Under: "https://github.io", Limit: 1})))
	require.Equal(t, named, all(t, op.Decisions(ctx, client.DecisionsRequest{UserID: 1}))[0])

	_, err = op.Withdraw(ctx, client.WithdrawRequest{Content: "github.io", IfStatus: asset.StatusAllowed})
	require.ErrorIs(t, err, asset.ErrChanged)
	require.ErrorIs(t, err, client.ErrConflict)
	require.NotErrorIs(t, err, client.ErrInProgress)
	withdrawn, err := op.Withdraw(ctx, client.WithdrawRequest{Content: "github.io", Reference: "ticket/8"})
	require.NoError(t, err)
	require.Equal(t, asset.StatusUnknown, withdrawn.Status)
	require.Nil(t, withdrawn.Decision)
	require.Equal(t, &want, withdrawn.Previous)
	_, err = op.Withdraw(ctx, client.WithdrawRequest{Content: "github.io"})
	require.ErrorIs(t, err, asset.ErrNoDecision)
	require.ErrorIs(t, err, client.ErrNotFound)
}
