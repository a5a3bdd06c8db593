//go:build cgo

package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

// BenchmarkKeyByHash finds an API key, as every request does first.
func BenchmarkKeyByHash(b *testing.B) {
	store := open(b, filepath.Join(b.TempDir(), "apguard.db"))
	require.NoError(b, store.PutOrganization(b.Context(), account.Organization{ID: 1, Slug: "acme"}))
	require.NoError(b, store.PutUser(b.Context(), account.User{ID: 1, Email: "ada@acme.test"}))
	key := account.Key{Hash: account.HashKey("key"), OrganizationID: 1, UserID: 1, Scopes: account.Scopes()}
	require.NoError(b, store.PutKey(b.Context(), key))
	for b.Loop() {
		_, err := store.KeyByHash(b.Context(), key.Hash)
		require.NoError(b, err)
	}
}
