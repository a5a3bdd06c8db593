package main

import (
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// everywhere is an address that is not a loopback address.
const everywhere = "0.0.0.0:0"

var oneChange = call{path: "/asset/changelog", body: "{}"}

func TestIsLoopback(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]bool{
		"127.0.0.1:0": true, "127.9.8.7:0": true, "localhost:0": true, "[::1]:0": true, "[::ffff:127.0.0.1]:0": true,
		"0.0.0.0:0": false, "[::]:0": false, ":0": false,
	} {
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", addr)
		if err != nil && strings.Contains(addr, "::") {
			t.Logf("not tested, as there is no IPv6: %s", addr)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, want, isLoopback(listener), addr)
		require.NoError(t, listener.Close())
	}
}

// A demo that finds data shows no part of a URL, and suggests to remove only its own file.
func TestNewDemo_NotEmpty(t *testing.T) {
	t.Parallel()
	for db, want := range map[database]string{
		{secret{demoDB, sourceDefault}}:                 "Remove demo.db to start again",
		{secret{"customers.db", "-db"}}:                 "Use an empty database to start again",
		{secret{"postgres://ada:secret@host/x", "-db"}}: "Use an empty database to start again",
	} {
		told := newDemo(db, demoURLs{}).ignored
		require.Contains(t, told, want)
		require.NotContains(t, told, "secret")
		require.NotContains(t, told, "customers")
	}
}

// The error names the command that makes it go away. A shell runs it.
func TestRefuseDemoKeys(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		db := filepath.Join(t.TempDir(), "it's a $demo #1.db")
		requireRefused(t, variables(), "-db", db)
	})
	t.Run("SQLite in the environment", func(t *testing.T) {
		t.Parallel()
		requireRefused(t, variables("APGUARD_DB", filepath.Join(t.TempDir(), "a.db")))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		requireRefused(t, variables("APGUARD_DB", postgresSchema(t)))
	})
	t.Run("PostgreSQL in a file", func(t *testing.T) {
		t.Parallel()
		requireRefused(t, variables("APGUARD_DB_FILE", writeFile(t, postgresSchema(t))))
	})
}

func requireRefused(t *testing.T, env environment, db ...string) {
	t.Helper()
	private := startDemo(t, env, db...)
	key, operator := keyOf(t, private), exportOperator.FindStringSubmatch(private.printed)[2]
	// A key that replaces the demo's is a key of the demo too. Others are not.
	rotated, _ := mustRun(t, env, append(append([]string{"keys", "rotate", "-grace", "1h"}, db...), fingerprint(key))...)
	rotated = strings.TrimSpace(rotated)
	mustRun(t, env, append([]string{"organizations", "create", "-slug", "globex", "-name", "Globex"}, db...)...)
	kept := make(map[string]string)
	for organization, name := range map[string]string{"acme": "another name", "globex": demoKeyName} {
		created, _ := mustRun(t, env, append([]string{"keys", "create", "-organization", organization, "-name", name, "-scopes", "all"}, db...)...)
		kept[organization] = strings.TrimSpace(created)
	}
	require.NoError(t, private.stop())

	for i, exposed := range [][]string{
		{"-addr", everywhere},
		{"-addr", "127.0.0.1:0", "-trust-proxy", "127.0.0.1"},
		{"-addr", "127.0.0.1:0", "-operator", everywhere},
	} {
		remaining := 3 - i // one key is revoked at a time
		stdout, _, err := runProgram(t, env, append(append([]string{"serve"}, exposed...), db...)...)
		require.ErrorContains(t, err, "keys of the demo work, so -addr and -operator must be loopback addresses")
		require.Empty(t, stdout, "nothing listens")
		_, commands, found := strings.Cut(err.Error(), "revoke the keys first: ")
		require.True(t, found)
		require.Equal(t, remaining, strings.Count(commands, "apguard keys revoke "), commands)
		named := 0
		for _, one := range []string{key, rotated, operator} {
			named += strings.Count(commands, fingerprint(one))
		}
		require.Equal(t, remaining, named, commands)
		first, _, _ := strings.Cut(commands, " && ")
		runInShell(t, env, first)
	}

	public := startIn(t, env, append([]string{"-addr", everywhere}, db...)...)
	for _, revoked := range []string{key, rotated, operator} {
		status, _ := request(t, public.url, revoked, oneChange)
		require.Equal(t, http.StatusUnauthorized, status)
	}
	for _, key := range kept {
		status, _ := request(t, public.url, key, oneChange)
		require.Equal(t, http.StatusOK, status)
	}
}

// runInShell runs a command line in a shell.
func runInShell(t *testing.T, env environment, command string) {
	t.Helper()
	var variables []string
	for _, name := range []string{"APGUARD_DB", "APGUARD_DB_FILE"} {
		if value, found := env(name); found {
			variables = append(variables, name+"="+value)
		}
	}
	shell(t, t.TempDir(), command, variables...)
}

func TestDatabase_Argument(t *testing.T) {
	t.Parallel()
	for db, want := range map[database]string{
		{secret{"apguard.db", "-db"}}:                     "",
		{secret{"apguard.db", "default database"}}:        "",
		{secret{"/data/apguard.db", "-db"}}:               " -db /data/apguard.db",
		{secret{"it's", "-db"}}:                           ` -db 'it'\''s'`,
		{secret{"a b", "-db"}}:                            " -db 'a b'",
		{secret{"$(id)", "-db"}}:                          " -db '$(id)'",
		{secret{"postgres://ada:secret@host/x", "-db"}}:   " -db URL",
		{secret{"/data/apguard.db", "APGUARD_DB"}}:        "",
		{secret{"postgres://ada:secret@h", "APGUARD_DB"}}: "",
	} {
		require.Equal(t, want, db.argument())
	}
}
