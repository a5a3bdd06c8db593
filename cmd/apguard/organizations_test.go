package main

import (
	"errors"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

// newDatabase returns an empty database.
func newDatabase(t *testing.T) (db string) {
	t.Helper()
	db = filepath.Join(t.TempDir(), "a.db")
	require.NoError(t, start(t, "-db", db).stop())
	return db
}

// table returns the lines of a table without its head, with a bar between columns.
func table(printed string) []string {
	wide := regexp.MustCompile(` {2,}`)
	var rows []string
	for line := range strings.Lines(printed) {
		rows = append(rows, wide.ReplaceAllString(strings.TrimSpace(line), "|"))
	}
	return rows[1:]
}

func TestRunOrganizations(t *testing.T) {
	t.Parallel()
	for store, db := range emptyDatabases() {
		t.Run(store, func(t *testing.T) {
			t.Parallel()
			db := db(t)
			organizations := func(args ...string) []string {
				t.Helper()
				printed, stderr, err := runProgram(t, noVariables, append([]string{"organizations", args[0], "-db", db}, args[1:]...)...)
				require.NoError(t, err)
				require.Empty(t, stderr)
				return table(printed)
			}
			require.Empty(t, organizations("list"))
			require.Equal(t, []string{"globex|Globex|-|-"}, organizations("create", "-slug", "globex", "-name", "Globex"))
			acme := organizations("create", "-slug", "acme", "-name", "Acme \x1b[31m", "-group", "Sites", "-group", "Social media", "-group", "Sites")
			require.Equal(t, []string{`acme|"Acme \x1b[31m"|1|Sites`, `acme|"Acme \x1b[31m"|2|"Social media"`, `acme|"Acme \x1b[31m"|3|Sites`}, acme)
			require.ElementsMatch(t, append(acme, "globex|Globex|-|-"), organizations("list"))
		})
	}
}

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
		printed, _, err := runProgram(t, noVariables, strings.Fields(command)...)
		require.NoError(t, err, command)
		key = strings.TrimSpace(printed)
	}
	status, body := request(t, s.url, key, call{path: "/organization/assets", body: `{"assets":[{"content":"https://new.example"}]}`})
	require.Equal(t, http.StatusOK, status, body)
	require.Contains(t, body, `"successCount":1`)
}

func TestRunOrganizations_Errors(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	_, _, err := runProgram(t, noVariables, "organizations", "create", "-db", db, "-slug", "taken", "-name", "Taken", "-group", "Sites")
	require.NoError(t, err)
	create := func(args ...string) []string { return append([]string{"organizations", "create", "-db", db}, args...) }
	for reason, c := range map[string]struct {
		args  []string
		usage bool
		want  string
	}{
		"an unknown command":     {[]string{"organizations", "secret"}, true, "organizations: unknown command"},
		"an unknown flag":        {create("-id", "7"), true, "not defined: -id"},
		"a flag of create":       {[]string{"organizations", "list", "-slug", "a"}, true, "not defined: -slug"},
		"an argument":            {create("-slug", "a", "-name", "A", "secret"), true, "unexpected argument"},
		"no slug":                {create("-name", "A"), true, "-slug must not be empty"},
		"no name":                {create("-slug", "a"), true, "-name must not be empty"},
		"an empty slug":          {create("-slug", "", "-name", "A"), true, "-slug must not be empty"},
		"an empty name":          {create("-slug", "a", "-name", ""), true, "-name must not be empty"},
		"an empty group":         {create("-slug", "a", "-name", "A", "-group", ""), true, "-group must not be empty"},
		"a blank slug":           {create("-slug", " ", "-name", "A"), false, "slug: must not be blank"},
		"a slug that is taken":   {create("-slug", "taken", "-name", "A", "-group", "More"), false, account.ErrSlugTaken.Error()},
		"invalid UTF-8":          {create("-slug", "a", "-name", "A\xff"), false, "name: must be valid UTF-8"},
		"a group with a NUL":     {create("-slug", "a", "-name", "A", "-group", "a\x00"), false, "name: must be valid UTF-8 without NUL"},
		"the memory store":       {[]string{"organizations", "list", "-db", "memory"}, true, "-db memory keeps nothing"},
		"a missing file":         {[]string{"organizations", "list", "-db", filepath.Join(t.TempDir(), "none.db")}, true, "start a server on it once to create it"},
		"a connection string":    {[]string{"organizations", "list", "-db", "password=secret"}, true, "-db must be a file path, memory, or a URL"},
		"an unreachable server":  {[]string{"organizations", "list", "-db", "postgres://u:secret@127.0.0.1:1/x"}, false, "-db postgres://...: "},
		"another file":           {[]string{"organizations", "list", "-db", writeFile(t, "")}, false, "start this server on the database once"},
		"an argument after list": {[]string{"organizations", "list", "-db", db, "secret"}, true, "unexpected argument"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, err := runProgram(t, noVariables, c.args...)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "secret")
			require.Equal(t, c.usage, errors.As(err, new(usageError)))
			require.Empty(t, stdout+stderr)
			listed, _, err := runProgram(t, noVariables, "organizations", "list", "-db", db)
			require.NoError(t, err)
			require.Equal(t, []string{"taken|Taken|1|Sites"}, table(listed), "nothing is stored")
		})
	}
}

// A command that fails leaves no groups behind, which would use up IDs.
func TestRunOrganizations_FailsBeforeGroups(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	create := func(slug, name string) (string, error) {
		printed, _, err := runProgram(t, noVariables, "organizations", "create", "-db", db, "-slug", slug, "-name", name, "-group", "Sites")
		return printed, err
	}
	_, err := create("first", "First")
	require.NoError(t, err)
	_, err = create("first", "Again")
	require.ErrorIs(t, err, account.ErrSlugTaken)
	_, err = create("second", "\xff")
	require.ErrorIs(t, err, asset.ErrInvalid)
	printed, err := create("second", "Second")
	require.NoError(t, err)
	require.Equal(t, []string{"second|Second|2|Sites"}, table(printed))
}
