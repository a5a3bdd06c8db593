package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/postgres"
)

// The rules can put an asset on another site and leave its form.
func TestReclassify_Site(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	require.NoError(t, postgres.Migrate(t.Context(), newPool(t, dsn)))
	execute(t, dsn, `INSERT INTO apguard_assets (identity_hash, type, status, canonical)
		VALUES ('\x00', 0, 2, 'https://a.example'); UPDATE apguard_rules SET version = 0`)

	store, err := postgres.Open(t.Context(), dsn, postgres.Options{Reclassify: true})
	require.NoError(t, err)
	counts, err := apguard.Reclassify(t.Context(), store, apguard.ReclassifyOptions{})
	require.NoError(t, err)
	require.Equal(t, apguard.Reclassified{Assets: 1}, counts, "the form is the same")
	found, err := store.AssetsByIdentity(t.Context(), []asset.Identity{{Type: asset.TypeURL, Canonical: "https://a.example"}})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.NoError(t, store.Close())
}
