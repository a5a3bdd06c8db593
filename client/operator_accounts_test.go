package client_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
)

// ada is the user of the keys.
var ada = client.NamedUser{ID: 1, FullName: "Ada Lovelace"}

func TestOperator_accounts(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := newOrigin(t, httpapi.Options{}, nil)
	op := o.operator(t)
	created, err := op.CreateOrganization(ctx, account.OrganizationRequest{Slug: "initech", Name: "Initech"})
	require.NoError(t, err)
	require.Equal(t, account.Organization{ID: created.ID, Slug: "initech", Name: "Initech"}, created)
	_, err = op.CreateOrganization(ctx, account.OrganizationRequest{Slug: "initech"})
	require.ErrorIs(t, err, client.ErrConflict)
	renamed, err := op.RenameOrganization(ctx, account.OrganizationRenameRequest{ID: created.ID, Name: "Initech Inc."})
	require.NoError(t, err)
	require.Equal(t, account.Organization{ID: created.ID, Slug: "initech", Name: "Initech Inc."}, renamed)
	got, err := op.Organization(ctx, created.ID)
	require.NoError(t, err)
	require.Equal(t, renamed, got)
	require.Equal(t, []account.Organization{{ID: 1, Slug: "acme", Name: "Acme"}, renamed}, all(t, op.Organizations(ctx)))

	group, err := op.CreateGroup(ctx, account.GroupRequest{OrganizationID: created.ID, Name: "Shops"})
	require.NoError(t, err)
	group.Name = "Stores"
	changed, err := op.RenameGroup(ctx, account.GroupRenameRequest(group))
	require.NoError(t, err)
	require.Equal(t, group, changed)
	groups, err := op.Groups(ctx, created.ID)
	require.NoError(t, err)
	require.Equal(t, []account.Group{group}, groups)
	require.NoError(t, op.RemoveGroup(ctx, created.ID, group.ID))
	require.ErrorIs(t, op.RemoveGroup(ctx, created.ID, group.ID), client.ErrNotFound)

	user, err := op.CreateUser(ctx, account.UserRequest{FullName: "Grace", Email: "grace@initech.test", Automation: true})
	require.NoError(t, err)
	user.FullName = "Grace Hopper"
	other, err := op.RenameUser(ctx, account.UserRenameRequest{ID: user.ID, FullName: user.FullName})
	require.NoError(t, err)
	require.Equal(t, user, other)
	require.Contains(t, all(t, op.Users(ctx)), user)
	require.Equal(t, []account.User{user}, all(t, op.SearchUsers(ctx, user.FullName)))
	require.Empty(t, all(t, op.SearchOrganizations(ctx, "nobody's")))
	other, err = op.DeactivateUser(ctx, user.ID)
	require.NoError(t, err)
	require.True(t, other.Deactivated)
	other, err = op.ReactivateUser(ctx, user.ID)
	require.NoError(t, err)
	require.Equal(t, user, other)
	other, err = op.User(ctx, user.ID)
	require.NoError(t, err)
	require.Equal(t, user, other)

	issued, err := op.CreateKey(ctx, client.KeyRequest{
		OrganizationID: created.ID, UserID: user.ID, Name: "Crawler", Scopes: []account.Scope{account.ScopeCheck}, Lifetime: time.Hour,
	})
	require.NoError(t, err)
	require.Equal(t, account.Fingerprint(account.HashKey(issued.Secret)), issued.Fingerprint)
	require.Equal(t, client.NamedOrganization{ID: created.ID, Slug: "initech", Name: "Initech Inc."}, issued.Organization)
	require.Equal(t, client.NamedUser{ID: user.ID, FullName: "Grace Hopper"}, issued.User)
	require.WithinDuration(t, time.Now().Add(time.Hour), issued.ExpiresAt, time.Minute)
	require.Equal(t, []client.Key{issued.Key}, all(t, op.Keys(ctx, client.KeysRequest{OrganizationID: created.ID})))
	require.Greater(t, len(all(t, op.Keys(ctx, client.KeysRequest{Limit: 1}))), 2)
	next, err := op.RotateKey(ctx, issued.Fingerprint, time.Millisecond)
	require.NoError(t, err)
	require.NotEqual(t, issued.Secret, next.Secret)
	_, err = op.RevokeKey(ctx, "0123456789ab")
	require.ErrorIs(t, err, client.ErrNotFound)
	revoked, err := op.RevokeKey(ctx, next.Fingerprint)
	require.NoError(t, err)
	require.Equal(t, client.KeyRevoked, revoked.State)
	_, err = op.RotateKey(ctx, next.Fingerprint, 0)
	require.ErrorIs(t, err, client.ErrConflict)
	n, err := op.RevokeAllKeys(ctx, user.ID)
	require.NoError(t, err)
	require.Equal(t, 1, n, "the rotated key had a grace period of a second")

	deactivated, err := op.DeactivateOrganization(ctx, created.ID)
	require.NoError(t, err)
	require.True(t, deactivated.Deactivated)
	_, err = op.ReactivateOrganization(ctx, created.ID)
	require.NoError(t, err)
	require.NoError(t, op.RemoveUser(ctx, user.ID))
	require.NoError(t, op.RemoveOrganization(ctx, created.ID))
	_, err = op.Organization(ctx, created.ID)
	require.ErrorIs(t, err, client.ErrNotFound)

	entries := all(t, op.Audit(ctx, client.AuditRequest{Kind: audit.KindOrganization, UserID: 1, Limit: 2}))
	actions := make([]audit.Action, 0, len(entries))
	for _, entry := range entries {
		require.Equal(t, client.AuditActor{Channel: audit.ChannelAPI, User: ada, Key: account.Fingerprint(account.HashKey(operatorKey))}, entry.Actor)
		actions = append(actions, entry.Action)
	}
	require.Equal(t, []audit.Action{
		audit.ActionRemoved, audit.ActionReactivated, audit.ActionDeactivated, audit.ActionChanged, audit.ActionCreated,
	}, actions)
	caller, err := op.Caller(ctx)
	require.NoError(t, err)
	require.Equal(t, client.NamedOrganization{ID: 1, Slug: "acme", Name: "Acme"}, caller.Organization)
}
