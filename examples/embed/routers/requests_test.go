package routers_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// exchange is a request and the reply to it.
type exchange struct {
	reason string
	method string
	// path is relative to the base.
	path string
	// anonymous reports whether the request has no key.
	anonymous bool
	body      string

	status int
	reply  string
	// header and value are a header of the reply.
	header, value string
}

const (
	notSupported = `{"code":"METHOD_NOT_SUPPORTED","message":"Method not supported","issues":[]}`
	unauthorized = `{"code":"UNAUTHORIZED","message":"Authorization not provided","issues":[]}`
	noReports    = `{"reports":[],"nextCursor":null}`
	notFound     = `{"code":"NOT_FOUND","message":"No such operation","issues":[]}`
)

// exchanges returns requests and their replies, in this order, for a host with the seed
// that is mounted at the base.
func exchanges(base string) []exchange {
	return []exchange{
		{
			reason: "the changelog", method: "POST", path: "/asset/changelog", body: `{"toStatus":"BLOCKED"}`,
			status: 200, reply: `{"changelog":[{"assetId":1,"type":"URL","content":"https://bad.example","fromStatus":"UNKNOWN","toStatus":"BLOCKED","updatedAt":"2025-01-05T10:00:00.000Z"}]}`,
		},
		{
			reason: "a dispute", method: "POST", path: "/dispute/create", body: `{"content":"https://bad.example"}`,
			status: 200, reply: `{"id":"1","content":"https://bad.example"}`,
		},
		{
			reason: "assets of an allowlist", method: "POST", path: "/organization/assets", body: `{"assets":[{"content":"https://acme.example","groupId":7}]}`,
			status: 200, reply: `{"results":[{"content":"https://acme.example","success":true,"id":2}],"successCount":1,"errorCount":0}`,
		},
		{
			reason: "the deprecated listing links to its successor at the same base", method: "POST", path: "/public/getOrganizationReports", body: `{"slug":"acme","limit":1}`,
			status: 200, reply: noReports, header: "Link", value: "<" + base + `/organization/reports>; rel="successor-version"`,
		},
		{
			reason: "the listing with a query", method: "GET", path: "/organization/reports?limit=1&status=CLOSED",
			status: 200, reply: noReports,
		},
		{
			reason: "a HEAD without a body", method: "HEAD", path: "/organization/reports",
			status: 200, header: "Content-Type", value: "application/json",
		},
		{
			reason: "a GET without a key", method: "GET", path: "/organization/reports", anonymous: true,
			status: 401, reply: unauthorized, header: "WWW-Authenticate", value: "ApiKey",
		},
		{
			reason: "a GET at the path of a POST", method: "GET", path: "/organization/assets?prefix=nowhere",
			status: 200, reply: `{"assets":[],"nextCursor":null}`,
		},
		{
			reason: "a POST without a key, with a wrapped error", method: "POST", path: "/organization/assets", anonymous: true,
			status: 401, reply: `{"error":{"code":"UNAUTHORIZED","message":"Authorization not provided"}}`,
		},
		{
			reason: "a method without an operation", method: "DELETE", path: "/asset/changelog", anonymous: true,
			status: 405, reply: notSupported, header: "Allow", value: "POST",
		},
		{
			reason: "a method that some routers answer themselves", method: "OPTIONS", path: "/dispute/create", anonymous: true,
			status: 405, reply: notSupported, header: "Allow", value: "POST",
		},
		{
			reason: "a method of the host's own pages", method: "GET", path: "/public/getOrganizationReports",
			status: 405, reply: notSupported, header: "Allow", value: "POST",
		},
		{
			reason: "a method of other operations", method: "POST", path: "/organization/reports",
			status: 405, reply: notSupported, header: "Allow", value: "GET, HEAD",
		},
		{
			reason: "another method with a wrapped error", method: "PUT", path: "/organization/assets",
			status: 405, reply: `{"error":{"code":"METHOD_NOT_SUPPORTED","message":"Method not supported"}}`, header: "Allow", value: "GET, HEAD, POST",
		},
	}
}

func TestRouters_EveryOperation(t *testing.T) {
	t.Parallel()
	for name, h := range hosts() {
		for _, base := range []string{"/api/v2", "/a/b.c/~d_e-f/v2"} {
			t.Run(name+" at "+base, func(t *testing.T) {
				t.Parallel()
				s := serve(t, h.mount(newAPI(t, seeded(t)), base))
				for _, e := range exchanges(base) {
					requireExchange(t, s, base, e)
				}
				got := do(t, s.request(t, http.MethodGet, "/", ""))
				require.Equal(t, http.StatusOK, got.status)
				require.Equal(t, "the host's own page", got.body, "the host's own pages")
			})
		}
	}
}

func requireExchange(t *testing.T, s server, base string, e exchange) {
	t.Helper()
	r := s.request(t, e.method, base+e.path, e.body)
	if e.anonymous {
		r.Header.Del("X-API-KEY")
	}
	got := do(t, r)
	require.Equal(t, e.status, got.status, e.reason)
	require.Equal(t, e.reply, got.body, e.reason)
	if e.header != "" {
		require.Equal(t, e.value, got.header.Get(e.header), e.reason)
	}
}

func TestRouters_UnknownPaths(t *testing.T) {
	t.Parallel()
	for name, h := range hosts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, h.mount(newAPI(t, seeded(t)), "/api/v2"))
			for _, path := range []string{"/api/v2/", "/api/v2/else", "/api/v2/asset/changelog/else"} {
				got := do(t, s.request(t, http.MethodGet, path, ""))
				if h.answers404 {
					require.Equal(t, http.StatusNotFound, got.status, path)
				}
				require.Equal(t, h.answers404, got.body == notFound, "%s was answered with %s", path, got.body)
			}
			got := do(t, s.request(t, http.MethodGet, "/else", ""))
			require.NotEqual(t, notFound, got.body, "the host answers outside of the base")
			require.Equal(t, name == "ServeMuxWithCatchAll", got.status == http.StatusOK)
		})
	}
}

// The API rejects methods that net/http does not define, unless the router does so first.
func TestRouters_UnknownMethods(t *testing.T) {
	t.Parallel()
	itself := map[string]bool{"ServeMuxWithCatchAll": true, "Chi": true, "ChiBeside": true, "ChiMounted": true}
	for name, h := range hosts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, h.mount(newAPI(t, seeded(t)), "/api/v2"))
			for _, method := range []string{"BREW", "PROPFIND", "post"} {
				got := do(t, s.request(t, method, "/api/v2/asset/changelog", ""))
				require.Equal(t, http.StatusMethodNotAllowed, got.status, method)
				require.Equal(t, itself[name], got.body != notSupported, "%s was answered with %s", method, got.body)
			}
		})
	}
}

func TestGorilla_TrailingSlash(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{"Gorilla": http.StatusMovedPermanently, "GorillaByMethod": http.StatusNotFound} {
		s := serve(t, hosts()[name].mount(newAPI(t, seeded(t)), "/api/v2"))
		got := do(t, s.request(t, http.MethodPost, "/api/v2/asset/changelog/", "{}"))
		require.Equal(t, status, got.status, name)
	}
}

// Some mountings also work without a base.
func TestRouters_EmptyBase(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"ServeMuxWithCatchAll", "ChiBeside"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, hosts()[name].mount(newAPI(t, seeded(t)), ""))
			for _, e := range exchanges("") {
				requireExchange(t, s, "", e)
			}
			got := do(t, s.request(t, http.MethodGet, "/", ""))
			require.Equal(t, "the host's own page", got.body)
		})
	}
}
