package main

import (
	"database/sql"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
)

func TestReclassify(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	store, err := openFile(t.Context(), path)
	require.NoError(t, err)
	_, err = store.SetAssetStatuses(t.Context(), asset.SetStatusesCommand{Origin: asset.Origin{Cause: asset.CauseManual}, Items: []asset.StatusItem{
		{Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://h.example.com/a|b"}, Status: asset.StatusBlocked},
		{Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://h.example.com/a%7Cb"}, Status: asset.StatusAllowed},
		{Identity: asset.Identity{Type: asset.TypeURL, Canonical: "no content"}, Status: asset.StatusBlocked},
	}})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	db, err := sql.Open(sqliteDriver, path)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "UPDATE apguard_rules SET version = 0")
	require.NoError(t, err)
	require.NoError(t, db.Close())

	_, err = database{secret{value: path}}.open(t.Context())
	require.ErrorContains(t, err, `run "apguard reclassify"`)
	for _, test := range []struct {
		args []string
		want apguard.Reclassified
	}{
		{[]string{"-dry-run"}, apguard.Reclassified{Assets: 3, Merged: 1, Differing: 1, Unrecognized: 1}},
		{nil, apguard.Reclassified{Assets: 3, Merged: 1, Differing: 1, Unrecognized: 1}},
		{nil, apguard.Reclassified{Assets: 2, Unrecognized: 1}},
	} {
		stdout, stderr, err := runProgram(t, noVariables, append([]string{"reclassify", "-db", path}, test.args...)...)
		require.NoError(t, err)
		var counts apguard.Reclassified
		require.NoError(t, json.Unmarshal([]byte(stdout), &counts))
		require.Equal(t, test.want, counts)
		require.Contains(t, stderr, `asset 3: not recognized: "no content"`)
	}
	opened, err := database{secret{value: path}}.open(t.Context())
	require.NoError(t, err)
	require.NoError(t, opened.Close())
}
