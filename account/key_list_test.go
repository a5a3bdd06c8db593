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
