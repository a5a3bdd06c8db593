package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// served is a server on a database with the organization globex, and a user.
type served struct {
	db, public, operators, user string
	// key has all scopes and a user.
	key environment
}

func startServed(t *testing.T) served {
	t.Helper()
	s := served{db: filepath.Join(t.TempDir(), "served.db")}
	running := start(t, "-db", s.db, "-operator", "127.0.0.1:0", "-seed", writeFile(t, seed))
	s.public, s.operators = running.url, operatorsOn.FindStringSubmatch(running.printed)[1]
	s.user = createUser(t, s.db, "-name", "Olga")
	scopes := "changelog,dispute,allowlist,reports,report:write,check,operator:read,operator:write,operator:admin"
	s.key = variables("APGUARD_KEY", keyring{t, s.db}.create("-scopes", scopes, "-organization", "globex", "-user", s.user))
	return s
}

// An error says what is wrong in a sentence, and never shows a key.
func TestOperation_Errors(t *testing.T) {
	t.Parallel()
	s := startServed(t)
	reader := variables("APGUARD_KEY", keyring{t, s.db}.create("-scopes", "operator:read"))
	unknown := variables("APGUARD_KEY", "apg_unknown_secret")
	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "\x1b[31m<html>") }))
	t.Cleanup(elsewhere.Close)
	deactivated := createUser(t, s.db, "-name", "Gone")
	mustRun(t, noVariables, "users", "deactivate", deactivated, "-db", s.db)
	block := []string{"status", "set", "-status", "BLOCKED", "evil.com"}
	for reason, c := range map[string]struct {
		env    environment
		args   []string
		status int
		want   string
	}{
		"no server":              {s.key, append(block, "-server", away.URL), exitFailure, "status set: the server cannot be reached: "},
		"not the API":            {s.key, append(block, "-server", elsewhere.URL), exitFailure, "status set: the response of the server cannot be used: "},
		"wrong base":             {s.key, append(block, "-server", s.public), exitFailure, "status set: No such operation"},
		"no key":                 {noVariables, append(block, "-server", s.operators), exitUsage, "status set: -server: set APGUARD_KEY to the key"},
		"no key file":            {noVariables, append(block, "-server", s.operators, "-key-file", "none"), exitUsage, "the file cannot be read"},
		"unknown key":            {unknown, append(block, "-server", s.operators), exitFailure, "status set: the server refuses the key: it is unknown, expired or revoked, or lacks a scope, see operator-caller"},
		"missing scope":          {reader, append(block, "-server", s.operators), exitFailure, "status set: the key lacks a scope, a user or an organization, see operator-caller: Insufficient access"},
		"invalid value":          {s.key, []string{"status", "set", "-status", "BAD", "evil.com", "-note", "a\x1bb", "-server", s.operators}, exitUsage, "status set: invalid input: -note must have no line breaks or other control characters"},
		"invalid URL":            {s.key, append(block, "-server", "operators"), exitUsage, "status set: -server: base URL must begin with https:// or http://"},
		"a password in the URL":  {s.key, append(block, "-server", "http://a:secret@b"), exitUsage, "status set: -server: base URL must not contain a user or a password"},
		"two places":             {s.key, append(block, "-server", s.operators, "-db", s.db), exitUsage, "status set: -server must not be given with -db"},
		"nobody":                 {noVariables, append(block, "-db", s.db), exitUsage, "status set: -as must be the ID of the user who acts, as users list shows it"},
		"an unknown user":        {noVariables, append(block, "-db", s.db, "-as", "9"), exitFailure, "-as: unknown user 9; users create creates one"},
		"a deactivated user":     {noVariables, append(block, "-db", s.db, "-as", deactivated), exitFailure, "is deactivated"},
		"no organization":        {noVariables, []string{"allowlist", "list", "-db", s.db}, exitUsage, "allowlist list: -organization must be the slug"},
		"an unknown one":         {noVariables, []string{"allowlist", "list", "-db", s.db, "-organization", "x"}, exitFailure, `-organization: unknown organization "x"`},
		"a key for a database":   {s.key, append(block, "-db", s.db, "-as", s.user, "-key-file", "x"), exitUsage, "-key-file must not be given without -server"},
		"missing flag":           {noVariables, []string{"status", "set", "evil.com", "-db", s.db}, exitUsage, "status set: missing flag -status: STATUS: BLOCKED, ALLOWED or UNKNOWN"},
		"missing argument":       {noVariables, []string{"dispute", "get", "-db", s.db}, exitUsage, "dispute get: missing argument; give one ID"},
		"two arguments":          {noVariables, []string{"dispute", "get", "1", "2", "-db", s.db}, exitUsage, "dispute get: missing argument; give one ID"},
		"a local flag":           {s.key, []string{"users", "list", "-email", "a@b.com", "-server", s.operators}, exitUsage, "users list: -email works only on a database"},
		"negative limit":         {noVariables, []string{"audit", "-limit", "-1", "-db", s.db}, exitUsage, "audit: -limit must not be negative"},
		"nothing found":          {s.key, []string{"dispute", "get", "77", "-server", s.operators}, exitFailure, "dispute get: Dispute not found"},
		"nothing in the process": {noVariables, []string{"dispute", "get", "77", "-db", s.db}, exitFailure, "dispute get: Dispute not found"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, err := runProgram(t, c.env, c.args...)
			require.ErrorContains(t, err, c.want)
			require.Equal(t, c.status, exitStatus(err), err)
			key, _ := c.env("APGUARD_KEY")
			for _, hidden := range []string{"secret", "\x1b", key} {
				require.True(t, hidden == "" || !strings.Contains(stdout+stderr+err.Error(), hidden), "%s %s %s", stdout, stderr, err)
			}
		})
	}
}

