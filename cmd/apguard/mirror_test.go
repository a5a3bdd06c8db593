package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
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
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/client"
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

// A mirror ends at once if its key or its URL must be changed. A server that does not answer may answer later.
func TestMirror_RefusedByServer(t *testing.T) {
	t.Parallel()
	store := memory.New()
	url := newMirrored(t, store)
	keys := account.NewKeyService(store, account.KeyOptions{})
	require.NoError(t, keys.Put(t.Context(), "apg_other_secret", account.KeyRequest{OrganizationID: 1, Scopes: []account.Scope{account.ScopeCheck}}))
	for reason, test := range map[string]struct{ key, from, want string }{
		"an unknown key":         {"apg_unknown_secret", url, "-from: the server does not know the key, or no longer accepts it"},
		"a key for other things": {"apg_other_secret", url, "-from: the key needs the scope changelog"},
		"a URL without the base": {mirrorKey, strings.TrimSuffix(url, "/api/v2"), "-from: there is no API at this URL; it ends with the base of the API, such as /api/v2"},
	} {
		stdout, stderr, err := runProgram(t, variables("APGUARD_KEY", test.key), onFreePort("mirror", []string{"-from", test.from})...)
		require.EqualError(t, err, test.want, reason)
		require.Empty(t, stdout+stderr, reason)
	}

	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	_, err := mirrorConfig{from: away.URL, key: secret{value: mirrorKey}}.open(t.Context())
	require.NoError(t, err)
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

	c, err := client.New("http://"+address+defaultBase, client.Options{Key: "none"})
	require.NoError(t, err)
	for _, content := range []string{"https://login.bad.example.com/x?y", "https://good.example.com", "no asset"} {
		want, wantErr := guard.Checks.Check(ctx, content)
		got, err := c.Check(ctx, content)
		require.Equal(t, wantErr == nil, err == nil, "%q: %v", content, err)
		if want.Match != nil {
			want.Match.Basis = asset.Basis{Reason: want.Match.Reason} // a mirror has nothing else of it
		}
		require.Equal(t, want, got, "a client that asks a mirror needs nothing else")
	}
	batch, err := c.CheckBatch(ctx, []string{"https://login.bad.example.com", " "})
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, batch[0].Status)
	require.ErrorIs(t, batch[1].Err, classify.ErrContentRequired)
	for _, other := range []call{{path: "/caller/get"}, {path: "/dispute/create", body: `{}`}, {path: "/asset/list"}} {
		code, _ := request(t, "http://"+address+defaultBase, "", other)
		require.Equal(t, http.StatusNotFound, code, "a mirror answers only checks")
	}
	_, header, _ := send(t, http.MethodPost, "http://"+address+defaultBase, "", call{path: "/asset/check", body: `{"content":"a.example.com"}`})
	require.Regexp(t, `^\d+$`, header.Get("Age"))

	set("bad.example.com", asset.StatusUnknown)
	require.Eventually(t, func() bool {
		found, err := c.Check(ctx, "https://bad.example.com")
		return err == nil && found.Status == asset.StatusUnknown
	}, time.Minute, 10*time.Millisecond, "the mirror follows")
	code, body := getText(t, "http://"+address+"/health")
	require.Equal(t, http.StatusOK, code)
	require.Contains(t, body, `{"filled":true,"assets":0,"ageSeconds":`)

	stop()
	require.NoError(t, <-ended)
}

func TestMirrorHandler_notFilled(t *testing.T) {
	t.Parallel()
	handler, err := newMirrorHandler(new(mirror.Mirror), "", newWork())
	require.NoError(t, err)
	reply := httptest.NewRecorder()
	check := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/asset/check", strings.NewReader(`{"content":"example.com"}`))
	check.Header.Set("Content-Type", "application/json")
	handler.ServeHTTP(reply, check)
	require.Equal(t, http.StatusServiceUnavailable, reply.Code)
	require.JSONEq(t, `{"code":"SERVICE_UNAVAILABLE","message":"Service unavailable","issues":[]}`, reply.Body.String())
	require.Empty(t, reply.Header().Values("Age"))

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
		OnEvent: func(event mirror.Event) { failed <- event.Err },
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	require.Error(t, <-failed)
	handler, err := newMirrorHandler(m, "", newWork())
	require.NoError(t, err)
	reply := httptest.NewRecorder()
	handler.ServeHTTP(reply, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/health", nil))
	require.Equal(t, http.StatusServiceUnavailable, reply.Code)
	require.JSONEq(t, `{"filled":false,"assets":0,"error":"the origin cannot be read"}`, reply.Body.String())
	stop()
	require.ErrorIs(t, <-ended, context.Canceled)
}

// The addresses of a server, its operators, its metrics and a mirror differ, so that all run as documented.
func TestMirror_address(t *testing.T) {
	t.Parallel()
	help, _ := mustRun(t, noVariables, "mirror", "-h")
	found := regexp.MustCompile(`default: "(127\.0\.0\.1:\d+)"`).FindStringSubmatch(help)
	require.NotNil(t, found, help)
	security, err := os.ReadFile("../../SECURITY.md")
	require.NoError(t, err)
	require.NotContains(t, string(security), found[1])
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
