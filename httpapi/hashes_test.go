package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/storage"
)

// startHashes starts a server with hash lists that are filled.
func startHashes(t *testing.T) testServer {
	t.Helper()
	s := startWith(t, setup{hashes: true})
	require.NoError(t, s.replica.Refresh(t.Context()))
	return s
}

// hashesSince returns the response to a request with a version.
func (s testServer) hashesSince(version string) response {
	s.tb.Helper()
	return s.get(hashesPath+"?version="+url.QueryEscape(version), looseKey)
}

// newList returns a list with the whole lists of the server.
func (s testServer) newList() *hashlist.List {
	s.tb.Helper()
	list := hashlist.New(time.Hour)
	require.NoError(s.tb, list.Update(hashlist.Response{Data: []byte(s.hashesSince("").Body), AsOf: time.Now(), Rules: classify.Version}))
	return list
}

func TestReadHashes(t *testing.T) {
	t.Parallel()
	s := startHashes(t)
	whole := s.hashesSince("")
	require.Equal(t, http.StatusOK, whole.Status)
	require.Equal(t, "application/x-protobuf", whole.Header.Get("Content-Type"))
	require.Equal(t, "private, no-cache", whole.Header.Get("Cache-Control"))
	require.Equal(t, "1", whole.Header.Get("Age"))

	list := s.newList()
	requireOffline(t, list, "https://bad.example.com/x", asset.StatusBlocked)
	requireOffline(t, list, "https://new.example.com", asset.StatusUnknown)
	version := list.State().Version
	s.block("https://new.example.com")
	require.NoError(t, s.replica.Refresh(t.Context()))
	difference := s.hashesSince(version)
	require.NotEqual(t, whole.Body, difference.Body)
	require.NoError(t, list.Update(hashlist.Response{Data: []byte(difference.Body), AsOf: time.Now(), Rules: classify.Version}))
	requireOffline(t, list, "https://new.example.com", asset.StatusBlocked)

	fresh := s.hashesSince("")
	for _, unknown := range []string{"x", version + "x", "=", "end"} {
		got := s.hashesSince(unknown)
		require.Equal(t, fresh.Body, got.Body, "%q gets the whole lists", unknown)
		require.Equal(t, fresh.Header.Get("ETag"), got.Header.Get("ETag"))
	}
	head := newGet(hashesPath, looseKey)
	head.Method = http.MethodHead
	got := s.do(head)
	require.Equal(t, http.StatusOK, got.Status)
	require.Equal(t, fresh.Header.Get("Content-Length"), got.Header.Get("Content-Length"))
}

func requireOffline(t *testing.T, list *hashlist.List, content string, want asset.Status) {
	t.Helper()
	verdict, err := list.Check(t.Context(), content)
	require.NoError(t, err)
	require.Equal(t, want, verdict.Status, content)
}

func TestReadHashes_ETag(t *testing.T) {
	t.Parallel()
	s := startHashes(t)
	list := s.newList()
	get := func(version, tag string) response {
		r := newGet(hashesPath+"?version="+version, looseKey)
		r.Header.Set("If-None-Match", tag)
		return s.do(r)
	}
	version := list.State().Version
	whole, difference := s.hashesSince("").Header.Get("ETag"), s.hashesSince(version).Header.Get("ETag")
	require.Equal(t, `W/"hashes..`+version+`"`, whole)
	require.Equal(t, `W/"hashes.`+version+"."+version+`"`, difference)
	for version, tag := range map[string]string{"": whole, version: difference} {
		got := get(version, tag)
		require.Equal(t, http.StatusNotModified, got.Status)
		require.Empty(t, got.Body)
		require.Equal(t, tag, got.Header.Get("ETag"))
		require.NotEmpty(t, got.Header.Get("Age"))
		require.NotContains(t, got.Header, "Content-Type")
	}
	require.Equal(t, http.StatusOK, get(version, whole).Status, "a difference is another response")
	s.block("https://new.example.com")
	require.NoError(t, s.replica.Refresh(t.Context()))
	require.Equal(t, http.StatusOK, get("", whole).Status)
	require.Equal(t, http.StatusOK, get(version, difference).Status)
}

func TestReadHashes_lateFeed(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{hashes: true, wrap: func(store storage.Store) storage.Store { return lateFeed{store, 90 * time.Second} }})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, s.replica.Refresh(ctx), "a late feed is waited for")
	requireError(t, s.hashesSince(""), hashesPath, http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE", "Service unavailable")
}

