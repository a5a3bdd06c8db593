package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/metrics"
	"github.com/apguard/apguard/publish"
	"github.com/apguard/apguard/publish/manifest"
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
		snapshot := filepath.Join(t.TempDir(), "snapshot")
		follows(t, store, noVariables, "-db", db, "-snapshot", snapshot)
		require.FileExists(t, snapshot)
		store, err = openFile(t.Context(), db)
		require.NoError(t, err)
		follows(t, store, noVariables, "-db", db, "-snapshot", snapshot)
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
	t.Run("folder", func(t *testing.T) {
		t.Parallel()
		store := memory.New()
		address, verifier := newPublished(t, store, lists.JSONLines)
		follows(t, store, noVariables, "-from", address, "-verifier-key", verifier)
	})
}

// newPublished publishes the store before each request for the manifest. It returns the URL of the manifest and the
// verifier key.
func newPublished(t *testing.T, store storage.Store, exports ...lists.Format) (address, verifier string) {
	t.Helper()
	private, err := publish.GenerateKey("lists.example.com")
	require.NoError(t, err)
	key, err := publish.ParseKey(private)
	require.NoError(t, err)
	guard, dir := apguard.New(store, apguard.Options{}), t.TempDir()
	origin := hashes.New(hashes.Options{})
	replica := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{origin}})
	publisher, err := publish.New(publish.Dir(dir), publish.Options{
		Keys: []publish.Key{key}, Hashes: origin, Sync: replica.Refresh, Feed: guard.Feed, Assets: guard.Assets,
		Exports: exports,
	})
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/"+manifest.Name {
			_, err := publisher.Publish(r.Context())
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
		}
		http.FileServer(http.Dir(dir)).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/" + manifest.Name, key.Verifier()
}

// A mirror ends at once if the manifest is not that of the key, or lacks what mirrors need.
func TestMirror_refusedFolder(t *testing.T) {
	t.Parallel()
	store := memory.New()
	address, _ := newPublished(t, store, lists.JSONLines)
	_, other := newPublished(t, store)
	_, stderr, err := runProgram(t, noVariables, onFreePort("mirror", []string{"-from", address, "-verifier-key", other})...)
	require.ErrorContains(t, err, "-from: manifest is not signed with the key of the publisher")
	require.ErrorContains(t, err, "; -verifier-key must be what apguard publish verifier prints")
	require.Empty(t, stderr)

	address, verifier := newPublished(t, store, lists.CSV)
	_, _, err = runProgram(t, noVariables, onFreePort("mirror", []string{"-from", address, "-verifier-key", verifier})...)
	require.ErrorContains(t, err, `-from: export in the format "jsonl": not published`)

	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	_, err = mirrorConfig{from: away.URL + "/manifest.json", verifierKey: verifier}.open(t.Context())
	require.NoError(t, err, "it may be published later")
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
	base := newMirrored(t, store)
	keys := account.NewKeyService(store, account.KeyOptions{})
	require.NoError(t, keys.Put(t.Context(), "apg_other_secret", account.KeyRequest{OrganizationID: 1, Scopes: []account.Scope{account.ScopeCheck}}))
	for reason, test := range map[string]struct{ key, from, want string }{
		"an unknown key":         {"apg_unknown_secret", base, "-from: the server does not know the key, or no longer accepts it"},
		"a key for other things": {"apg_other_secret", base, "-from: the key needs the scope changelog"},
		"a URL without the base": {mirrorKey, strings.TrimSuffix(base, "/api/v2"), "-from: there is no API at this URL; it ends with the base of the API, such as /api/v2"},
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

// A mirror of a server with other rules has no copy, and the log says what to do.
func TestMirror_OtherRules(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		version []string
		have    int
		remedy  string
	}{
		"a newer server":                {[]string{strconv.Itoa(classify.Version + 1)}, classify.Version + 1, "use a newer program"},
		"a server that does not say it": {nil, 0, "upgrade the server"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			server, err := url.Parse(newMirrored(t, memory.New()))
			require.NoError(t, err)
			proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: server.Scheme, Host: server.Host})
			proxy.ModifyResponse = func(r *http.Response) error {
				r.Header["Rules-Version"] = test.version
				return nil
			}
			front := httptest.NewServer(proxy)
			t.Cleanup(front.Close)

			ctx, stop := context.WithCancel(t.Context())
			reader, log := io.Pipe()
			ended := make(chan error, 1)
			go func() {
				args := onFreePort("mirror", []string{"-from", front.URL + server.Path})
				ended <- program{variables("APGUARD_KEY", mirrorKey), nil, io.Discard, log}.run(ctx, args)
				_ = log.Close()
			}()
			lines := bufio.NewScanner(reader)
			require.True(t, lines.Scan())
			_, address, found := strings.Cut(lines.Text(), "address=")
			require.True(t, found, lines.Text())
			require.True(t, lines.Scan())
			require.Contains(t, lines.Text(), "level=ERROR")
			require.Contains(t, lines.Text(), "the mirror does not follow; trying again")
			require.Contains(t, lines.Text(), fmt.Sprintf("server has rules version %d, this program has %d: %s", test.have, classify.Version, test.remedy))
			go func() { _, _ = io.Copy(io.Discard, reader) }()
			code, body := getText(t, "http://"+address+"/health")
			require.Equal(t, http.StatusServiceUnavailable, code)
			require.JSONEq(t, `{"filled":false,"assets":0,"error":"the source cannot be read"}`, body)
			stop()
			require.NoError(t, <-ended)
		})
	}
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
	handler, err := newMirrorHandler(new(mirror.Mirror), new(feed.Replica).State, "", metrics.NewCounts(nil))
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
	source := feed.FromServices(asset.NewService(store, asset.Options{}), asset.NewFeedService(store))
	m := mirror.New(mirror.Options{})
	r := feed.NewReplica(source, feed.Options{
		Views:   []feed.View{m},
		OnEvent: func(event feed.Event) { failed <- event.Err },
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	require.Error(t, <-failed)
	handler, err := newMirrorHandler(m, r.State, "", metrics.NewCounts(nil))
	require.NoError(t, err)
	reply := httptest.NewRecorder()
	handler.ServeHTTP(reply, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/health", nil))
	require.Equal(t, http.StatusServiceUnavailable, reply.Code)
	require.JSONEq(t, `{"filled":false,"assets":0,"error":"the source cannot be read"}`, reply.Body.String())
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
