package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// team is a team of three people whose days have the command line alone.
type team struct {
	t  *testing.T
	db string
	// public and operators are the base URLs of a server, or empty for the database.
	public, operators string
	// users has the IDs of users by their names, and keys the names of files with their keys.
	users, keys map[string]string
	transcript  strings.Builder
}

// as runs a command of a person, which ends with the error. It returns the standard output.
func (d *team) as(person, wrong string, args ...string) string {
	d.t.Helper()
	command := strings.Join(args, " ")
	var o operation
	for _, one := range operations() {
		if strings.HasPrefix(command, one.name+" ") || command == one.name {
			o = one
		}
	}
	require.NotEmpty(d.t, o.name, command)
	switch {
	case d.public == "":
		args = append(args, "-db", d.db)
		if o.acts() {
			args = append(args, "-as", d.users[person])
		}
		if o.hasOrganization() {
			args = append(args, "-organization", "acme")
		}
	case o.operators:
		args = append(args, "-server", d.operators, "-key-file", d.keys[person])
	default:
		args = append(args, "-server", d.public, "-key-file", d.keys[person])
	}
	stdout, stderr, err := runProgram(d.t, noVariables, args...)
	if wrong == "" {
		require.NoError(d.t, err, command)
	} else {
		require.ErrorContains(d.t, err, wrong, command)
	}
	fmt.Fprintf(&d.transcript, "%s: %s\n%s%s%v (%d)\n", person, command, stdout, stderr, err, exitStatus(err))
	return stdout
}

