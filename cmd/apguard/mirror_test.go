package main

import (
	"bufio"
	"context"
	"io"
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
)

// getText returns the status and the body of a reply.
func getText(t *testing.T, address string) (code int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close() //nolint:errcheck // it is only read
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, strings.TrimSpace(string(content))
}

func TestMirror(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		db := filepath.Join(t.TempDir(), "a?b #1%.db")
		store, err := openFile(t.Context(), db)
		require.NoError(t, err)
		follows(t, store, noVariables, "-db", db)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		db := postgresSchema(t)
		store, err := postgres.Open(t.Context(), db, postgres.Options{})
		require.NoError(t, err)
		follows(t, store, noVariables, "-db", db)
	})
	t.Run("server", func(t *testing.T) {
		t.Parallel()
		store := memory.New()
		file := filepath.Join(t.TempDir(), "key")
		require.NoError(t, os.WriteFile(file, []byte(mirrorKey+"\n"), 0o600))
		follows(t, store, variables("APGUARD_KEY_FILE", file), "-from", newMirrored(t, store))
	})
}

const mirrorKey = "apg_mirror_secret"

// newMirrored returns the base URL of a server on the store, to which it adds the key.
func newMirrored(t *testing.T, store storage.Store) string {
	t.Helper()
	require.NoError(t, store.Import(t.Context(), storage.Seed{
		Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme", Name: "Acme"}},
		Keys:          []storage.SeedKey{{Key: mirrorKey, Organization: "acme", Scopes: []account.Scope{account.ScopeChangelog}}},
	}))
	guard := apguard.New(store, apguard.Options{})
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{})
	require.NoError(t, err)
	server := httptest.NewServer(http.StripPrefix("/api/v2", api))
	t.Cleanup(server.Close)
	return server.URL + "/api/v2"
}

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
		ended <- program{env, nil, io.Discard, log}.run(ctx, onFreePort("mirror", args))
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
		return getText(t, "http://"+address+"/check?content="+url.QueryEscape(content))
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
	code, body = getText(t, "http://"+address+"/health")
	require.Equal(t, http.StatusOK, code)
	require.Contains(t, body, `{"filled":true,"assets":0,"ageSeconds":`)

	stop()
	require.NoError(t, <-ended)
}

func TestMirrorHandler_notFilled(t *testing.T) {
	t.Parallel()
	handler := newMirrorHandler(new(mirror.Mirror), newMirrorChecks())
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
func TestMirrorHandler_storeError(t *testing.T) {
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
	newMirrorHandler(m, newMirrorChecks()).ServeHTTP(reply, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/health", nil))
	require.Equal(t, http.StatusServiceUnavailable, reply.Code)
	require.JSONEq(t, `{"filled":false,"assets":0,"error":"the origin cannot be read"}`, reply.Body.String())
	stop()
	require.ErrorIs(t, <-ended, context.Canceled)
}

// The addresses of a server, its operators, its metrics and a mirror differ, so that all run as documented.
func TestMirror_address(t *testing.T) {
	t.Parallel()
	help, _, err := runProgram(t, noVariables, "mirror", "-h")
	require.NoError(t, err)
	found := regexp.MustCompile(`default: "(127\.0\.0\.1:\d+)"`).FindStringSubmatch(help)
	require.NotNil(t, found, help)
	security, err := os.ReadFile("../../SECURITY.md")
	require.NoError(t, err)
	require.NotContains(t, string(security), found[1])
}

func TestMirror_errors(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "assets.db")
	store, err := openFile(t.Context(), db)
	require.NoError(t, err)
	require.NoError(t, store.Close())
	empty := filepath.Join(t.TempDir(), "empty.db")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close() //nolint:errcheck // it accepts nothing
	for reason, c := range map[string]struct {
		args []string
		want string
	}{
		"unknown flag":                  {[]string{"-port", "80"}, "not defined: -port"},
		"no such database":              {[]string{"-db", db + "x"}, "no such file or directory; start a server on it once to create it"},
		"a database of another program": {[]string{"-db", empty}, "start this server on the database once"},
		"taken address":                 {[]string{"-db", db, "-addr", taken.Addr().String()}, "address already in use"},
		"taken address for metrics":     {[]string{"-db", db, "-addr", "127.0.0.1:0", "-metrics", taken.Addr().String()}, "address already in use"},
		"unreachable":                   {[]string{"-db", "postgres://ada@127.0.0.1:1/x?sslmode=disable"}, "connection refused"},
		"malformed URL":                 {[]string{"-db", "postgres://ada:secret@127.0.0.1:x/x"}, "-db postgres://...: postgres: open: malformed connection string"},
	} {
		_, _, err := runProgram(t, noVariables, append([]string{"mirror", "-addr", "nowhere"}, c.args...)...) // so that none serves
		require.ErrorContains(t, err, c.want, reason)
		require.NotContains(t, err.Error(), "secret", reason)
	}
	for reason, c := range map[string]struct {
		args []string
		env  environment
		want string
	}{
		"no key":              {[]string{"-from", "https://example.com"}, noVariables, "-from: set APGUARD_KEY"},
		"empty key":           {[]string{"-from", "https://example.com"}, variables("APGUARD_KEY", ""), "APGUARD_KEY must not be empty"},
		"two keys":            {[]string{"-from", "https://example.com"}, variables("APGUARD_KEY", "secret", "APGUARD_KEY_FILE", "secret"), "set only one of"},
		"no file":             {[]string{"-from", "https://example.com"}, variables("APGUARD_KEY_FILE", "secret"), "APGUARD_KEY_FILE: the file cannot be read"},
		"invalid key":         {[]string{"-from", "https://example.com"}, variables("APGUARD_KEY", "secret key"), "-from: key must consist"},
		"a password in it":    {[]string{"-from", "https://ada:secret@example.com"}, variables("APGUARD_KEY", "apg_x"), "-from: base URL must not contain"},
		"database and server": {[]string{"-from", "https://example.com", "-db", db}, noVariables, "must not be given together"},
	} {
		_, _, err := runProgram(t, c.env, append([]string{"mirror", "-addr", "nowhere"}, c.args...)...)
		require.ErrorContains(t, err, c.want, reason)
		require.NotContains(t, err.Error(), "secret", reason)
	}
	require.NoFileExists(t, db+"x")
	content, err := os.ReadFile(empty)
	require.NoError(t, err)
	require.Empty(t, content, "the file of another program stays as it is")
}

func TestMirror_emptySchema(t *testing.T) {
	t.Parallel()
	db := postgresSchema(t)
	_, _, err := runProgram(t, noVariables, "mirror", "-addr", "nowhere", "-db", db)
	require.ErrorIs(t, err, storage.ErrOlderSchema)
	connection, err := pgx.Connect(t.Context(), db)
	require.NoError(t, err)
	defer connection.Close(context.WithoutCancel(t.Context())) //nolint:errcheck // it only read
	var tables int
	require.NoError(t, connection.QueryRow(t.Context(), "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()").Scan(&tables))
	require.Zero(t, tables)
}
