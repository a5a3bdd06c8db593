package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

// server is a running server.
type server struct {
	// url is the base URL of the operations, and printed the output up to it.
	url     string
	printed string
	stop    func() error
	// logged returns the log until now. It is nil for a separate process.
	logged func() string
}

// start serves on a free port and waits until the server listens. It stops at the end of the test.
func start(t *testing.T, args ...string) server {
	t.Helper()
	return startIn(t, noVariables, args...)
}

// startIn is start with an environment.
func startIn(t *testing.T, env environment, args ...string) server {
	t.Helper()
	return startRun(t, func(ctx context.Context, stdout, stderr io.Writer) error {
		return program{env, nil, stdout, stderr}.run(ctx, onFreePort("serve", args))
	})
}

// startDemo is start for a demo.
func startDemo(t *testing.T, env environment, args ...string) server {
	t.Helper()
	return startRun(t, func(ctx context.Context, stdout, stderr io.Writer) error {
		return program{env, nil, stdout, stderr}.run(ctx, append(onFreePort("demo", args), "-operator", "127.0.0.1:0"))
	})
}

// keyOf returns the key of the organization that a demo has printed.
func keyOf(t *testing.T, s server) string {
	t.Helper()
	key := exportKey.FindStringSubmatch(s.printed)
	require.NotNil(t, key, s.printed)
	return key[1]
}

// startWith is start with a change of the configuration that has no flag.
func startWith(t *testing.T, change func(*config), args ...string) server {
	t.Helper()
	return startRun(t, func(ctx context.Context, stdout, stderr io.Writer) error {
		serve := program{env: noVariables}.serveWith(func(ctx context.Context, c config) error {
			change(&c)
			return runServer(ctx, c, stdout, stderr)
		})
		return serve.Run(ctx, onFreePort("serve", args))
	})
}

// configOf returns the configuration of a server with these flags.
func configOf(t *testing.T, flags ...string) (c config) {
	t.Helper()
	serve := program{env: noVariables}.serveWith(func(_ context.Context, parsed config) error {
		c = parsed
		return nil
	})
	require.NoError(t, serve.Run(t.Context(), append([]string{"serve"}, flags...)))
	return c
}

// noVariables is an environment without variables.
func noVariables(string) (string, bool) { return "", false }

// variables returns an environment with names and values in turn.
func variables(pairs ...string) environment {
	return func(name string) (string, bool) {
		for pair := range slices.Chunk(pairs, 2) {
			if pair[0] == name {
				return pair[1], true
			}
		}
		return "", false
	}
}

// runProgram runs the program to its end. If it starts a server, that stops after a minute.
func runProgram(t *testing.T, env environment, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	err = program{env, strings.NewReader(""), &out, &errs}.run(ctx, args)
	return out.String(), errs.String(), err
}

// mustRun is runProgram for a command that succeeds.
func mustRun(t *testing.T, env environment, args ...string) (stdout, stderr string) {
	t.Helper()
	stdout, stderr, err := runProgram(t, env, args...)
	require.NoError(t, err, args)
	return stdout, stderr
}

// onFreePort returns the arguments of a command that listens on a free port.
func onFreePort(command string, args []string) []string {
	return append([]string{command, "-addr", "127.0.0.1:0"}, args...)
}

func startRun(t *testing.T, run func(ctx context.Context, stdout, stderr io.Writer) error) server {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	done := make(chan error, 1)
	var stderr lockedBuffer
	go func() {
		err := run(ctx, in, &stderr)
		in.CloseWithError(errors.Join(err, io.EOF))
		done <- err
	}()
	s := server{logged: stderr.String, stop: sync.OnceValue(func() error {
		cancel()
		return <-done
	})}
	t.Cleanup(func() { require.NoError(t, s.stop(), stderr.String()) })
	s.printed, s.url = readUntilListening(t, out)
	return s
}

// lockedBuffer is a buffer that can be read while it is written.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

// Write implements io.Writer.
func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(text)
}

// String returns the text until now.
func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

// readUntilListening returns the output of a server up to its base URL, and that URL.
func readUntilListening(tb testing.TB, out io.Reader) (printed, url string) {
	tb.Helper()
	var text strings.Builder
	buffer := make([]byte, 4096)
	for {
		n, err := out.Read(buffer)
		text.Write(buffer[:n])
		if line := listening.FindStringSubmatch(text.String()); line != nil {
			return text.String(), line[1]
		}
		require.NoError(tb, err, "the server stopped; it printed:\n%s", text.String())
	}
}

