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
	// nobody says that there is no key.
	nobody bool
	body   string

	status int
	reply  string
	// header is one that the reply must have, and its value.
	header, value string
}

const (
	notSupported = `{"code":"METHOD_NOT_SUPPORTED","message":"Method not supported","issues":[]}`
	unauthorized = `{"code":"UNAUTHORIZED","message":"Authorization not provided","issues":[]}`
	noReports    = `{"reports":[],"nextCursor":null}`
	notFound     = `{"code":"NOT_FOUND","message":"No such operation","issues":[]}`
)

// exchanges are sent in this order to a host with the seed, which is mounted at
// the base.
func exchanges(base string) []exchange {
	return []exchange{
		{
			reason: "the changelog is answered", method: "POST", path: "/asset/changelog", body: `{"toStatus":"BLOCKED"}`,
			status: 200, reply: `{"changelog":[{"assetId":1,"type":"URL","content":"https://bad.example","fromStatus":"UNKNOWN","toStatus":"BLOCKED","updatedAt":"2025-01-05T10:00:00.000Z"}]}`,
		},
		{
			reason: "a dispute is taken", method: "POST", path: "/dispute/create", body: `{"content":"https://bad.example"}`,
			status: 200, reply: `{"id":"1","content":"https://bad.example"}`,
		},
		{
			reason: "assets are added", method: "POST", path: "/organization/assets", body: `{"assets":[{"content":"https://acme.example","groupId":7}]}`,
			status: 200, reply: `{"results":[{"content":"https://acme.example","success":true,"id":2}],"successCount":1,"errorCount":0}`,
		},
		{
			reason: "the deprecated listing leads to its successor below the same base", method: "POST", path: "/public/getOrganizationReports", body: `{"slug":"acme","limit":1}`,
			status: 200, reply: noReports, header: "Link", value: "<" + base + `/organization/reports>; rel="successor-version"`,
		},
		{
			reason: "the listing reads its query", method: "GET", path: "/organization/reports?limit=1&status=CLOSED",
			status: 200, reply: noReports,
		},
		{
			reason: "a HEAD has no body", method: "HEAD", path: "/organization/reports",
			status: 200, header: "Content-Type", value: "application/json",
		},
		{
			reason: "a key is needed to read", method: "GET", path: "/organization/reports", nobody: true,
			status: 401, reply: unauthorized, header: "WWW-Authenticate", value: "ApiKey",
		},
		{
			reason: "a key is needed to write, and the refusal is wrapped", method: "POST", path: "/organization/assets", nobody: true,
			status: 401, reply: `{"error":{"code":"UNAUTHORIZED","message":"Authorization not provided"}}`,
		},
		{
			reason: "a method that no operation has here", method: "DELETE", path: "/asset/changelog", nobody: true,
			status: 405, reply: notSupported, header: "Allow", value: "POST",
		},
		{
			reason: "a method that routers like to answer themselves", method: "OPTIONS", path: "/dispute/create", nobody: true,
			status: 405, reply: notSupported, header: "Allow", value: "POST",
		},
		{
			reason: "a method that the host's own pages have", method: "GET", path: "/public/getOrganizationReports",
			status: 405, reply: notSupported, header: "Allow", value: "POST",
		},
		{
			reason: "a method of the other operations, on the last one", method: "POST", path: "/organization/reports",
			status: 405, reply: notSupported, header: "Allow", value: "GET, HEAD",
		},
		{
			reason: "a refused method is wrapped where all is", method: "PUT", path: "/organization/assets",
			status: 405, reply: `{"error":{"code":"METHOD_NOT_SUPPORTED","message":"Method not supported"}}`, header: "Allow", value: "POST",
		},
	}
}

func TestEveryRouterServesEveryOperation(t *testing.T) {
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
				require.Equal(t, "the host's own page", got.body, "the host keeps its pages")
			})
		}
	}
}

func requireExchange(t *testing.T, s server, base string, e exchange) {
	t.Helper()
	r := s.request(t, e.method, base+e.path, e.body)
	if e.nobody {
		r.Header.Del("X-API-KEY")
	}
	got := do(t, r)
	require.Equal(t, e.status, got.status, e.reason)
	require.Equal(t, e.reply, got.body, e.reason)
	if e.header != "" {
		require.Equal(t, e.value, got.header.Get(e.header), e.reason)
	}
}

func TestWhoAnswersBelowTheBase(t *testing.T) {
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
			require.NotEqual(t, notFound, got.body, "beside the base the host answers")
			require.Equal(t, name == "ServeMuxBesideEverything", got.status == http.StatusOK)
		})
	}
}

// A method that net/http has no name for is refused by the API, but where the
// router does it first.
func TestMethodsThatNobodyKnows(t *testing.T) {
	t.Parallel()
	itself := map[string]bool{"ServeMuxBesideEverything": true, "Chi": true, "ChiBeside": true, "ChiMounted": true}
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

func TestGorillaRedirectsALastSlash(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{"Gorilla": http.StatusMovedPermanently, "GorillaByMethod": http.StatusNotFound} {
		s := serve(t, hosts()[name].mount(newAPI(t, seeded(t)), "/api/v2"))
		got := do(t, s.request(t, http.MethodPost, "/api/v2/asset/changelog/", "{}"))
		require.Equal(t, status, got.status, name)
	}
}

// The mounts that need no base have none, too.
func TestTheOperationsAtTheRoot(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"ServeMuxBesideEverything", "ChiBeside"} {
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
