package main

import (
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBootstrap_DemoIsCreatedOnce(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "a?b #1%.db")
	first := start(t, "-db", db)
	key := exportKey.FindStringSubmatch(first.printed)[1]
	added := call{path: "/organization/assets", body: `{"assets":[{"content":"https://kept.example"}]}`}
	_, before := request(t, first.url, key, added)
	require.Contains(t, before, `"successCount":1`)
	require.NoError(t, first.stop())
	require.FileExists(t, db)

	second := start(t, "-db", db)
	require.NotContains(t, second.printed, "KEY", "the key is shown only once")
	_, after := request(t, second.url, key, added)
	require.Contains(t, after, "Asset already exists in organization", "the data is kept")
}

func TestBootstrap_SeedFile(t *testing.T) {
	t.Parallel()
	db, file := filepath.Join(t.TempDir(), "seeded.db"), writeFile(t, seed)
	first := start(t, "-db", db, "-seed", file)
	require.Contains(t, first.printed, "now contains "+file)
	status, body := request(t, first.url, "apg_globex", call{path: "/asset/changelog", body: `{}`})
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"changelog":[{"assetId":1,"type":"URL","content":"https://bad.example","fromStatus":"UNKNOWN","toStatus":"BLOCKED","updatedAt":"2025-01-05T10:00:00.000Z"}]}`, body)
	require.NoError(t, first.stop())

	second := start(t, "-db", db, "-seed", file)
	require.Contains(t, second.printed, "was ignored", "a database with data is not filled again")
}
