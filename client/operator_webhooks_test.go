package client_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/webhook"
)

func TestOperator_webhooks(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	op := newOrigin(t, httpapi.Options{}, nil).operator(t)
	request := webhook.CreateRequest{
		URL: "https://receiver.example/hook", Events: []webhook.EventType{webhook.EventStatusChanged},
		Filter: webhook.Filter{Statuses: []asset.Status{asset.StatusBlocked}},
	}
	created, err := op.CreateWebhook(ctx, request)
	require.NoError(t, err)
	require.Contains(t, created.SecretText, "whsec_")
	require.Equal(t, request.Filter.Statuses, created.Filter.Statuses)
	require.Equal(t, []webhook.Endpoint{created.Endpoint}, all(t, op.Webhooks(ctx)))
	paused, err := op.PauseWebhook(ctx, created.ID)
	require.NoError(t, err)
	require.Equal(t, webhook.StatePaused, paused.State)
	_, err = op.ResumeWebhook(ctx, created.ID)
	require.NoError(t, err)
	_, err = op.ReplayWebhook(ctx, created.ID, time.Time{})
	require.NoError(t, err)
	secret, err := op.RotateWebhook(ctx, created.ID)
	require.NoError(t, err)
	require.NotEqual(t, created.SecretText, secret)
	outcome, err := op.TestWebhook(ctx, created.ID)
	require.NoError(t, err)
	require.Equal(t, webhook.Outcome{Status: http.StatusTeapot, Failure: webhook.FailureStatus}, outcome)
	got, err := op.Webhook(ctx, created.ID)
	require.NoError(t, err)
	require.NotZero(t, got.OldSecretUntil)
	require.NoError(t, op.RemoveWebhook(ctx, created.ID))
	_, err = op.Webhook(ctx, created.ID)
	require.ErrorIs(t, err, client.ErrNotFound)
	request.URL = "http://localhost"
	_, err = op.CreateWebhook(ctx, request)
	require.ErrorIs(t, err, client.ErrInvalid)
}