func TestReadHashes_errors(t *testing.T) {
	t.Parallel()
	s := startHashes(t)
	requireInvalid(t, s.get(hashesPath+"?version=a&version=b", looseKey), "version: must be given once")
	requireInvalid(t, s.get(hashesPath+"?Version=a", looseKey), "Version: unknown field, did you mean version?")
	require.Equal(t, http.StatusForbidden, s.get(hashesPath, powerlessKey).Status, "the key lacks the scope")
	require.Equal(t, http.StatusUnauthorized, s.get(hashesPath, "").Status)

	without := start(t)
	got := without.get(hashesPath, looseKey)
	require.Equal(t, http.StatusNotFound, got.Status)
	require.JSONEq(t, noHashes, got.Body)

	starting := startWith(t, setup{hashes: true})
	got = starting.get(hashesPath, looseKey)
	require.Equal(t, http.StatusServiceUnavailable, got.Status)
	require.NotEmpty(t, got.Header.Get("Retry-After"))
	require.NoError(t, starting.replica.Refresh(t.Context()))
	require.Equal(t, http.StatusOK, starting.get(hashesPath, looseKey).Status)
}

// Public hash lists need no key. Each client address then has the limits of a caller.
func TestReadHashes_public(t *testing.T) {
	t.Parallel()
	rate, err := limit.NewRate(limit.RateOptions{Rate: 0.001, Burst: 3, FailedRate: 1, FailedBurst: 1})
	require.NoError(t, err)
	s := startWith(t, setup{hashes: true, options: httpapi.Options{
		PublicHashes: true, Admission: []limit.Admission{rate}, RefusalDelay: -1,
	}})
	require.NoError(t, s.replica.Refresh(t.Context()))
	for _, key := range []string{"", "apg_unknown", powerlessKey} {
		require.Equal(t, http.StatusOK, s.get(hashesPath, key).Status, "%q", key)
	}
	require.Equal(t, http.StatusTooManyRequests, s.get(hashesPath, looseKey).Status)
	from := func(client string) int {
		request := newGet(hashesPath, "")
		request.RemoteAddr = client
		return s.do(request).Status
	}
	require.Equal(t, http.StatusOK, from("198.51.100.7:1"))
	for _, client := range []string{"[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::3]:1"} {
		require.Equal(t, http.StatusOK, from(client))
	}
	require.Equal(t, http.StatusTooManyRequests, from("[2001:db8::4]:1"), "of the same network")
	require.Equal(t, http.StatusOK, from("[2001:db8:0:1::4]:1"), "of another one")
	require.Equal(t, http.StatusUnauthorized, s.post(checkPath, "", "{}").Status, "other operations need a key")

	for _, public := range []bool{false, true} {
		api := newAPI(t, fullAccess(), httpapi.Options{PublicHashes: public})
		recorder := httptest.NewRecorder()
		api.ServeHTTP(recorder, newGet("/openapi.json", ""))
		var document struct {
			Paths map[string]struct{ Get struct{ Security *[]any } }
		}
		require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &document))
		require.Equal(t, public, document.Paths["/asset/hashes"].Get.Security != nil)
	}
}

// noHashes is the response of a server without hash lists.
const noHashes = `{"code":"NOT_FOUND","message":"This server has no hash lists","issues":[]}`

// Clients that read slowly keep their own places until the end, and none of others.
func TestReadHashes_slow(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{hashes: true, options: httpapi.Options{MaxRequests: 4, RefusalDelay: -1}})
	require.NoError(t, s.replica.Refresh(t.Context()))
	slow := &slowWriter{ResponseRecorder: httptest.NewRecorder(), writing: make(chan struct{}), resume: make(chan struct{})}
	done := make(chan struct{})
	go func() {
		s.api.ServeHTTP(slow, newGet("/asset/hashes", looseKey))
		close(done)
	}()
	<-slow.writing
	require.Equal(t, http.StatusTooManyRequests, s.get(hashesPath, looseKey).Status)
	require.Equal(t, http.StatusOK, s.get(hashesPath, acmeKey).Status)
	close(slow.resume)
	<-done
	require.Equal(t, http.StatusOK, slow.Code)
	require.Equal(t, http.StatusOK, s.get(hashesPath, looseKey).Status)
}

// slowWriter waits in its first write.
type slowWriter struct {
	*httptest.ResponseRecorder
	writing, resume chan struct{}
}

func (w *slowWriter) Write(b []byte) (int, error) {
	close(w.writing)
	<-w.resume
	return w.ResponseRecorder.Write(b)
}