var (
	listening      = regexp.MustCompile(`(?m)^listening on (http://\S+)\n`)
	exportKey      = regexp.MustCompile(`(?m)^export KEY=(apg_\w+)$`)
	exportURL      = regexp.MustCompile(`(?m)^export APGUARD=(\S+)$`)
	exportOperator = regexp.MustCompile(`(?m)^export OPERATOR=(\S+)\nexport OPERATOR_KEY=(apg_\w+)$`)
)

// request sends a call and returns the status and body of the reply.
func request(t *testing.T, url, key string, c call) (int, string) {
	t.Helper()
	method := http.MethodGet
	if c.body != "" {
		method = http.MethodPost
	}
	status, _, body := send(t, method, url, key, c)
	return status, body
}

// send sends a call with any method and returns the reply.
func send(t *testing.T, method, url, key string, c call) (status int, header http.Header, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url+c.path, strings.NewReader(c.body))
	require.NoError(t, err)
	req.Header.Set("X-API-KEY", key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close() //nolint:errcheck // it is only read
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, resp.Header, string(text)
}

const seed = `{
	"organizations": [{"id": 7, "slug": "globex", "name": "Globex", "groups": [{"id": 70, "name": "Sites"}]}],
	"users": [{"id": 5, "fullName": "Bob", "email": "bob@globex.example", "automation": false}],
	"keys": [{"key": "apg_globex", "organization": "globex", "user": 5, "scopes": ["changelog", "allowlist"]}],
	"assets": [{"content": "https://bad.example", "status": "BLOCKED", "changedAt": "2025-01-05T10:00:00Z"}]
}`

func writeFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "seed.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// postgresSchema returns the URL of a PostgreSQL database with a new schema, which is
// dropped at the end of the test.
func postgresSchema(tb testing.TB) string {
	tb.Helper()
	server := os.Getenv("APGUARD_TEST_POSTGRES")
	if server == "" {
		tb.Skip("set APGUARD_TEST_POSTGRES to the URL of a PostgreSQL database, such as postgres://postgres@127.0.0.1/test")
	}
	connection, err := pgx.Connect(tb.Context(), server)
	require.NoError(tb, err)
	schema := fmt.Sprintf("apguard_server_%d", rand.Uint64())
	_, err = connection.Exec(tb.Context(), "CREATE SCHEMA "+schema)
	require.NoError(tb, err)
	tb.Cleanup(func() {
		_, err := connection.Exec(context.Background(), "DROP SCHEMA "+schema+" CASCADE")
		// PostgreSQL may still be running a statement of a server that was killed.
		for deadlock := new(pgconn.PgError); errors.As(err, &deadlock) && deadlock.Code == "40P01"; {
			_, err = connection.Exec(context.Background(), "DROP SCHEMA "+schema+" CASCADE")
		}
		require.NoError(tb, errors.Join(err, connection.Close(context.Background())))
	})
	address, err := url.Parse(server)
	require.NoError(tb, err)
	query := address.Query()
	query.Set("search_path", schema)
	address.RawQuery = query.Encode()
	return address.String()
}

// entry is one entry of a changelog reply.
type entry struct {
	Type     string `json:"type"`
	Content  string `json:"content"`
	ToStatus string `json:"toStatus"`
}

// changelog returns the whole changelog by content. It fails if a content occurs twice.
func changelog(t *testing.T, url string) map[string]entry {
	t.Helper()
	status, body := request(t, url, "apg_globex", call{path: "/asset/changelog", body: `{}`})
	require.Equal(t, http.StatusOK, status, body)
	var reply struct {
		Changelog []entry `json:"changelog"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &reply))
	found := make(map[string]entry, len(reply.Changelog))
	for _, e := range reply.Changelog {
		found[e.Content] = e
	}
	require.Len(t, found, len(reply.Changelog), "every content is unique")
	return found
}

// newDatabase returns an empty database.
func newDatabase(t *testing.T) (db string) {
	t.Helper()
	db = filepath.Join(t.TempDir(), "a.db")
	require.NoError(t, start(t, "-db", db).stop())
	return db
}

// emptyDatabases has a function for each kind of database, which returns a new one that a server has
// created.
func emptyDatabases() map[string]func(t *testing.T) string {
	return map[string]func(t *testing.T) string{"SQLite": newDatabase, "PostgreSQL": func(t *testing.T) string {
		t.Helper()
		db := postgresSchema(t)
		require.NoError(t, start(t, "-db", db).stop())
		return db
	}}
}
