package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

// users runs a command on users and returns those that it prints.
func users(t *testing.T, args ...string) (printed []account.User) {
	t.Helper()
	stdout, stderr, err := runProgram(t, noVariables, append([]string{"users"}, args...)...)
	require.NoError(t, err)
	require.Empty(t, stderr)
	for line := range strings.Lines(stdout) {
		var user account.User
		require.NoError(t, json.Unmarshal([]byte(line), &user))
		printed = append(printed, user)
	}
	return printed
}

func TestRunUsers(t *testing.T) {
	t.Parallel()
	for store, db := range emptyDatabases() {
		t.Run(store, func(t *testing.T) {
			t.Parallel()
			db := db(t)
			require.Empty(t, users(t, "list", "-db", db, "-email", "olga@acme.example"))
			created := users(t, "create", "-db", db, "-name", "Olga Operator", "-email", "olga@acme.example")
			require.Len(t, created, 1)
			require.Positive(t, created[0].ID)
			require.Equal(t, account.User{ID: created[0].ID, FullName: "Olga Operator", Email: "olga@acme.example"}, created[0])
			program := users(t, "create", "-db", db, "-name", "Crawler", "-automation")
			require.Equal(t, []account.User{{ID: program[0].ID, FullName: "Crawler", Automation: true}}, program)
			require.NotEqual(t, created[0].ID, program[0].ID)
			require.Equal(t, created, users(t, "list", "-db", db, "-email", "OLGA@acme.example"))
		})
	}
}

// A deployment without a demo gets an operator while its server runs.
func TestRunUsers_Operator(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "a.db")
	s := start(t, "-db", db, "-operator", "127.0.0.1:0")
	operators := operatorsOn.FindStringSubmatch(s.printed)[1]
	user := users(t, "create", "-db", db, "-name", "Olga")[0]
	key := keyring{t, db}.create("-scopes", "operator:read,operator:write", "-user", strconv.FormatInt(user.ID, 10))
	status, body := request(t, operators, key, call{path: "/asset/setStatus", body: `{"content":"https://bad.example","status":"BLOCKED"}`})
	require.Equal(t, http.StatusOK, status, body)
	status, body = request(t, operators, key, call{path: "/asset/history?content=https://bad.example"})
	require.Equal(t, http.StatusOK, status, body)
	require.Contains(t, body, strconv.FormatInt(user.ID, 10), "the actor of the change")
}

func TestRunUsers_Errors(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	create := func(args ...string) []string { return append([]string{"users", "create", "-db", db}, args...) }
	for reason, c := range map[string]struct {
		args  []string
		usage bool
		want  string
	}{
		"an unknown command":    {[]string{"users", "secret"}, true, "users: unknown command"},
		"an unknown flag":       {create("-id", "7"), true, "not defined: -id"},
		"a flag of create":      {[]string{"users", "list", "-name", "A"}, true, "not defined: -name"},
		"an argument":           {create("-name", "A", "secret"), true, "unexpected argument"},
		"no name":               {create("-email", "a@acme.example"), true, "users create: -name must not be empty"},
		"an empty name":         {create("-name", ""), true, "-name must not be empty"},
		"a list of all":         {[]string{"users", "list", "-db", db}, true, "users list: -email must not be empty"},
		"invalid UTF-8":         {create("-name", "A\xff"), false, "fullName: must be valid UTF-8"},
		"an address with a NUL": {create("-name", "A", "-email", "a\x00"), false, "email: must be valid UTF-8 without NUL"},
		"the memory store":      {[]string{"users", "list", "-email", "a", "-db", "memory"}, true, "-db memory keeps nothing"},
		"a missing file":        {[]string{"users", "list", "-email", "a", "-db", filepath.Join(t.TempDir(), "none.db")}, true, "start a server on it once to create it"},
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