// A request with the key of an earlier one has no second effect.
func TestOperation_IdempotencyKey(t *testing.T) {
	t.Parallel()
	s := startServed(t)
	mustRun(t, s.key, "dispute", "create", "https://bad.example", "-email", "a@example.com", "-server", s.public)
	note := []string{"dispute", "add-note", "1", "-text", "once", "-idempotency-key", "mine", "-server", s.operators}
	mustRun(t, s.key, note...)
	mustRun(t, s.key, note...)
	printed, _ := mustRun(t, s.key, "dispute", "get", "1", "-server", s.operators)
	require.Equal(t, 1, strings.Count(printed, "text: once\n"), printed)

	links := filepath.Join(t.TempDir(), "links")
	require.NoError(t, os.WriteFile(links, []byte(numbered("https://site-%d.com\n", 1100)), 0o600))
	add := []string{"allowlist", "add", "-file", links, "-idempotency-key", "all", "-server", s.public}
	first, told := mustRun(t, s.key, add...)
	require.Equal(t, "successCount: 1100, errorCount: 0\n", told)
	again, told := mustRun(t, s.key, add...)
	require.Equal(t, "successCount: 1100, errorCount: 0\n", told, "each request has a key of its own")
	require.Equal(t, first, again)
}

// A command sends a request again that did not reach the server, with the same idempotency key.
func TestOperation_Repeated(t *testing.T) {
	t.Parallel()
	var keys []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		if len(keys) == 1 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_, _ = io.WriteString(w, `{"id":1}`)
	}))
	t.Cleanup(proxy.Close)
	printed, _ := mustRun(t, variables("APGUARD_KEY", "apg_key"), "dispute", "reopen", "1", "-server", proxy.URL)
	require.Equal(t, "id: 1\n", printed)
	require.Len(t, keys, 2)
	require.Equal(t, keys[0], keys[1])
	require.NotEmpty(t, keys[0])
}

// A list is printed up to the limit, and continues from the cursor. Without a limit, all pages are printed.
func TestOperation_Pages(t *testing.T) {
	t.Parallel()
	s := startServed(t)
	links := filepath.Join(t.TempDir(), "links")
	require.NoError(t, os.WriteFile(links, []byte("\n"+numbered("https://site-%d.com\r\n", 1100)), 0o600))
	set, told := mustRun(t, noVariables, "status", "set", "-status", "BLOCKED", "-reference", "case \x1b[31m7", "-file", links, "-db", s.db, "-as", s.user)
	require.Equal(t, 1101, strings.Count(set, "\n"))
	require.Equal(t, "changed: 1100, unchanged: 0, refused: 0, dryRun: false\n", told)

	decisions := []string{"status", "decisions", "-user-id", s.user, "-server", s.operators}
	all, told := mustRun(t, s.key, decisions...)
	require.Equal(t, 1101, strings.Count(all, "\n"))
	require.Contains(t, all, `"case \x1b[31m7"`)
	require.Empty(t, told)
	first, told := mustRun(t, s.key, append(decisions, "-limit", "1050", "-json")...)
	require.Equal(t, 1050, strings.Count(first, "\n"))
	_, cursor, found := strings.Cut(strings.TrimSuffix(told, " continues.\n"), "-cursor ")
	require.True(t, found, told)
	rest, told := mustRun(t, s.key, append(decisions, "-cursor", cursor, "-json")...)
	require.Equal(t, 50, strings.Count(rest, "\n"))
	require.Empty(t, told)
	whole, _ := mustRun(t, noVariables, "status", "decisions", "-user-id", s.user, "-db", s.db, "-json")
	require.Equal(t, whole, first+rest, "a database and a server print the same")

	feed, told := mustRun(t, s.key, "feed", "-server", s.public, "-json")
	require.Equal(t, 1101, strings.Count(feed, "\n"), "the seed has another")
	_, cursor, _ = strings.Cut(strings.TrimSpace(told), "cursor: ")
	feed, told = mustRun(t, s.key, "feed", "-server", s.public, "-cursor", cursor)
	require.Equal(t, 1, strings.Count(feed, "\n"))
	require.Equal(t, "cursor: "+cursor+"\n", told)
	mustRun(t, s.key, "status", "set", "-status", "ALLOWED", "-file", links, "-server", s.operators)
	pruned, _ := mustRun(t, s.key, "prune", "-records", "CHANGES", "-before", time.Now().UTC().Format(time.RFC3339Nano), "-server", s.operators, "-json")
	require.JSONEq(t, `{"removed":1100}`, pruned)
}

