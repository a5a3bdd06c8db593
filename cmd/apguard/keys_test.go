package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/internal/test/testsize"
)

// keyring creates keys in a database.
type keyring struct {
	*testing.T
	db string
}

func (k keyring) create(args ...string) string {
	k.Helper()
	key, told := mustRun(k.T, noVariables, append([]string{"keys", "create", "-db", k.db}, args...)...)
	key = strings.TrimSuffix(key, "\n")
	require.Regexp(k, `^apg_[0-9A-Za-z]{43}$`, key, "the key alone, for a script")
	require.Contains(k, told, fingerprint(key))
	require.NotContains(k, told, key)
	return key
}

func fingerprint(key string) string { return account.Fingerprint(account.HashKey(key)) }

// minutePattern matches a time to the minute, and timePattern one of a table.
const (
	minutePattern = `\d{4}-\d\d-\d\dT\d\d:\d\dZ`
	timePattern   = `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`
)

func TestPlain(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":           "-",
		"-":          `"-"`,
		"acme":       "acme",
		"-  7  all":  `"-  7  all"`,
		"a\x1b[31mb": `"a\x1b[31mb"`,
		"a\tb":       `"a\tb"`,
		`"a"`:        `"\"a\""`,
		"Zo\u00eb":   "Zo\u00eb",
		"a\u202ebc":  `"a\u202ebc"`,
	} {
		require.Equal(t, want, plain(text))
	}
}

func TestRunKeys_runningServer(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	db := filepath.Join(t.TempDir(), "live.db")
	s := startDemo(t, noVariables, "-db", db)
	key := keyring{t, db}.create("-organization", "acme", "-scopes", "changelog")
	changes := call{path: "/asset/changelog", body: "{}"}
	status, _ := request(t, s.url, key, changes)
	require.Equal(t, 200, status)
	rows, _ := mustRun(t, noVariables, "keys", "list", "-db", db)
	require.Regexp(t, fingerprint(key)+` +acme +- +changelog +`+timePattern+` +- +`+timePattern+` +active`, rows, "the use is recorded")
	mustRun(t, noVariables, "keys", "revoke", "-db", db, fingerprint(key))
	require.Eventually(t, func() bool {
		status, _ := request(t, s.url, key, changes)
		return status == 401
	}, time.Minute, 10*time.Millisecond, "soon; see account.KeyCacheTTL")
}

func TestRunKeys_readme(t *testing.T) {
	t.Parallel()
	k := keyring{t, newDatabase(t)}
	mustRun(t, noVariables, "organizations", "create", "-db", k.db, "-slug", "acme", "-name", "Acme")
	readme, err := os.ReadFile("../../docs/operate.md")
	require.NoError(t, err)
	_, block, found := strings.Cut(string(readme), "`keys list` shows their fingerprints:")
	require.True(t, found)
	commands := regexp.MustCompile(`(?m)^\./apguard keys (\w+) ?(.*)$`).FindAllStringSubmatch(block, -1)
	require.Len(t, commands, 4)
	name := fingerprint(k.create("-organization", "acme", "-scopes", "all"))
	for _, command := range commands {
		flags := strings.Fields(strings.ReplaceAll(command[2], "FINGERPRINT", name))
		mustRun(t, noVariables, append([]string{"keys", command[1], "-db", k.db}, flags...)...)
	}
	rows, _ := mustRun(t, noVariables, "keys", "list", "-db", k.db)
	require.Regexp(t, name+` +acme .* revoked `, rows)
	require.Regexp(t, ` acme +- +changelog,reports +`+timePattern+` +`+timePattern+` +- +active `, rows)
}

func TestRunKeys_help(t *testing.T) {
	t.Parallel()
	help, stderr := mustRun(t, noVariables, "keys", "create", "-h")
	require.Empty(t, stderr)
	for _, scope := range slices.Concat(account.Scopes(), account.OperatorScopes()) {
		require.Regexp(t, `\b`+string(scope)+`\b`, help)
	}
}
