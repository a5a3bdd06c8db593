package account_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
)

func TestKeyService_ListPage(t *testing.T) {
	t.Parallel()
	keys, _ := newKeyService(t)
	for range account.DefaultLimit + 1 {
		createKey(t, keys)
	}
	page, err := keys.ListPage(t.Context(), account.KeyListRequest{OrganizationID: 1})
	require.NoError(t, err)
	require.Len(t, page.Items, account.DefaultLimit)
	page, err = keys.ListPage(t.Context(), account.KeyListRequest{After: page.Last().Cursor(), Limit: 1})
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	require.False(t, page.More)
	_, err = keys.ListPage(t.Context(), account.KeyListRequest{OrganizationID: -1, Limit: account.MaxLimit + 1})
	requireIssues(t, "invalid", []string{"organizationId: must be from 1 to 2^53-1", "limit: must be from 1 to 100"}, err)
}

func TestKeyService_Find(t *testing.T) {
	t.Parallel()
	_, store := newService(t)
	keys, _ := newKeyServiceOn(store)
	_, hash := createKey(t, keys)
	found, err := keys.Find(t.Context(), account.Fingerprint(hash))
	require.NoError(t, err)
	require.Equal(t, hash, found.Hash)
	twin := found
	twin.Hash[31]++
	require.NoError(t, store.PutKey(t.Context(), twin, audit.Entry{}))
	_, err = keys.Find(t.Context(), account.Fingerprint(hash))
	require.ErrorIs(t, err, account.ErrAmbiguousKey)
	_, err = keys.Find(t.Context(), "no fingerprint")
	require.ErrorIs(t, err, account.ErrUnknownKey)
}

func TestService_ListUsers(t *testing.T) {
	t.Parallel()
	service, _ := newService(t)
	page, err := service.ListUsers(t.Context(), account.ListRequest{})
	require.NoError(t, err)
	require.Equal(t, []account.User{{ID: 7, FullName: "Ada", Email: "ada@acme.example"}}, page.Items)
	page, err = service.ListUsers(t.Context(), account.ListRequest{After: 7, Limit: account.MaxLimit})
	require.NoError(t, err)
	require.Empty(t, page.Items)
	_, err = service.ListUsers(t.Context(), account.ListRequest{Limit: -1})
	requireIssues(t, "limit", []string{"limit: must be from 1 to 100"}, err)
}

func TestService_ListOrganizations(t *testing.T) {
	t.Parallel()
	service, _ := newService(t)
	page, err := service.ListOrganizations(t.Context(), account.ListRequest{})
	require.NoError(t, err)
	require.Equal(t, []account.Organization{{ID: 1, Slug: "acme", Name: "Acme"}}, page.Items)
	_, err = service.ListOrganizations(t.Context(), account.ListRequest{Limit: account.MaxLimit + 1})
	requireIssues(t, "limit", []string{"limit: must be from 1 to 100"}, err)
}