// What undo reads is what another command has printed.
func TestOperation_Undo(t *testing.T) {
	t.Parallel()
	s := startServed(t)
	file := filepath.Join(t.TempDir(), "act.jsonl")
	for reason, c := range map[string]struct{ text, want string }{
		"nothing":              {"", "missing content"},
		"only refusals":        {`{"content":"x","error":"no"}`, "missing content"},
		"no JSON":              {"shop.example.com", "line 1 of"},
		"no object":            {`{"content":"a","error":"no"}` + "\n[]", "line 2 of"},
		"an older program":     {`{"content":"a","previous":null}`, "it has no decision"},
		"a dry run":            {`{"content":"shop.example.com","decision":null,"previous":null}`, "it is of a dry run"},
		"what is not recorded": {`{"content":"shop.example.com","decision":{"status":"BLOCKED","since":"2025-01-01T00:00:00Z"},"previous":null}`, "1 of 1 contents were refused"},
	} {
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o600), reason)
		_, _, err := runProgram(t, s.key, "status", "undo", file, "-server", s.operators)
		require.ErrorContains(t, err, c.want, reason)
	}
	act, _ := mustRun(t, s.key, "status", "set-one", "-status", "BLOCKED", "-json", "shop.example.com", "-server", s.operators)
	require.NoError(t, os.WriteFile(file, []byte(act), 0o600))
	_, _, err := runProgram(t, s.key, "check", "shop.example.com", "-server", s.public)
	require.ErrorIs(t, err, errBlocked)
	mustRun(t, s.key, "status", "undo", file, "-server", s.operators)
	mustRun(t, s.key, "check", "shop.example.com", "-server", s.public)
}

// numbered returns n lines.
func numbered(format string, n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, format, i)
	}
	return text.String()
}

// Commands that have files as requests or responses work over HTTP, too.
func TestOperation_Files(t *testing.T) {
	t.Parallel()
	s := startServed(t)
	file := filepath.Join(t.TempDir(), "list.txt")
	require.NoError(t, os.WriteFile(file, []byte("listed.com\n"), 0o600))
	mustRun(t, s.key, "lists", "add", "-name", "mine", "-format", "domains", "-server", s.operators)
	counts, _ := mustRun(t, s.key, "lists", "sync", "-name", "mine", file, "-server", s.operators)
	require.JSONEq(t, `{"added":1,"withdrawn":0,"kept":0,"refused":0,"overruled":0,"protected":0,"examples":null}`, counts)
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, _, err := runProgram(t, s.key, "lists", "sync", "-name", "mine", file, "-server", s.operators)
	require.ErrorContains(t, err, "nothing was changed: The file has no entries.")
	require.Equal(t, exitNegative, exitStatus(err))

	local, _ := mustRun(t, noVariables, "export", "-format", "domains", "-db", s.db)
	mustRun(t, s.key, "export", "-format", "domains", "-o", file, "-server", s.public)
	exported, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, local, string(exported))
	require.Contains(t, local, "listed.com\n")
	hashes, _ := mustRun(t, noVariables, "hashes", "-db", s.db)
	require.NotEmpty(t, hashes)

	key, told := mustRun(t, s.key, "keys", "create", "-scopes", "check", "-expires", "1h", "-organization", "globex", "-server", s.operators)
	require.Regexp(t, `^apg_\w{43}\n$`, key)
	require.Regexp(t, `^The key [0-9a-f]{12} expires at \S+Z\. It is shown only once\.\n$`, told)
	_, _, err = runProgram(t, variables("APGUARD_KEY", strings.TrimSpace(key)), "check", "listed.com", "-server", s.public)
	require.ErrorIs(t, err, errBlocked)
}

// The commands of docs/api.md work on a database, and on a server.
func TestOperation_Page(t *testing.T) {
	t.Parallel()
	s := startServed(t)
	mustRun(t, noVariables, "status", "set", "-as", s.user, "-status", "BLOCKED", "https://evil-shop.com", "-db", s.db)
	blocks := codeBlocks(t, "docs/api.md", "## The program", "sh")
	require.Len(t, blocks, 2)
	links := filepath.Join(t.TempDir(), "links.txt")
	require.NoError(t, os.WriteFile(links, []byte("https://evil-shop.com/start\n"), 0o600))
	for _, block := range blocks {
		for line := range strings.Lines(block) {
			line = strings.NewReplacer("5190287384219437", s.user, "http://127.0.0.1:8081/operator", s.operators,
				"http://127.0.0.1:8080/api/v2", s.public, " -key-file key", "", "links.txt", links).Replace(line)
			args := strings.Fields(strings.TrimPrefix(line, "./apguard "))
			if !strings.Contains(line, "-server") {
				args = append(args, "-db", s.db)
			}
			_, _, err := runProgram(t, s.key, args...)
			require.True(t, err == nil || errors.Is(err, errBlocked), "%s: %v", line, err)
		}
	}
}
