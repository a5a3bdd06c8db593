//go:build cgo

package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

// addition returns an addition of assets that no other batch has.
func addition(batch, size int) allowlist.Addition {
	a := allowlist.Addition{
		OrganizationID: 1,
		At:             time.Date(2025, 1, 5, 10, 0, 0, 0, time.UTC),
		Origin:         asset.Origin{Cause: asset.CauseAllowlist},
	}
	for i := range size {
		url := fmt.Sprintf("https://batch-%d.example/asset/%d", batch, i)
		a.Candidates = append(a.Candidates, allowlist.Candidate{
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: url},
			Content:  url,
			Name:     "An asset",
		})
	}
	return a
}

// BenchmarkGrantByKey is what every request begins with.
func BenchmarkGrantByKey(b *testing.B) {
	store := open(b, filepath.Join(b.TempDir(), "apguard.db"))
	require.NoError(b, store.PutOrganization(b.Context(), account.Organization{ID: 1, Slug: "acme"}))
	require.NoError(b, store.PutUser(b.Context(), account.User{ID: 1, Email: "ada@acme.test"}))
	key := account.Key{Hash: account.HashKey("key"), OrganizationID: 1, UserID: 1, Scopes: account.Scopes()}
	require.NoError(b, store.PutKey(b.Context(), key))
	for b.Loop() {
		_, err := store.GrantByKey(b.Context(), key.Hash)
		require.NoError(b, err)
	}
}
