package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/internal/testsize"
	"github.com/apguard/apguard/storage"
)

// keyring runs commands on the keys of a database.
type keyring struct {
	*testing.T
	db string
}

// newKeyring creates a database with two organizations and a key without one.
func newKeyring(t *testing.T) keyring {
	t.Helper()
	db := filepath.Join(t.TempDir(), "keys.db")
	store, err := openFile(t.Context(), db)
	require.NoError(t, err)
	require.NoError(t, store.Import(t.Context(), storage.Seed{
		Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme"}, {ID: 2, Slug: "globex"}},
		Users:         []account.User{{ID: 7, Email: "ada@acme.example"}},
		Keys:          []storage.SeedKey{{Key: "apg_loose", Scopes: []account.Scope{account.ScopeChangelog}}},
	}))
	require.NoError(t, store.Close())
	return keyring{t, db}
}

func (k keyring) run(command string, args ...string) (stdout, stderr string, err error) {
	k.Helper()
	return runProgram(k.T, noVariables, append([]string{"keys", command, "-db", k.db}, args...)...)
}

func (k keyring) create(args ...string) string {
	k.Helper()
	key, told, err := k.run("create", args...)
	require.NoError(k, err)
	key = strings.TrimSuffix(key, "\n")
	require.Regexp(k, `^apg_[0-9A-Za-z]{43}$`, key, "the key alone, for a script")
	require.Contains(k, told, fingerprint(key))
	require.NotContains(k, told, key)
	return key
}

func (k keyring) list(args ...string) []string {
	k.Helper()
	table, _, err := k.run("list", args...)
	require.NoError(k, err)
	blanks := regexp.MustCompile(` {2,}`)
	var rows []string
	for line := range strings.Lines(table) {
		rows = append(rows, blanks.ReplaceAllString(strings.TrimSpace(line), "|"))
	}
	require.Equal(k, "FINGERPRINT|ORGANIZATION|USER|SCOPES|CREATED|EXPIRES|LAST USED|STATE|NAME", rows[0])
	return rows[1:]
}

func fingerprint(key string) string { return account.Fingerprint(account.HashKey(key)) }

// minutePattern matches a time of the table.
const minutePattern = `\d{4}-\d\d-\d\dT\d\d:\d\dZ`

func TestRunKeys_create(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	first := k.create("-organization", "globex", "-scopes", "all")
	second := k.create("-organization", "acme", "-user", "7", "-name", "CI \x1b[31m", "-scopes", "dispute,reports", "-expires", "1h")
	rows := k.list()
	require.Len(t, rows, 3)
	require.Regexp(t, "^"+fingerprint(second)+`\|acme\|7\|dispute,reports\|`+minutePattern+`\|`+minutePattern+`\|-\|active\|"CI \\x1b\[31m"$`, rows[0])
	require.Regexp(t, "^"+fingerprint(first)+`\|globex\|-\|changelog,dispute,allowlist,reports,check\|`+minutePattern+`\|-\|-\|active\|-$`, rows[1])
	require.Regexp(t, "^"+fingerprint("apg_loose")+`\|-\|-\|changelog\|-?.*\|active\|-$`, rows[2])
	require.Equal(t, rows[1:2], k.list("-organization", "globex"))
}

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

func TestRunKeys_revoke(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	key := k.create("-scopes", "all")
	_, _, err := k.run("revoke", fingerprint(key))
	require.NoError(t, err)
	rows := strings.Join(k.list(), "\n")
	require.Regexp(t, fingerprint(key)+`.*\|revoked\|`, rows)
	require.Regexp(t, fingerprint("apg_loose")+`.*\|active\|`, rows)
	_, _, err = k.run("rotate", fingerprint(key))
	require.ErrorIs(t, err, account.ErrRevokedKey)
}

func TestRunKeys_rotate(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	old := k.create("-organization", "acme", "-scopes", "all")
	for _, grace := range []string{"1h", "0s"} {
		key, told, err := k.run("rotate", "-grace", grace, fingerprint(old))
		require.NoError(t, err)
		// The grace period gives the old key an expiry, so the second new key has one too.
		require.Regexp(t, map[string]string{"1h": "does not expire", "0s": "expires at " + minutePattern}[grace], told)
		rows := strings.Join(k.list(), "\n")
		require.Regexp(t, fingerprint(strings.TrimSpace(key))+`\|acme\|.*\|active\|`, rows)
		state := map[string]string{"1h": "active", "0s": "revoked"}[grace]
		require.Regexp(t, fingerprint(old)+`\|acme\|.*\|`+state+`\|`, rows)
	}
}

func TestRunKeys_runningServer(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	db := filepath.Join(t.TempDir(), "live.db")
	s := startDemo(t, noVariables, "-db", db)
	k := keyring{t, db}
	key := k.create("-organization", "acme", "-scopes", "changelog")
	changes := call{path: "/asset/changelog", body: "{}"}
	status, _ := request(t, s.url, key, changes)
	require.Equal(t, 200, status)
	require.Regexp(t, fingerprint(key)+`\|acme\|-\|changelog\|`+minutePattern+`\|-\|`+minutePattern+`\|active\|`, strings.Join(k.list(), "\n"), "the use is recorded")
	_, _, err := k.run("revoke", fingerprint(key))
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		status, _ := request(t, s.url, key, changes)
		return status == 401
	}, time.Minute, 10*time.Millisecond, "soon; see account.KeyCacheTTL")
}

