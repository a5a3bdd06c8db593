package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/mirror"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/sqlite"
)

// get returns the status and the body of a reply.
func get(t *testing.T, address string) (code int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, strings.TrimSpace(string(content))
}

// newSchema returns the URL of a PostgreSQL database with an empty schema, and a connection to
// it.
func newSchema(t *testing.T) (db string, connection *pgx.Conn) {
	t.Helper()
	server := os.Getenv("APGUARD_TEST_POSTGRES")
	if server == "" {
		t.Skip("set APGUARD_TEST_POSTGRES to the URL of a PostgreSQL database, such as postgres://postgres@127.0.0.1/test")
	}
	address, err := url.Parse(server)
	require.NoError(t, err)
	schema := fmt.Sprintf("apguard_mirror_%d", rand.Uint64())
	query := address.Query()
	query.Set("search_path", schema)
	address.RawQuery = query.Encode()
	connection, err = pgx.Connect(t.Context(), address.String())
	require.NoError(t, err)
	_, err = connection.Exec(t.Context(), "CREATE SCHEMA "+schema)
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := connection.Exec(context.Background(), "DROP SCHEMA "+schema+" CASCADE")
		require.NoError(t, errors.Join(err, connection.Close(context.Background())))
	})
	return address.String(), connection
}

func TestRun(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		db := filepath.Join(t.TempDir(), "assets?mode=memory.db")
		store, err := sqlite.Open(t.Context(), db, sqlite.Options{})
		require.NoError(t, err)
		follows(t, store, noEnvironment, "-db", db)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		db, _ := newSchema(t)
		store, err := postgres.Open(t.Context(), db, postgres.Options{})
		require.NoError(t, err)
		follows(t, store, noEnvironment, "-db", db)
	})
	t.Run("server", func(t *testing.T) {
		t.Parallel()
		store := memory.New()
		file := filepath.Join(t.TempDir(), "key")
		require.NoError(t, os.WriteFile(file, []byte(testKey+"\n"), 0o600))
		follows(t, store, variables(map[string]string{"APGUARD_KEY_FILE": file}), "-from", newServer(t, store))
	})
}

const testKey = "apg_mirror_secret"

// newServer returns the base URL of a server on the store, to which it adds the key.
func newServer(t *testing.T, store storage.Store) string {
	t.Helper()
	require.NoError(t, store.Import(t.Context(), storage.Seed{
		Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme", Name: "Acme"}},
		Keys:          []storage.SeedKey{{Key: testKey, Organization: "acme", Scopes: []account.Scope{account.ScopeChangelog}}},
	}))
	guard := apguard.New(store, apguard.Options{})
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{})
	require.NoError(t, err)
	server := httptest.NewServer(http.StripPrefix("/api/v2", api))
	t.Cleanup(server.Close)
	return server.URL + "/api/v2"
}

// variables are environment variables.
func variables(values map[string]string) environment {
	return func(name string) (string, bool) {
		value, found := values[name]
		return value, found
	}
}

func noEnvironment(string) (string, bool) { return "", false }

// Another program blocks and unblocks in the store, and the mirror answers.
func follows(t *testing.T, store storage.Store, env environment, args ...string) {
	t.Helper()
	defer func() { require.NoError(t, store.Close()) }()
	guard := apguard.New(store, apguard.Options{})
	set := func(content string, status asset.Status) {
		_, err := guard.SetStatus(t.Context(), content, status, asset.Origin{})
		require.NoError(t, err)
	}
	set("bad.example.com", asset.StatusBlocked)

	ctx, stop := context.WithCancel(t.Context())
	go func() { _ = guard.Run(ctx) }() // as the other program does
	require.NoError(t, guard.Feed.Publish(ctx))
	reader, log := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), env, log)
		_ = log.Close()
	}()
	lines := bufio.NewScanner(reader)
	require.True(t, lines.Scan())
	_, address, found := strings.Cut(lines.Text(), "address=")
	require.True(t, found, lines.Text())
	require.True(t, lines.Scan())
	require.Contains(t, lines.Text(), "the mirror is filled")
	go func() { _, _ = io.Copy(io.Discard, reader) }()

	check := func(content string) (int, string) {
		return get(t, "http://"+address+"/check?content="+url.QueryEscape(content))
	}
	code, body := check("https://login.bad.example.com/x?y")
	require.Equal(t, http.StatusOK, code)
	require.JSONEq(t, `{"content":"https://login.bad.example.com/x?y","status":"BLOCKED",
		"by":{"kind":"DOMAIN","type":"PAGE","content":"bad.example.com"}}`, body)
	code, body = check("https://good.example.com")
	require.Equal(t, http.StatusOK, code)
	require.JSONEq(t, `{"content":"https://good.example.com","status":"UNKNOWN","by":null}`, body)
	code, body = check("no asset")
	require.Equal(t, http.StatusBadRequest, code)
	require.Contains(t, body, "inner white space")

	set("bad.example.com", asset.StatusUnknown)
	require.Eventually(t, func() bool {
		_, body := check("https://bad.example.com")
		return strings.Contains(body, `"UNKNOWN"`)
	}, time.Minute, 10*time.Millisecond, "the mirror follows")
	code, body = get(t, "http://"+address+"/health")
	require.Equal(t, http.StatusOK, code)
	require.Contains(t, body, `{"filled":true,"assets":0,"ageSeconds":`)

	stop()
	require.NoError(t, <-ended)
}

