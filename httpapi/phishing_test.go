package httpapi_test

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hotlist"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/test/contentstest"
	"github.com/apguard/apguard/internal/test/npmtest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/sqlite"
)

// phishingServer is the phishing API of a store.
type phishingServer struct {
	testServer
	replica *feed.Replica
}

func startPhishing(tb testing.TB, store storage.Store, opts httpapi.Options) phishingServer {
	tb.Helper()
	guard := apguard.New(store, apguard.Options{})
	list := hotlist.New(hotlist.Options{})
	opts.RefusalDelay = -1
	api, err := httpapi.NewPhishing(list, opts)
	require.NoError(tb, err)
	mux := http.NewServeMux()
	api.Mount(mux, "")
	return phishingServer{testServer{Handler: mux, tb: tb, api: api, store: store, guard: guard}, newReplica(guard, list)}
}

// newReplica returns a Replica for the view, which does not run.
func newReplica(guard *apguard.Guard, view feed.View) *feed.Replica {
	return feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{view}})
}

// set sets the status of contents and refreshes the list.
func (s phishingServer) set(status asset.Status, contents ...string) {
	s.tb.Helper()
	for _, content := range contents {
		_, err := s.guard.SetStatus(s.tb.Context(), content, status, asset.Origin{})
		require.NoError(s.tb, err)
	}
	require.NoError(s.tb, s.replica.Refresh(s.tb.Context()))
}

// stampStep is the distance of the time stamps of two positions.
const stampStep = 1 << 18

// stamp returns the time stamp of a position that the list has, or of a later one.
func (s phishingServer) stamp(position int64) int64 {
	s.tb.Helper()
	var whole struct{ Data struct{ LastUpdated int64 } }
	require.NoError(s.tb, json.Unmarshal([]byte(s.get("/v1/stalelist", "").Body), &whole))
	feed, err := s.guard.Feed.State(s.tb.Context())
	require.NoError(s.tb, err)
	return whole.Data.LastUpdated + (position-feed.Last)*stampStep
}

// diffsSince returns the path of the differences since a time stamp.
func diffsSince(stamp int64) string { return "/v2/diffsSince/" + strconv.FormatInt(stamp, 10) }

func TestNewPhishing(t *testing.T) {
	t.Parallel()
	const wallet = "https://wallet.example"
	s := startPhishing(t, memory.New(), httpapi.Options{AllowedOrigins: []string{wallet}})
	require.Equal(t, http.StatusServiceUnavailable, s.get("/v1/stalelist", "").Status)
	s.set(asset.StatusBlocked, "bad.com", "https://paths.com/a/b")
	s.set(asset.StatusAllowed, "good.bad.com")
	stamp := strconv.FormatInt(s.stamp(3), 10)
	for path, body := range map[string]string{
		"/v1/stalelist": `{"data":{"tolerance":0,"version":2,"lastUpdated":` + stamp + `,"allowlist":["good.bad.com"],` +
			`"blocklist":["bad.com"],"blocklistPaths":["paths.com/a/b"],"fuzzylist":[]}}`,
		diffsSince(s.stamp(3)): `{"data":[]}`,
		diffsSince(s.stamp(2)): `{"data":[` +
			`{"url":"good.bad.com","timestamp":` + stamp + `,"targetList":"eth_phishing_detect_config.blocklist","isRemoval":true},` +
			`{"url":"bad.com","timestamp":` + stamp + `,"targetList":"eth_phishing_detect_config.allowlist","isRemoval":true},` +
			`{"url":"good.bad.com","timestamp":` + stamp + `,"targetList":"eth_phishing_detect_config.allowlist"}]}`,
		diffsSince(s.stamp(9)):  `{"data":[]}`,
		"/v1/request-blocklist": `{"recentlyAdded":["66e6dfa3ec709273855c9238c4adaae5b2a738d1674cae859a77a55fe924dfba"],"recentlyRemoved":[]}`,
	} {
		got := s.get(path, "")
		require.Equal(t, http.StatusOK, got.Status, path)
		require.JSONEq(t, body, got.Body, path)
		require.Equal(t, "application/json", got.Header.Get("Content-Type"))
		require.Regexp(t, `^W/"[0-9a-f]{32}\.`+stamp+`"$`, got.Header.Get("ETag"))
		require.Equal(t, "public, no-cache", got.Header.Get("Cache-Control"))
		again := newGet(path, "")
		again.Header.Set("If-None-Match", got.Header.Get("ETag"))
		again.Header.Set("Origin", wallet)
		unchanged := s.do(again)
		require.Equal(t, http.StatusNotModified, unchanged.Status, path)
		require.Equal(t, wallet, unchanged.Header.Get("Access-Control-Allow-Origin"))
		recorder := httptest.NewRecorder()
		s.api.ServeHTTP(recorder, newGet(path, ""))
		require.JSONEq(t, body, recorder.Body.String(), "without a mux")
		require.Equal(t, strconv.Itoa(recorder.Body.Len()), got.Header.Get("Content-Length"), "it is short")
		head := newGet(path, "")
		head.Method = http.MethodHead
		only := s.do(head)
		require.Equal(t, http.StatusOK, only.Status)
		require.Empty(t, only.Body)
		require.Equal(t, got.Header.Get("ETag"), only.Header.Get("ETag"))
	}
}

