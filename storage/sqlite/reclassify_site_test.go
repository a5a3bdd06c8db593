package sqlite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/sqlite"
)

// The rules can put an asset on another site and leave its form.
func TestReclassify_Site(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	db := drivers()[0].open(t, path, testSettings)
	require.NoError(t, sqlite.Migrate(t.Context(), db))
	_, err := db.ExecContext(t.Context(), `INSERT INTO apguard_assets (identity_hash, type, status, canonical)
		VALUES (x'00', 0, 2, 'https://a.example'); UPDATE apguard_rules SET version = 0`)
	require.NoError(t, err)

	store, err := sqlite.Open(t.Context(), path, sqlite.Options{Reclassify: true})
	require.NoError(t, err)
	counts, err := apguard.Reclassify(t.Context(), store, apguard.ReclassifyOptions{})
	require.NoError(t, err)
	require.Equal(t, apguard.Reclassified{Assets: 1}, counts, "the form is the same")
	found, err := store.AssetsByIdentity(t.Context(), []asset.Identity{{Type: asset.TypeURL, Canonical: "https://a.example"}})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.NoError(t, store.Close())
}
