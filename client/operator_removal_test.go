package client_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
)

func TestOperator_removal(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := newOrigin(t, httpapi.Options{}, nil)
	op := o.operator(t)
	for _, status := range []asset.Status{asset.StatusAllowed, asset.StatusBlocked} {
		_, err := op.SetStatus(ctx, client.SetStatusRequest{Content: "good.example.com", Status: status})
		require.NoError(t, err)
	}
	removed, err := op.Prune(ctx, client.PruneRequest{Records: client.PruneChanges, Before: time.Now().Add(-time.Hour)})
	require.NoError(t, err)
	require.Equal(t, 1, removed)
	_, err = op.Prune(ctx, client.PruneRequest{Records: client.PruneReports, Before: time.Now().Add(time.Hour)})
	require.ErrorIs(t, err, client.ErrInvalid)
	user, err := op.CreateUser(ctx, account.UserRequest{FullName: "Eve", Email: "eve@mail.test"})
	require.NoError(t, err)
	erased, err := op.ErasePerson(ctx, client.PersonRequest{UserID: user.ID, Email: "EVE@mail.test"})
	require.NoError(t, err)
	require.Equal(t, client.Erased{Users: 1}, erased)
}