func TestNewPhishing_errors(t *testing.T) {
	t.Parallel()
	s := startPhishing(t, memory.New(), httpapi.Options{})
	require.NoError(t, s.replica.Refresh(t.Context()))
	s.Handler = s.api
	for path, status := range map[string]int{
		"/v2/diffsSince/":                    http.StatusNotFound,
		"/v2/diffsSince":                     http.StatusNotFound,
		"/v2/diffsSince/1/2":                 http.StatusNotFound,
		"/v2/diffsSince/x":                   http.StatusBadRequest,
		"/v2/diffsSince/-1":                  http.StatusBadRequest,
		"/v2/diffsSince/{timestamp}":         http.StatusBadRequest,
		"/v2/diffsSince/9007199254740992":    http.StatusBadRequest,
		"/v1/request-blocklist?timestamp=x":  http.StatusBadRequest,
		"/v1/request-blocklist?timestamp=60": http.StatusOK,
		"/v1/":                               http.StatusNotFound,
		"/openapi.json":                      http.StatusNotFound,
	} {
		require.Equal(t, status, s.get(path, "").Status, path)
	}
	r := newPost("/v1/stalelist", "", nil)
	require.Equal(t, http.StatusMethodNotAllowed, s.do(r).Status)

	for path, status := range map[string]int{
		"/v2/diffsSince/1": http.StatusMethodNotAllowed, "/v2/diffsSince/": http.StatusNotFound, "/v2/diffsSince/1/2": http.StatusNotFound,
	} {
		r := newPost(path, "", nil)
		recorder := httptest.NewRecorder()
		s.api.NotFound().ServeHTTP(recorder, r)
		require.Equal(t, status, recorder.Code, path)
	}

	_, err := httpapi.NewPhishing(nil, httpapi.Options{})
	require.ErrorIs(t, err, httpapi.ErrOptions)
	_, err = httpapi.NewPhishing(hotlist.New(hotlist.Options{}), httpapi.Options{AllowedOrigins: []string{"null"}})
	require.ErrorIs(t, err, httpapi.ErrOptions)
}

// A client that is too far behind is told so.
func TestNewPhishing_tooOld(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{})
	list := hotlist.New(hotlist.Options{History: 1})
	replica := newReplica(guard, list)
	for _, content := range []string{"a.com", "b.com", "c.com"} {
		_, err := guard.SetStatus(t.Context(), content, asset.StatusBlocked, asset.Origin{})
		require.NoError(t, err)
	}
	require.NoError(t, replica.Refresh(t.Context()))
	api, err := httpapi.NewPhishing(list, httpapi.Options{})
	require.NoError(t, err)
	s := phishingServer{testServer{Handler: api, tb: t, api: api, guard: guard}, replica}
	for stamp, status := range map[int64]int{s.stamp(2): http.StatusOK, s.stamp(1): http.StatusGone, 0: http.StatusGone} {
		require.Equal(t, status, s.get(diffsSince(stamp), "").Status, stamp)
	}
	got := s.get("/v2/diffsSince/0", "")
	require.JSONEq(t, `{"code":"GONE","message":"Changes since this time stamp are not known","issues":[]}`, got.Body)
	require.Equal(t, "no-store", got.Header.Get("Cache-Control"))
	require.NotContains(t, got.Header, "Etag")
}

// walletVariable is the environment variable with a folder in which the npm packages of testdata/wallet
// are installed.
const walletVariable = "APGUARD_TEST_WALLET"

// walletClient is MetaMask's client in a process of its own.
type walletClient struct {
	tb  testing.TB
	in  io.Writer
	out *bufio.Reader
}

