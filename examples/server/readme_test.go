package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadme requires README.md to show the calls that the program prints, and the replies
// to them.
func TestReadme(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		checkReadme(t, filepath.Join(t.TempDir(), "demo.db"))
	})
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		checkReadme(t, "memory")
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		checkReadme(t, postgresSchema(t))
	})
}

func checkReadme(t *testing.T, db string) {
	t.Helper()
	s := start(t, "-db", db)
	require.Equal(t, s.url, exportURL.FindStringSubmatch(s.printed)[1])
	key := exportKey.FindStringSubmatch(s.printed)[1]

	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	shown := regexp.MustCompile("(?s)```sh\n(curl .*?)\n```\n\n```json\n(.*?)\n```").FindAllStringSubmatch(string(readme), -1)
	require.Len(t, shown, len(tour()))
	for i, c := range tour() {
		require.Contains(t, s.printed, "\n"+c.command()+"\n")
		require.Equal(t, c.command(), shown[i][1], "the README must show the call that the server prints")
		status, body := request(t, s.url, key, c)
		require.Equal(t, http.StatusOK, status, body)
		require.Equal(t, shown[i][2], strings.TrimSuffix(body, "\n"), "the README must show the reply to %s", c.path)
	}
}

func TestReadme_CodeCompiles(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	code := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(readme)
	require.NotNil(t, code)
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, code[1], 0o600))
	out, err := exec.CommandContext(t.Context(), "go", "vet", file).CombinedOutput()
	require.NoError(t, err, string(out))
}
