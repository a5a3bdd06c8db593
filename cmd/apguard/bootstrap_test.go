package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBootstrap_DemoIsCreatedOnce(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "a?b #1%.db")
	first := startDemo(t, noVariables, "-db", db)
	key := keyOf(t, first)
	added := call{path: "/organization/assets", body: `{"assets":[{"content":"https://kept.example"}]}`}
	_, before := request(t, first.url, key, added)
	require.Contains(t, before, `"successCount":1`)
	require.NoError(t, first.stop())
	require.FileExists(t, db)
	require.Contains(t, first.logged(), "key="+fingerprint(key))
	require.NotContains(t, first.logged(), key, "the key is shown, but not logged")

	second := startDemo(t, noVariables, "-db", db)
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

// The keys of a seed file are in no error, whatever is wrong with them or beside them.
func TestBootstrap_SeedErrorsHideKeys(t *testing.T) {
	t.Parallel()
	for reason, text := range map[string]string{
		"a key with a space":      `{"keys":[{"key":"apg_sesame samesa","scopes":["changelog"]}]}`,
		"a long key":              `{"keys":[{"key":"apg_sesame` + strings.Repeat("e", 300) + `","scopes":["changelog"]}]}`,
		"a key that is not ASCII": `{"keys":[{"key":"apg_sesam\u00e9","scopes":["changelog"]}]}`,
		"two equal keys":          `{"keys":[{"key":"apg_sesame","scopes":["changelog"]},{"key":"apg_sesame","scopes":["changelog"]}]}`,
		"an unknown organization": `{"keys":[{"key":"apg_sesame","scopes":["changelog"],"organization":"none"}]}`,
		"an unknown scope":        `{"keys":[{"key":"apg_sesame","scopes":["all"]}]}`,
		"an unknown field":        `{"keys":[{"key":"apg_sesame","scope":"changelog"}]}`,
		"a key that is a list":    `{"keys":[{"key":["apg_sesame"]}]}`,
		"keys that are no list":   `{"keys":{"key":"apg_sesame"}}`,
		"a key without quotes":    `{"keys":[{"key":apg_sesame}]}`,
		"a key without an end":    `{"keys":[{"key":"apg_sesame`,
		"a key in the wrong list": `{"keys":["apg_sesame"]}`,
		"a key as the whole file": `apg_sesame`,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, err := runProgram(t, noVariables, "serve", "-addr", "127.0.0.1:0", "-db", "memory", "-seed", writeFile(t, text))
			require.Error(t, err)
			require.Empty(t, stdout+stderr)
			require.NotRegexp(t, "apg_|sesam|samesa", err.Error())
		})
	}
}