func startWallet(tb testing.TB, server string, stamp ...string) walletClient {
	tb.Helper()
	args := append([]string{server}, stamp...)
	in, out := npmtest.Start(tb, npmtest.Command(tb, walletVariable, filepath.Join("testdata", "wallet", "wallet.cjs"), args...))
	return walletClient{tb, in, bufio.NewReaderSize(out, 1<<20)}
}

// do sends a command and decodes its result.
func (c walletClient) do(result any, command ...string) {
	c.tb.Helper()
	require.NoError(c.tb, json.NewEncoder(c.in).Encode(command))
	line, err := c.out.ReadString('\n')
	require.NoError(c.tb, err)
	require.NoError(c.tb, json.Unmarshal([]byte(line), result), line)
}

// refresh refreshes a list and returns the time stamp of the client.
func (c walletClient) refresh(list string) (stamp int64) {
	c.tb.Helper()
	c.do(&stamp, list)
	return stamp
}

// requireBlocked requires which URLs a client blocks.
func (c walletClient) requireBlocked(command string, want map[string]bool) {
	c.tb.Helper()
	for url, blocked := range want {
		var got []bool
		c.do(&got, command, url)
		require.Equal(c.tb, []bool{blocked}, got, url)
	}
}

// A client that begins at the time stamp 0 gets all changes, from a new store too.
func TestNewPhishing_fromZero(t *testing.T) {
	t.Parallel()
	s := startPhishing(t, memory.New(), httpapi.Options{})
	s.set(asset.StatusUnknown)
	for _, path := range []string{"/v2/diffsSince/0", "/v2/diffsSince/1"} {
		got := s.get(path, "")
		require.Equal(t, http.StatusOK, got.Status, path)
		require.JSONEq(t, `{"data":[]}`, got.Body, path)
	}
	s.set(asset.StatusBlocked, "bad.com")
	require.Equal(t, s.get("/v2/diffsSince/1", "").Body, s.get("/v2/diffsSince/0", "").Body)
	require.Contains(t, s.get("/v2/diffsSince/0", "").Body, `"url":"bad.com","timestamp":`+strconv.FormatInt(s.stamp(1), 10))

	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	client := startWallet(t, server.URL, "0")
	require.Equal(t, s.stamp(1), client.refresh("hotlist"))
	client.requireBlocked("check", map[string]bool{"https://bad.com/": true})
}

// restorable is a database that is backed up and restored as SECURITY.md says.
type restorable struct {
	tb   testing.TB
	path string
}

// open opens the database, and then changes it.
func (r restorable) open(statements ...string) storage.Store {
	r.tb.Helper()
	db, err := sql.Open("sqlite3", r.path+"?_foreign_keys=1&_busy_timeout=5000")
	require.NoError(r.tb, err)
	r.tb.Cleanup(func() { require.NoError(r.tb, db.Close()) })
	require.NoError(r.tb, sqlite.Migrate(r.tb.Context(), db))
	for _, statement := range statements {
		_, err := db.ExecContext(r.tb.Context(), statement)
		require.NoError(r.tb, err)
	}
	store, err := sqlite.New(r.tb.Context(), db, sqlite.Options{})
	require.NoError(r.tb, err)
	return store
}

// After a restore, time stamps of before are refused, although the positions are used again. A client that
// starts again has what was blocked since.
func TestNewPhishing_restored(t *testing.T) {
	t.Parallel()
	original := restorable{t, filepath.Join(t.TempDir(), "apguard.db")}
	backup := restorable{t, filepath.Join(t.TempDir(), "backup.db")}
	store := original.open()
	before := startPhishing(t, store, httpapi.Options{})
	before.set(asset.StatusBlocked, "kept.com")
	original.open("VACUUM INTO '" + backup.path + "'")
	before.set(asset.StatusBlocked, "lost1.com", "lost2.com")

	after := startPhishing(t, backup.open("UPDATE apguard_store SET id = randomblob(16)"), httpapi.Options{})
	after.set(asset.StatusBlocked, "between1.com", "between2.com")
	later := after.stamp(3)
	after.set(asset.StatusBlocked, "later.com")
	for stamp, status := range map[int64]int{
		before.stamp(0): http.StatusGone, before.stamp(1): http.StatusGone, before.stamp(3): http.StatusGone, before.stamp(9): http.StatusGone,
		0: http.StatusOK, 1: http.StatusOK, after.stamp(1): http.StatusOK, later: http.StatusOK,
	} {
		require.Equal(t, status, after.get(diffsSince(stamp), "").Status, stamp)
	}

	var handler http.Handler = before
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	client := startWallet(t, server.URL)
	old := client.refresh("stalelist")
	require.Equal(t, before.stamp(3), old)
	handler = after
	require.Equal(t, old, client.refresh("hotlist"), "it ignores the refusal")
	client.requireBlocked("check", map[string]bool{"https://kept.com/": true, "https://lost1.com/": true, "https://later.com/": false})

	require.Equal(t, after.stamp(4), client.refresh("stalelist"), "even if it is smaller")
	after.set(asset.StatusBlocked, "last.com")
	require.Equal(t, after.stamp(5), client.refresh("hotlist"))
	client.requireBlocked("check", map[string]bool{
		"https://kept.com/": true, "https://between1.com/": true, "https://between2.com/": true, "https://later.com/": true,
		"https://last.com/": true, "https://lost1.com/": false, "https://lost2.com/": false,
	})
}

