package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A deployment without a demo is set up while its server runs.
func TestRunOrganizations_RunningServer(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "a.db")
	s := start(t, "-db", db, "-addr", everywhere)
	_, commands, found := strings.Cut(s.printed, "apguard organizations create")
	require.True(t, found, s.printed)
	commands, _, _ = strings.Cut("organizations create"+commands, "\n\n")
	var key string
	for command := range strings.Lines(commands) {
		command = strings.TrimPrefix(strings.TrimSpace(command), "apguard ")
		printed, _ := mustRun(t, noVariables, strings.Fields(command)...)
		key = strings.TrimSpace(printed)
	}
	status, body := request(t, s.url, key, call{path: "/organization/assets", body: `{"assets":[{"content":"https://new.example"}]}`})
	require.Equal(t, http.StatusOK, status, body)
	require.Contains(t, body, `"successCount":1`)
}
