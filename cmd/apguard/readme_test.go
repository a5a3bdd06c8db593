package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
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
	s := startDemo(t, noVariables, "-db", db)

	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	shown := regexp.MustCompile("(?s)```sh\n(curl .*?)\n```\n\n```json\n(.*?)\n```").FindAllStringSubmatch(string(readme), -1)
	require.Len(t, shown, len(tour()))
	now := regexp.MustCompile(`"since":"[^"]*"`)
	for i, c := range tour() {
		require.Contains(t, s.printed, "\n"+c.command()+"\n")
		require.Equal(t, c.command(), shown[i][1], "the README must show the call that the server prints")
		url, key := baseAndKey(t, s, c)
		status, body := request(t, url, key, c)
		require.Equal(t, http.StatusOK, status, body)
		body = now.ReplaceAllLiteralString(strings.TrimSuffix(body, "\n"), now.FindString(shown[i][2]))
		require.Equal(t, shown[i][2], body, "the README must show the reply to %s", c.path)
	}
}

// baseAndKey returns the base URL and the key of a call, as a demo has printed them.
func baseAndKey(t *testing.T, s server, c call) (base, key string) {
	t.Helper()
	if c.operator {
		printed := exportOperator.FindStringSubmatch(s.printed)
		require.NotNil(t, printed, s.printed)
		return printed[1], printed[2]
	}
	require.Equal(t, s.url, exportURL.FindStringSubmatch(s.printed)[1])
	return s.url, keyOf(t, s)
}

// The commands that set up a server without a demo work as they are, except for the address.
func TestReadme_SetUp(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	requirePrograms(t, "curl")
	blocks := codeBlocks(t, "docs/api.md", "## Set up a server", "sh")
	replies := codeBlocks(t, "docs/api.md", "## Set up a server", "json")
	require.Len(t, blocks, 4, "to start the server, to use it, and to create a user and the user's key")
	require.Len(t, replies, 2)
	build, serve, _ := strings.Cut(strings.TrimSpace(blocks[0]), "\n")
	dir := t.TempDir()
	shell(t, "../..", strings.Replace(build, "-o apguard", "-o "+filepath.Join(dir, "apguard"), 1))

	cmd := exec.CommandContext(t.Context(), "sh", "-c", "exec "+serve+" -addr 127.0.0.1:0")
	cmd.Dir = dir
	cmd.Stderr = t.Output()
	s, process := startProgram(t, cmd)
	output := shell(t, dir, strings.ReplaceAll(blocks[1], "http://127.0.0.1:8080/api/v2", s.url))
	require.True(t, strings.HasSuffix(output, "\n"+strings.TrimSpace(replies[0])), output)

	id := regexp.MustCompile(`\d+`)
	shown, created := id.FindString(replies[1]), shell(t, dir, blocks[2])
	require.Equal(t, replies[1], id.ReplaceAllString(created, shown))
	output = shell(t, dir, strings.ReplaceAll(blocks[3], shown, id.FindString(created)))
	require.Regexp(t, `(?m)^apg_\w+$`, output)
	require.NoError(t, process.Signal(syscall.SIGTERM))
	require.NoError(t, s.stop())
}

func TestReadme_CodeCompiles(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	code := regexp.MustCompile("(?s)```go\n(package .*?)```").FindSubmatch(readme)
	require.NotNil(t, code)
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, code[1], 0o600))
	out, err := exec.CommandContext(t.Context(), "go", "vet", file).CombinedOutput()
	require.NoError(t, err, string(out))
}
