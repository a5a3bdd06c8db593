package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
)

// keyring runs commands on the keys of a database.
type keyring struct {
	*testing.T
	db string
}

// newKeyring makes a database with two organisations and a key that belongs to none.
func newKeyring(t *testing.T) keyring {
	t.Helper()
	db := filepath.Join(t.TempDir(), "keys.db")
	store, err := sqlite.Open(t.Context(), db, sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Import(t.Context(), storage.Seed{
		Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme"}, {ID: 2, Slug: "globex"}},
		Users:         []storage.SeedUser{{ID: 7, Email: "ada@acme.example"}},
		Keys:          []storage.SeedKey{{Key: "apg_loose", Scopes: []account.Scope{account.ScopeChangelog}}},
	}))
	require.NoError(t, store.Close())
	return keyring{t, db}
}

func (k keyring) run(command string, args ...string) (stdout, stderr string, err error) {
	k.Helper()
	var out, errs bytes.Buffer
	err = run(k.Context(), append([]string{"keys", command, "-db", k.db}, args...), &out, &errs)
	return out.String(), errs.String(), err
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

// minute matches a moment of the table.
const minute = `\d{4}-\d\d-\d\dT\d\d:\d\dZ`

func TestKeysAreCreatedAndListed(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	first := k.create("-organization", "globex", "-scopes", "all")
	second := k.create("-organization", "acme", "-user", "7", "-name", "CI \x1b[31m", "-scopes", "dispute,reports", "-expires", "1h")
	rows := k.list()
	require.Len(t, rows, 3)
	require.Regexp(t, "^"+fingerprint(second)+`\|acme\|7\|dispute,reports\|`+minute+`\|`+minute+`\|-\|active\|"CI \\x1b\[31m"$`, rows[0])
	require.Regexp(t, "^"+fingerprint(first)+`\|globex\|-\|changelog,dispute,allowlist,reports\|`+minute+`\|-\|-\|active\|-$`, rows[1])
	require.Regexp(t, "^"+fingerprint("apg_loose")+`\|-\|-\|changelog\|-?.*\|active\|-$`, rows[2])
	require.Equal(t, rows[1:2], k.list("-organization", "globex"))
}

func TestAListIsNotForged(t *testing.T) {
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

func TestAKeyIsRevoked(t *testing.T) {
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

func TestAKeyIsRotated(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	old := k.create("-organization", "acme", "-scopes", "all")
	for _, grace := range []string{"1h", "0s"} {
		key, told, err := k.run("rotate", "-grace", grace, fingerprint(old))
		require.NoError(t, err)
		// The second rotation is of a key that has an end by then, and so has the new one.
		require.Regexp(t, map[string]string{"1h": "does not expire", "0s": "expires at " + minute}[grace], told)
		rows := strings.Join(k.list(), "\n")
		require.Regexp(t, fingerprint(strings.TrimSpace(key))+`\|acme\|.*\|active\|`, rows)
		state := map[string]string{"1h": "active", "0s": "revoked"}[grace]
		require.Regexp(t, fingerprint(old)+`\|acme\|.*\|`+state+`\|`, rows)
	}
}

func TestKeysOfARunningServer(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "live.db")
	s := start(t, "-db", db)
	k := keyring{t, db}
	key := k.create("-organization", "acme", "-scopes", "changelog")
	changes := call{path: "/asset/changelog", body: "{}"}
	status, _ := request(t, s.url, key, changes)
	require.Equal(t, 200, status)
	require.Regexp(t, fingerprint(key)+`\|acme\|-\|changelog\|`+minute+`\|-\|`+minute+`\|active\|`, strings.Join(k.list(), "\n"), "the use is kept")
	_, _, err := k.run("revoke", fingerprint(key))
	require.NoError(t, err)
	status, _ = request(t, s.url, key, changes)
	require.Equal(t, 401, status, "at once")
}

func TestTheKeysCommandsOfTheReadme(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	commands := regexp.MustCompile(`(?m)^go run ./examples/server keys (\w+) ?(.*)$`).FindAllStringSubmatch(string(readme), -1)
	require.Len(t, commands, 4)
	name := fingerprint(k.create("-organization", "acme", "-scopes", "all"))
	for _, command := range commands {
		_, _, err := k.run(command[1], strings.Fields(strings.ReplaceAll(command[2], "FINGERPRINT", name))...)
		require.NoError(t, err, command[0])
	}
	rows := strings.Join(k.list(), "\n")
	require.Regexp(t, name+`\|acme\|.*\|revoked\|`, rows)
	require.Regexp(t, `\|acme\|-\|changelog,reports\|`+minute+`\|`+minute+`\|-\|active\|`, rows)
}

func TestBadKeysCommands(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	for reason, c := range map[string]struct {
		args  []string
		usage bool
		want  string
	}{
		"no command":                   {[]string{"keys"}, true, "want create, list, rotate or revoke"},
		"an unknown command":           {[]string{"keys", "apg_secret"}, true, "keys: want create, list, rotate or revoke"},
		"a flag of another command":    {[]string{"keys", "list", "-grace", "1h"}, true, "not defined: -grace"},
		"no scopes":                    {[]string{"keys", "create", "-db", k.db}, true, "-scopes must be all, or some of changelog"},
		"scopes that are not said":     {[]string{"keys", "create", "-db", k.db, "-scopes", ""}, true, "-scopes must not be empty"},
		"a scope that is none":         {[]string{"keys", "create", "-db", k.db, "-scopes", "admin"}, false, "key scope must be"},
		"an organisation not said":     {[]string{"keys", "create", "-db", k.db, "-scopes", "all", "-organization", ""}, true, "-organization must not be empty"},
		"an organisation that is not":  {[]string{"keys", "create", "-db", k.db, "-scopes", "all", "-organization", "Acme"}, false, "-organization Acme: account not found"},
		"a list of no organisation":    {[]string{"keys", "list", "-db", k.db, "-organization", "Acme"}, false, "-organization Acme: account not found"},
		"a user that is not":           {[]string{"keys", "create", "-db", k.db, "-scopes", "all", "-user", "8"}, false, "-user 8: account not found"},
		"a user that nobody is":        {[]string{"keys", "create", "-db", k.db, "-scopes", "all", "-user", "0"}, true, "-user must be above 0"},
		"an end that is the beginning": {[]string{"keys", "create", "-db", k.db, "-scopes", "all", "-expires", "0s"}, true, "-expires must be above 0"},
		"an end before the beginning":  {[]string{"keys", "create", "-db", k.db, "-scopes", "all", "-expires", "-1h"}, true, "-expires must be above 0"},
		"no fingerprint":               {[]string{"keys", "revoke", "-db", k.db}, true, "want the fingerprint of one key"},
		"two fingerprints":             {[]string{"keys", "rotate", "-db", k.db, "0123456789ab", "0123456789ac"}, true, "want the fingerprint of one key"},
		"a key for its fingerprint":    {[]string{"keys", "revoke", "-db", k.db, "apg_secret"}, true, "want the fingerprint of one key"},
		"a fingerprint of no key":      {[]string{"keys", "revoke", "-db", k.db, "0123456789ab"}, false, "no key has the fingerprint 0123456789ab"},
		"grace below zero":             {[]string{"keys", "rotate", "-db", k.db, "-grace", "-1s", fingerprint("apg_loose")}, false, "grace period must not be negative"},
		"an argument too many":         {[]string{"keys", "list", "-db", k.db, "apg_secret"}, true, "an argument too many"},
		"no database that lasts":       {[]string{"keys", "list", "-db", "memory"}, true, "-db memory has no keys that last"},
		"a file that is not there":     {[]string{"keys", "list", "-db", filepath.Join(t.TempDir(), "none.db")}, true, "a server makes it at its first start"},
		"a database of something else": {[]string{"keys", "list", "-db", writeFile(t, "")}, false, storage.ErrOlderSchema.Error()},
		"a server that is not there":   {[]string{"keys", "list", "-db", "postgres://u:secret@127.0.0.1:1/x"}, false, "-db postgres://...: "},
		"another form of its name":     {[]string{"keys", "list", "-db", "host=127.0.0.1 password=secret"}, true, "-db must be a file path, memory, or a URL"},
		"the same for the server":      {[]string{"-db", "host=127.0.0.1 password=secret"}, true, "-db must be a file path, memory, or a URL"},
		"another kind of server":       {[]string{"-db", "mysql://u:secret@127.0.0.1/x"}, true, "-db must be a file path, memory, or a URL"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			err := run(t.Context(), c.args, &out, &out)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "secret")
			require.Equal(t, c.usage, errors.As(err, new(usageError)))
			require.Empty(t, out.String())
		})
	}
}
