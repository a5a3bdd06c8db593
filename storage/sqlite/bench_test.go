//go:build cgo

package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage/sqlite"
)

// BenchmarkKeyByHash finds an API key.
func BenchmarkKeyByHash(b *testing.B) {
	store, key := openWithKey(b)
	for b.Loop() {
		_, err := store.KeyByHash(b.Context(), key.Hash)
		require.NoError(b, err)
	}
}

// BenchmarkAuthenticate authenticates with an API key, as every request does first.
func BenchmarkAuthenticate(b *testing.B) {
	store, _ := openWithKey(b)
	keys := account.NewKeyService(store, account.KeyOptions{})
	for b.Loop() {
		_, err := keys.Authenticate(b.Context(), "key")
		require.NoError(b, err)
	}
}

// openWithKey opens a store with the key "key" of an organization and a user.
func openWithKey(b *testing.B) (*sqlite.Store, account.Key) {
	b.Helper()
	store := open(b, filepath.Join(b.TempDir(), "apguard.db"))
	require.NoError(b, store.PutOrganization(b.Context(), account.Organization{ID: 1, Slug: "acme"}, audit.Entry{}))
	require.NoError(b, store.PutUser(b.Context(), account.User{ID: 1, Email: "ada@acme.test"}, audit.Entry{}))
	key := account.Key{Hash: account.HashKey("key"), OrganizationID: 1, UserID: 1, Scopes: account.Scopes()}
	require.NoError(b, store.PutKey(b.Context(), key, audit.Entry{}))
	return store, key
}