// writerBetween calls a function after each part.
type writerBetween struct {
	*httptest.ResponseRecorder
	between func()
}

func (w writerBetween) Write(part []byte) (int, error) {
	defer w.between()
	return w.ResponseRecorder.Write(part)
}

// A client that reads slowly gets all of a response, unless that cannot be completed. Then it sees that the
// response is incomplete.
func TestNewPhishing_slow(t *testing.T) {
	t.Parallel()
	for _, replaced := range []bool{false, true} {
		seed := manyChanges()
		store := memory.New()
		require.NoError(t, store.Import(t.Context(), seed))
		s := startPhishing(t, &replaceableStore{Store: store}, httpapi.Options{})
		s.set(asset.StatusUnknown)
		parts := 0
		w := writerBetween{httptest.NewRecorder(), func() {
			if parts++; replaced {
				s.store.(*replaceableStore).Store = memory.New()
			}
			s.set(asset.StatusBlocked, "slow"+strconv.Itoa(parts)+".com")
		}}
		serve := func() { s.api.ServeHTTP(w, newGet("/v2/diffsSince/1", "")) }
		if replaced {
			require.PanicsWithError(t, http.ErrAbortHandler.Error(), serve)
			require.Equal(t, 1, parts)
			continue
		}
		serve()
		require.Greater(t, parts, 3)
		require.Empty(t, w.Header().Get("Content-Length"))
		var got struct{ Data []struct{ URL string } }
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got))
		require.Greater(t, len(got.Data), 4000)
	}
}

// replaceableStore is a store that a test replaces.
type replaceableStore struct{ storage.Store }

// MetaMask's client is protected by an apguard server. Only its address is changed.
func TestNewPhishing_wallet(t *testing.T) {
	t.Parallel()
	store := memory.New()
	s := startPhishing(t, store, httpapi.Options{})
	var handler http.Handler = s
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	s.set(asset.StatusUnknown)
	client := startWallet(t, server.URL)
	require.Equal(t, s.stamp(0), client.refresh("stalelist"), "an empty list is a list")
	client.requireBlocked("check", map[string]bool{"https://bad.com/": false})

	s.set(asset.StatusBlocked, "bad.com", "https://paths.com/a", "https://paths.com/a/b", "http://ports.com", "203.0.113.7")
	client.refresh("hotlist")
	client.requireBlocked("check", map[string]bool{
		"https://bad.com/": true, "http://login.bad.com:8080/x": true, "https://notbad.com/": false, "http://203.0.113.7/": true,
		"https://paths.com/a": true, "https://paths.com/a/b/c?q": true, "https://paths.com/ab": false, "https://paths.com/": false, "https://ports.com/x": true,
	})
	s.set(asset.StatusAllowed, "good.bad.com")
	s.set(asset.StatusUnknown, "https://paths.com/a")
	client.refresh("hotlist")
	client.requireBlocked("check", map[string]bool{
		"https://good.bad.com/": false, "https://deep.good.bad.com/": false, "https://other.bad.com/": true,
		"https://paths.com/a/c": false, "https://paths.com/a/b/c": true,
	})
	s.set(asset.StatusBlocked, "x.good.bad.com")
	client.refresh("hotlist")
	client.requireBlocked("check", map[string]bool{"https://x.good.bad.com/": true, "https://good.bad.com/": true})
	s.set(asset.StatusUnknown, "x.good.bad.com", "bad.com")
	client.refresh("hotlist")
	client.requireBlocked("check", map[string]bool{"https://x.good.bad.com/": false, "https://bad.com/": false, "https://ports.com/": true})

	// A server that is started again, or another one with the same store, continues.
	again := startPhishing(t, store, httpapi.Options{})
	again.set(asset.StatusBlocked, "late.com")
	handler = again
	client.refresh("hotlist")
	client.requireBlocked("check", map[string]bool{"https://late.com/": true, "https://ports.com/": true})

	// Requests of pages are blocked by hashes of hosts.
	client.refresh("requests")
	client.requireBlocked("request", map[string]bool{"https://late.com/x": true, "https://api.late.com/x": true, "https://other.com/": false})
	again.set(asset.StatusUnknown, "late.com")
	client.refresh("requests")
	client.requireBlocked("request", map[string]bool{"https://late.com/x": false, "https://ports.com/": true})
}