func TestHandler_notFilled(t *testing.T) {
	t.Parallel()
	handler := newHandler(new(mirror.Mirror), newCounts())
	reply := httptest.NewRecorder()
	handler.ServeHTTP(reply, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/check?content=example.com", nil))
	require.Equal(t, http.StatusServiceUnavailable, reply.Code)
	require.Equal(t, mirror.ErrNotFilled.Error()+"\n", reply.Body.String())

	reply = httptest.NewRecorder()
	handler.ServeHTTP(reply, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/health", nil))
	require.Equal(t, http.StatusServiceUnavailable, reply.Code)
	require.JSONEq(t, `{"filled":false,"assets":0}`, reply.Body.String())
}

// Everybody who can ask for the health would see the user and the host of the database.
func TestHandler_storeError(t *testing.T) {
	t.Parallel()
	failed := make(chan error, 1)
	store := memory.New()
	require.NoError(t, store.Close()) // so that reading it fails
	source := mirror.FromServices(asset.NewService(store, asset.Options{}), asset.NewFeedService(store))
	m := mirror.New(source, mirror.Options{
		Report: func(event mirror.Event) { failed <- event.Err },
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	require.Error(t, <-failed)
	reply := httptest.NewRecorder()
	newHandler(m, newCounts()).ServeHTTP(reply, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/health", nil))
	require.Equal(t, http.StatusServiceUnavailable, reply.Code)
	require.JSONEq(t, `{"filled":false,"assets":0,"error":"the origin cannot be read"}`, reply.Body.String())
	stop()
	require.ErrorIs(t, <-ended, context.Canceled)
}

// The address is not that of the operators' API, so that both can run as they are documented.
func TestRun_address(t *testing.T) {
	t.Parallel()
	var help strings.Builder
	require.ErrorIs(t, run(t.Context(), []string{"-h"}, noEnvironment, &help), flag.ErrHelp)
	found := regexp.MustCompile(`default "(127\.0\.0\.1:\d+)"`).FindStringSubmatch(help.String())
	require.NotNil(t, found, help.String())
	for file, want := range map[string]bool{"main.go": true, "../README.md": true, "../../README.md": false, "../../SECURITY.md": false} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, want, strings.Contains(string(text), found[1]), file)
	}
}

func TestRun_errors(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "assets.db")
	store, err := sqlite.Open(t.Context(), db, sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	empty := filepath.Join(t.TempDir(), "empty.db")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	for reason, c := range map[string]struct {
		args []string
		want string
	}{
		"unknown flag":                  {[]string{"-port", "80"}, "not defined: -port"},
		"no such database":              {[]string{"-db", db + "x"}, "no such file or directory (start a server on the database once"},
		"a database of another program": {[]string{"-db", empty}, "(start a server on the database once"},
		"taken address":                 {[]string{"-db", db, "-addr", taken.Addr().String()}, "address already in use"},
		"taken address for metrics":     {[]string{"-db", db, "-addr", "127.0.0.1:0", "-metrics", taken.Addr().String()}, "address already in use"},
		"unreachable":                   {[]string{"-db", "postgres://ada@127.0.0.1:1/x?sslmode=disable"}, "connection refused"},
		"malformed URL":                 {[]string{"-db", "postgres://ada:secret@127.0.0.1:x/x"}, "-db: postgres: open: malformed connection string"},
	} {
		err := run(t.Context(), append([]string{"-addr", "nowhere"}, c.args...), noEnvironment, io.Discard) // so that none serves
		require.ErrorContains(t, err, c.want, reason)
		require.NotContains(t, err.Error(), "secret", reason)
	}
	for reason, c := range map[string]struct {
		args []string
		env  map[string]string
		want string
	}{
		"no key":              {[]string{"-from", "https://example.com"}, nil, "-from: set APGUARD_KEY"},
		"empty key":           {[]string{"-from", "https://example.com"}, map[string]string{"APGUARD_KEY": ""}, "-from: set APGUARD_KEY"},
		"two keys":            {[]string{"-from", "https://example.com"}, map[string]string{"APGUARD_KEY": "secret", "APGUARD_KEY_FILE": "secret"}, "set only one of"},
		"no file":             {[]string{"-from", "https://example.com"}, map[string]string{"APGUARD_KEY_FILE": "secret"}, "APGUARD_KEY_FILE: the file cannot be read"},
		"invalid key":         {[]string{"-from", "https://example.com"}, map[string]string{"APGUARD_KEY": "secret key"}, "-from: key must consist"},
		"a password in it":    {[]string{"-from", "https://ada:secret@example.com"}, map[string]string{"APGUARD_KEY": "apg_x"}, "-from: base URL must not contain"},
		"database and server": {[]string{"-from", "https://example.com", "-db", db}, nil, "must not be given together"},
	} {
		err := run(t.Context(), append([]string{"-addr", "nowhere"}, c.args...), variables(c.env), io.Discard)
		require.ErrorContains(t, err, c.want, reason)
		require.NotContains(t, err.Error(), "secret", reason)
	}
	require.NoFileExists(t, db+"x")
	content, err := os.ReadFile(empty)
	require.NoError(t, err)
	require.Empty(t, content, "the file of another program stays as it is")
}

func TestRun_emptySchema(t *testing.T) {
	t.Parallel()
	db, connection := newSchema(t)
	require.ErrorIs(t, run(t.Context(), []string{"-addr", "nowhere", "-db", db}, noEnvironment, io.Discard), storage.ErrOlderSchema)
	var tables int
	require.NoError(t, connection.QueryRow(t.Context(), "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()").Scan(&tables))
	require.Zero(t, tables)
}
