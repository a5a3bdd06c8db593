package client_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
)

func TestOperator_Queues(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := newOrigin(t, httpapi.Options{}, nil)
	op := o.operator(t)
	before, err := op.Queues(ctx, client.QueuesRequest{Wait: time.Second})
	require.NoError(t, err)
	type answer struct {
		queues client.Queues
		err    error
	}
	answered := make(chan answer)
	go func() {
		queues, err := op.Queues(ctx, client.QueuesRequest{Version: before.Version, Wait: client.MaxQueuesWait})
		answered <- answer{queues, err}
	}()
	_, err = o.client(t, acmeKey).CreateDispute(ctx, client.DisputeRequest{Content: "https://bad.example.com"})
	require.NoError(t, err)
	after := <-answered
	require.NoError(t, after.err)
	require.Equal(t, before.Disputes.Open+1, after.queues.Disputes.Open)
	require.NotEqual(t, before.Disputes.Version, after.queues.Disputes.Version)
	require.Equal(t, before.Reports, after.queues.Reports)
	require.Empty(t, after.queues.Viewers)
	_, err = op.Queues(ctx, client.QueuesRequest{Open: "dispute/2"})
	require.NoError(t, err)
	user, err := op.CreateUser(ctx, account.UserRequest{FullName: "Grace Hopper"})
	require.NoError(t, err)
	key, err := op.CreateKey(ctx, client.KeyRequest{UserID: user.ID, Scopes: []account.Scope{account.ScopeOperatorRead}})
	require.NoError(t, err)
	grace := newOperator(t, o.operators, client.Options{Key: key.Secret})
	seen, err := grace.Queues(ctx, client.QueuesRequest{Open: "dispute/2"})
	require.NoError(t, err)
	require.Equal(t, []client.NamedUser{{ID: 1, FullName: "Ada Lovelace"}}, seen.Viewers)
	_, err = op.Queues(ctx, client.QueuesRequest{Wait: time.Minute})
	require.ErrorContains(t, err, "wait: must be")
}