// The client reads some paths in another way than others do.
func TestNewPhishing_wallet_paths(t *testing.T) {
	t.Parallel()
	s := startPhishing(t, memory.New(), httpapi.Options{})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	client := startWallet(t, server.URL)
	s.set(asset.StatusBlocked, "https://httpbin.org/a", "https://slashes.com/a//b", "https://slashes.com/a/b", "https://escaped.com/%21", "https://escaped.com/!")
	client.refresh("stalelist")
	want := map[string]bool{
		"https://httpbin.org/a": true, "https://httpbin.org/b": false, "https://slashes.com/a/b": true, "https://escaped.com/!": true,
	}
	client.requireBlocked("check", want)
	s.set(asset.StatusUnknown, "https://slashes.com/a//b", "https://escaped.com/%21")
	client.refresh("hotlist")
	client.requireBlocked("check", want)
}

// After random changes, a client that follows holds what a client that starts anew holds, whichever of
// two servers it asks, and blocks no host that a check does not block.
func TestNewPhishing_wallet_law(t *testing.T) {
	t.Parallel()
	store := memory.New()
	servers := [2]phishingServer{startPhishing(t, store, httpapi.Options{}), startPhishing(t, store, httpapi.Options{})}
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { servers[asked].ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	require.NoError(t, servers[0].replica.Refresh(t.Context()))
	following, fresh := startWallet(t, server.URL), startWallet(t, server.URL)
	following.refresh("stalelist")
	drawn := contentstest.New(6)
	identities := drawn.Identities(testsize.Of(60, 150, 300))
	for range testsize.Of(5, 40, 200) {
		items := make([]asset.StatusItem, 1+drawn.IntN(12))
		for i := range items {
			items[i] = asset.StatusItem{Identity: identities[drawn.IntN(len(identities))], Status: drawn.Status()}
		}
		_, err := servers[0].guard.Assets.SetStatuses(t.Context(), asset.SetStatusesRequest{Items: items, ConfirmProtected: true})
		require.NoError(t, err)
		asked = drawn.IntN(2) // the other one has not read these changes
		require.NoError(t, servers[asked].replica.Refresh(t.Context()))
		following.refresh("hotlist")
		following.refresh("requests")
		fresh.refresh("stalelist")
		var got, want json.RawMessage
		following.do(&got, "lists")
		fresh.do(&want, "lists")
		require.JSONEq(t, string(want), string(got))
	}
	hosts := make([]string, 0, 100)
	for _, identity := range identities {
		// A host with more labels than its parents cover is on no list, also if it is ALLOWED.
		if identity.Type == asset.TypePage && !strings.ContainsAny(identity.Canonical, "/:[") && strings.Count(identity.Canonical, ".") < 8 {
			hosts = append(hosts, "https://"+identity.Canonical+"/", "https://below."+identity.Canonical+"/")
		}
	}
	var blocked []bool
	following.do(&blocked, append([]string{"check"}, hosts...)...)
	results := make(map[bool]int)
	for i, host := range hosts {
		verdict, err := servers[0].guard.Checks.Check(t.Context(), host)
		require.NoError(t, err)
		if blocked[i] && verdict.Status != asset.StatusBlocked {
			requireBlockedURL(t, servers[0].guard, host)
		}
		results[blocked[i]]++
	}
	require.Greater(t, results[true], 5)
	require.Greater(t, results[false], 5)
}

// requireBlockedURL requires that a host is blocked because of a URL on it or above it, which is the
// exception of all lists of hosts.
func requireBlockedURL(t *testing.T, guard *apguard.Guard, link string) {
	t.Helper()
	host := strings.TrimSuffix(strings.TrimPrefix(link, "https://"), "/")
	for strings.Contains(host, ".") {
		for _, scheme := range []string{"https://", "http://"} {
			explained, err := guard.Explain(t.Context(), scheme+host)
			if err == nil && explained.Asset.Status == asset.StatusBlocked {
				return
			}
		}
		_, host, _ = strings.Cut(host, ".")
	}
	require.Fail(t, "the client blocks more than a check", link)
}