func TestRunKeys_readme(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	readme, err := os.ReadFile("../../docs/operate.md")
	require.NoError(t, err)
	_, block, found := strings.Cut(string(readme), "`keys list` shows their fingerprints:")
	require.True(t, found)
	commands := regexp.MustCompile(`(?m)^\./apguard keys (\w+) ?(.*)$`).FindAllStringSubmatch(block, -1)
	require.Len(t, commands, 4)
	name := fingerprint(k.create("-organization", "acme", "-scopes", "all"))
	for _, command := range commands {
		_, _, err := k.run(command[1], strings.Fields(strings.ReplaceAll(command[2], "FINGERPRINT", name))...)
		require.NoError(t, err, command[0])
	}
	rows := strings.Join(k.list(), "\n")
	require.Regexp(t, name+`\|acme\|.*\|revoked\|`, rows)
	require.Regexp(t, `\|acme\|-\|changelog,reports\|`+minutePattern+`\|`+minutePattern+`\|-\|active\|`, rows)
}

func TestRunKeys_help(t *testing.T) {
	t.Parallel()
	help, stderr, err := runProgram(t, noVariables, "keys", "create", "-h")
	require.NoError(t, err)
	require.Empty(t, stderr)
	for _, scope := range slices.Concat(account.Scopes(), account.OperatorScopes()) {
		require.Regexp(t, `\b`+string(scope)+`\b`, help)
	}
}

func TestRunKeys_error(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	for reason, c := range map[string]struct {
		args  []string
		usage bool
		want  string
	}{
		"an unknown command":                 {[]string{"keys", "apg_secret"}, true, "keys: unknown command"},
		"a flag of another command":          {[]string{"keys", "list", "-grace", "1h"}, true, "not defined: -grace"},
		"no scopes":                          {[]string{"keys", "create", "-db", k.db}, true, "-scopes must be all, or some of changelog"},
		"empty scopes":                       {[]string{"keys", "create", "-db", k.db, "-scopes", ""}, true, "-scopes must not be empty"},
		"an unknown scope":                   {[]string{"keys", "create", "-db", k.db, "-scopes", "admin"}, true, "-scopes must be all, or some of changelog"},
		"an empty organization":              {[]string{"keys", "create", "-db", k.db, "-scopes", "all", "-organization", ""}, true, "-organization must not be empty"},
		"an unknown organization":            {[]string{"keys", "create", "-db", k.db, "-scopes", "all", "-organization", "Acme"}, false, `unknown organization "Acme"`},
		"a list of an unknown organization":  {[]string{"keys", "list", "-db", k.db, "-organization", "Acme"}, false, `unknown organization "Acme"`},
		"an unknown user":                    {[]string{"keys", "create", "-db", k.db, "-scopes", "all", "-user", "8"}, false, "unknown user 8; apguard users create creates one"},
		"an operator without a user":         {[]string{"keys", "create", "-db", k.db, "-scopes", "operator:read,operator:write"}, true, "keys create: operator:write and operator:admin need -user"},
		"an imported key of an operator":     {[]string{"keys", "import", "-db", k.db, "-scopes", "operator:write"}, true, "keys import: operator:write and operator:admin need -user"},
		"user 0":                             {[]string{"keys", "create", "-db", k.db, "-scopes", "all", "-user", "0"}, true, "-user must be above 0"},
		"it expires now":                     {[]string{"keys", "create", "-db", k.db, "-scopes", "all", "-expires", "0s"}, true, "-expires must be above 0"},
		"it expires in the past":             {[]string{"keys", "create", "-db", k.db, "-scopes", "all", "-expires", "-1h"}, true, "-expires must be above 0"},
		"no fingerprint":                     {[]string{"keys", "revoke", "-db", k.db}, true, "missing fingerprint; give that of one key"},
		"two fingerprints":                   {[]string{"keys", "rotate", "-db", k.db, "0123456789ab", "0123456789ac"}, true, "missing fingerprint; give that of one key"},
		"a key instead of its fingerprint":   {[]string{"keys", "revoke", "-db", k.db, "apg_secret"}, true, "missing fingerprint; give that of one key"},
		"an unknown fingerprint":             {[]string{"keys", "revoke", "-db", k.db, "0123456789ab"}, false, "unknown fingerprint 0123456789ab"},
		"a negative grace period":            {[]string{"keys", "rotate", "-db", k.db, "-grace", "-1s", fingerprint("apg_loose")}, false, "grace: must not be negative"},
		"an unexpected argument":             {[]string{"keys", "list", "-db", k.db, "apg_secret"}, true, "unexpected argument"},
		"the memory store":                   {[]string{"keys", "list", "-db", "memory"}, true, "-db memory keeps nothing"},
		"a missing file":                     {[]string{"keys", "list", "-db", filepath.Join(t.TempDir(), "none.db")}, true, "none.db: no such file or directory; start a server on it once to create it"},
		"the database of another program":    {[]string{"keys", "list", "-db", writeFile(t, "")}, false, storage.ErrOlderSchema.Error()},
		"an unreachable server":              {[]string{"keys", "list", "-db", "postgres://u:secret@127.0.0.1:1/x"}, false, "-db postgres://...: "},
		"a connection string":                {[]string{"keys", "list", "-db", "host=127.0.0.1 password=secret"}, true, "-db must be a file path, memory, or a URL"},
		"a connection string for the server": {[]string{"serve", "-db", "host=127.0.0.1 password=secret"}, true, "-db must be a file path, memory, or a URL"},
		"another database system":            {[]string{"serve", "-db", "mysql://u:secret@127.0.0.1/x"}, true, "-db must be a file path, memory, or a URL"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, err := runProgram(t, noVariables, c.args...)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "secret")
			require.Equal(t, c.usage, errors.As(err, new(usageError)))
			require.Empty(t, stdout+stderr)
		})
	}
}