// text returns the transcript without times, fingerprints and the random IDs of users.
func (d *team) text() string {
	text := regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`).ReplaceAllString(d.transcript.String(), "TIME")
	text = regexp.MustCompile(`,key:[0-9a-f]{12}|\b[0-9a-f]{12}\b`).ReplaceAllString(text, "")
	for name, id := range d.users {
		text = strings.ReplaceAll(text, id, name)
	}
	return regexp.MustCompile(` +`).ReplaceAllString(text, " ")
}

// newTeam creates the organization, the users and their keys, in a new database that a server has created.
func newTeam(t *testing.T, remote bool) *team {
	t.Helper()
	d := &team{t: t, db: filepath.Join(t.TempDir(), "team.db"), users: make(map[string]string), keys: make(map[string]string)}
	s := start(t, "-db", d.db, "-operator", "127.0.0.1:0")
	if remote {
		d.public, d.operators = s.url, operatorsOn.FindStringSubmatch(s.printed)[1]
	}
	mustRun(t, noVariables, "organizations", "create", "-db", d.db, "-slug", "acme", "-name", "Acme")
	for _, person := range []string{"Ada", "Bea", "Cyd"} {
		d.users[person] = createUser(t, d.db, "-name", person)
		key := keyring{t, d.db}.create("-scopes", "dispute,allowlist,reports,report:write,check,changelog,operator:read,operator:write,operator:admin",
			"-organization", "acme", "-user", d.users[person])
		d.keys[person] = filepath.Join(t.TempDir(), person)
		require.NoError(t, os.WriteFile(d.keys[person], []byte(key+"\n"), 0o600))
	}
	return d
}

// run runs the day with a file of 2,500 links. It returns the transcript.
func (d *team) run(links string) string {
	t := d.t
	// Ada blocks a list of links with one command. Bea makes a mistake, and sees why it is one.
	d.as("Ada", "", "status", "set", "-status", "BLOCKED", "-reason", "PHISHING", "-reference", "case 7", "-file", links)
	require.Equal(t, 1, strings.Count(d.transcript.String(), "changed: 2500, unchanged: 0, refused: 0"))
	d.as("Bea", "1 of 2 contents were refused", "status", "set", "-status", "BLOCKED", "google.com", "evil-shop.com")
	require.Contains(t, d.transcript.String(), "refused: google.com: -confirm-protected must be true to block it: google.com is a popular host")
	d.as("Bea", "", "status", "set", "-status", "BLOCKED", "-confirm-protected", "google.com")
	d.as("Bea", "blocked", "check", "https://google.com/search", "https://login-2499.evil-bank.com/start", "https://fine-shop.com")
	d.as("Bea", "", "status", "withdraw", "google.com", "-reference", "my mistake")
	d.as("Bea", "", "check", "https://google.com/search")
	d.as("Ada", "", "status", "history", "google.com")

	// An act is undone as a whole, but not what another person has decided since.
	act := filepath.Join(filepath.Dir(links), "act.jsonl")
	made := d.as("Bea", "", "status", "set", "-status", "BLOCKED", "-reason", "SCAM", "-json", "one.test-shop.com", "two.test-shop.com")
	require.NoError(t, os.WriteFile(act, []byte(made), 0o600))
	d.as("Ada", "", "status", "set-one", "-status", "BLOCKED", "-note", "It is a scam indeed.", "two.test-shop.com")
	d.as("Bea", "1 of 2 contents were refused", "status", "undo", act)
	require.Contains(t, d.transcript.String(), "refused: two.test-shop.com: Changed in the meantime")
	d.as("Ada", "", "figures")

	// Cyd reports a site, and Ada reviews the report.
	d.as("Cyd", "", "report", "create", "-proposed-status", "BLOCKED", "-title", "A fake shop", "fake-shop.com")
	d.as("Ada", "", "report", "list", "-oldest-first")
	require.Contains(t, d.as("Ada", "", "report", "get", "1"), "proposals.1.content: fake-shop.com\n")
	d.as("Ada", "", "report", "review", "1", "-review-status", "APPROVE", "-if-review", "0", "-comment", "seen")
	d.as("Bea", "Changed in the meantime", "report", "review", "1", "-review-status", "REJECT", "-if-review", "0")
	d.as("Ada", "", "report", "backlog")

	// The owner of a shop disputes, Bea takes it up and resolves it.
	d.as("Cyd", "", "dispute", "create", "evil-shop.com", "-email", "owner@evil-shop.com", "-description", "It is my shop.")
	d.as("Bea", "", "dispute", "list", "-states", "OPEN")
	d.as("Bea", "", "dispute", "start-review", "1")
	d.as("Bea", "", "dispute", "add-note", "1", "-text", "called the owner")
	d.as("Bea", "", "dispute", "resolve", "1", "-state", "ACCEPTED", "-asset-status", "UNKNOWN", "-reason", "It is a shop.")
	d.as("Cyd", "", "dispute", "status", "1")
	d.as("Cyd", "", "check", "evil-shop.com")

	// Cyd vouches for a site of the organization. Everybody sees what each person has decided, and who administered what.
	d.as("Cyd", "", "allowlist", "add", "https://acme-shop.com")
	d.as("Cyd", "", "allowlist", "list")
	d.as("Ada", "", "organizations", "list")
	d.as("Ada", "", "organizations", "rename", organizationID(d.transcript.String()), "-name", "Acme Inc.")
	d.as("Ada", "", "status", "changes", "-under", "evil-bank.com", "-limit", "3")
	decided := map[string]int{"Ada": 2501, "Bea": 7, "Cyd": 0}
	for _, person := range slices.Sorted(maps.Keys(decided)) {
		printed := d.as("Ada", "", "status", "decisions", "-user-id", d.users[person], "-json")
		require.Equal(t, decided[person], strings.Count(printed, "\n"), person)
	}
	require.Contains(t, d.as("Ada", "", "audit", "-limit", "1"), "CHANGED")
	return d.text()
}

// organizationID returns the ID of the first organization of a table.
func organizationID(text string) string {
	return regexp.MustCompile(`(?m)^(\d+) +acme `).FindStringSubmatch(text)[1]
}

// A team of three works for a day with the command line alone, with a database and with a server. Both print the same.
func TestTeamDay(t *testing.T) {
	t.Parallel()
	links := filepath.Join(t.TempDir(), "links.txt")
	var lines strings.Builder
	for i := range 2500 {
		fmt.Fprintf(&lines, "https://login-%d.evil-bank.com/start\n", i)
	}
	require.NoError(t, os.WriteFile(links, []byte(lines.String()), 0o600))
	local := newTeam(t, false).run(links)
	remote := newTeam(t, true).run(links)
	ids := regexp.MustCompile(`\b\d{10,}\b`)
	require.Equal(t, ids.ReplaceAllString(local, "ID"), ids.ReplaceAllString(remote, "ID"))
}
