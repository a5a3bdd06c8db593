package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The commands of a day are told in their order, by the command line, on both databases.
func TestRunAudit(t *testing.T) {
	t.Parallel()
	for store, db := range emptyDatabases() {
		t.Run(store, func(t *testing.T) {
			t.Parallel()
			db := db(t)
			run := func(command string, args ...string) string {
				t.Helper()
				words := append(strings.Fields(command), "-db", db)
				stdout, _, err := runProgram(t, noVariables, append(words, args...)...)
				require.NoError(t, err, command)
				return stdout
			}
			require.Empty(t, table(run("audit")))
			run("organizations create -slug acme -name Acme -group Sites")
			user := users(t, "create", "-db", db, "-name", "Ada Lovelace", "-email", "ada@acme.example")[0]
			run("keys create -organization acme -scopes check -name laptop")
			first := strings.Fields(table(run("keys list"))[0])[0]
			first = strings.Split(first, "|")[0]
			run("keys rotate", first)
			second := fingerprintBeside(t, table(run("keys list")), first)
			run("keys revoke", second)
			run("webhooks create -url https://receiver.example/hook?token=secret")
			run("webhooks pause", "1")
			list := filepath.Join(t.TempDir(), "list.txt")
			require.NoError(t, os.WriteFile(list, []byte("https://bad.example\n"), 0o600))
			run("import -format lines", list)
			run("import -format lines", list) // changes nothing
			run("erase -email ada@acme.example")

			want := []string{
				"USER|REMOVED|" + strconv.FormatInt(user.ID, 10) + "|-|-|-",
				"IMPORT|LIST_STARTED|-|-|-|format=lines,entries=1,refused=0",
				"WEBHOOK|PAUSED|1|-|-|-",
				"WEBHOOK|CREATED|1|-|-|asset.status_changed",
				"KEY|REVOKED|" + second + "|acme|-|-",
				"KEY|ROTATED|" + first + "|acme|-|" + second,
				"KEY|CREATED|" + first + "|acme|-|check",
				"USER|CREATED|" + strconv.FormatInt(user.ID, 10) + "|-|-|-",
				"ORGANIZATION|CREATED|acme|-|-|-",
				"GROUP|CREATED|1|acme|-|-",
			}
			printed := run("audit")
			require.Regexp(t, `^ID +TIME +BY +KIND +ACTION +SUBJECT +ORGANIZATION +USER +DETAIL\n`, printed)
			rows := table(printed)
			got := make([]string, 0, len(rows))
			for _, row := range rows {
				columns := strings.SplitN(row, "|", 4)
				require.Regexp(t, `^\d+$`, columns[0])
				require.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`, columns[1])
				require.Equal(t, "command-line", columns[2])
				got = append(got, columns[3])
			}
			require.Equal(t, want, got)
			for _, text := range []string{"Ada", "@", "laptop", "token", "apg_", "whsec_"} {
				require.NotContains(t, printed, text)
			}
			require.Len(t, table(run("audit -limit 2")), 2)
			require.Len(t, table(run("audit -limit 0 -kind KEY")), 3)
			require.Empty(t, table(run("audit -user 7")))
		})
	}
}

// fingerprintBeside returns the fingerprint of the only other key in a table.
func fingerprintBeside(t *testing.T, rows []string, known string) string {
	t.Helper()
	require.Len(t, rows, 2)
	for _, row := range rows {
		if fingerprint, _, _ := strings.Cut(row, "|"); fingerprint != known {
			return fingerprint
		}
	}
	t.Fatal("no other key")
	return ""
}

func TestRunAudit_invalid(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	for reason, args := range map[string][]string{
		"an unknown kind":        {"-kind", "key"},
		"an invalid user":        {"-user", "-1"},
		"a negative limit":       {"-limit", "-1"},
		"an unexpected argument": {"7"},
	} {
		_, _, err := runProgram(t, noVariables, append([]string{"audit", "-db", db}, args...)...)
		require.ErrorAs(t, err, new(usageError), reason)
	}
}

// Filling a database from a seed is recorded. An empty database has no entries.
func TestRunAudit_seed(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "a.db")
	seed := filepath.Join(t.TempDir(), "seed.json")
	require.NoError(t, os.WriteFile(seed, []byte(`{"users":[{"id":1,"fullName":"Ada"}]}`), 0o600))
	require.NoError(t, start(t, "-db", db).stop())
	require.NoError(t, start(t, "-db", db, "-seed", seed).stop())
	printed, _, err := runProgram(t, noVariables, "audit", "-db", db)
	require.NoError(t, err)
	rows := table(printed)
	require.Len(t, rows, 1)
	require.Contains(t, rows[0], "|command-line|IMPORT|SEEDED|")
}
