package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage/memory"
)

// noChanges is an empty changelog.
const noChanges = `{"changelog":[]}`

// somebody lets every request act for the same principal, or refuses all.
type somebody struct {
	principal account.Principal
	err       error
}

func (s somebody) Authenticate(*http.Request) (account.Principal, error) { return s.principal, s.err }

func everyone() somebody {
	return somebody{principal: account.Principal{OrganizationID: 1, OrganizationSlug: "acme", Scopes: account.Scopes()}}
}

func newAPI(t *testing.T, authenticator httpapi.Authenticator, opts httpapi.Options) *httpapi.API {
	t.Helper()
	api, err := httpapi.New(apguard.New(memory.New(), apguard.Options{}), authenticator, opts)
	require.NoError(t, err)
	return api
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{})
	without := func(remove func(*apguard.Guard)) *apguard.Guard {
		lacking := *guard
		remove(&lacking)
		return &lacking
	}
	for reason, c := range map[string]struct {
		guard         *apguard.Guard
		authenticator httpapi.Authenticator
		options       httpapi.Options
	}{
		"no guard":                     {nil, everyone(), httpapi.Options{}},
		"a guard that is zero":         {&apguard.Guard{}, everyone(), httpapi.Options{}},
		"a guard without assets":       {without(func(g *apguard.Guard) { g.Assets = nil }), everyone(), httpapi.Options{}},
		"a guard without an allowlist": {without(func(g *apguard.Guard) { g.Allowlist = nil }), everyone(), httpapi.Options{}},
		"a guard without disputes":     {without(func(g *apguard.Guard) { g.Disputes = nil }), everyone(), httpapi.Options{}},
		"a guard without reports":      {without(func(g *apguard.Guard) { g.Reports = nil }), everyone(), httpapi.Options{}},
		"no authenticator":             {guard, nil, httpapi.Options{}},
		"API keys of no accounts":      {guard, httpapi.APIKeys(nil), httpapi.Options{}},
		"a negative body size":         {guard, everyone(), httpapi.Options{MaxBody: -1}},
		"a negative time to write":     {guard, everyone(), httpapi.Options{WriteTimeout: -1}},
		"a path without a slash":       {guard, everyone(), httpapi.Options{DeprecatedReportsPath: "reports"}},
		"the root":                     {guard, everyone(), httpapi.Options{DeprecatedReportsPath: "/"}},
		"a path that ends in a slash":  {guard, everyone(), httpapi.Options{DeprecatedReportsPath: "/reports/"}},
		"a path with dots":             {guard, everyone(), httpapi.Options{DeprecatedReportsPath: "/a/../b"}},
		"a wildcard":                   {guard, everyone(), httpapi.Options{DeprecatedReportsPath: "/{slug}/reports"}},
		"a space":                      {guard, everyone(), httpapi.Options{DeprecatedReportsPath: "/old reports"}},
		"the path of another one":      {guard, everyone(), httpapi.Options{DeprecatedReportsPath: "/organization/assets"}},
		"the path of the document":     {guard, everyone(), httpapi.Options{DeprecatedReportsPath: "/openapi.json"}},
		"the path of its successor":    {guard, everyone(), httpapi.Options{DeprecatedReportsPath: "/organization/reports"}},
		"a path that is not all ASCII": {guard, everyone(), httpapi.Options{DeprecatedReportsPath: "/b\u00e9richte"}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			api, err := httpapi.New(c.guard, c.authenticator, c.options)
			require.ErrorIs(t, err, httpapi.ErrOptions)
			require.Nil(t, api)
		})
	}
}

func TestNewNeedsNoAccounts(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{})
	guard.Accounts = nil
	_, err := httpapi.New(guard, everyone(), httpapi.Options{})
	require.NoError(t, err)
}

func TestMountNormalizesTheBase(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{"": "", "/": "", "x": "/x", "/x": "/x", "/x/": "/x", "/x/y/": "/x/y"} {
		t.Run("base "+given, func(t *testing.T) {
			t.Parallel()
			mux := http.NewServeMux()
			newAPI(t, everyone(), httpapi.Options{}).Mount(mux, given)
			recorder := httptest.NewRecorder()
			checked(t, mux).ServeHTTP(recorder, newPost(want+"/asset/changelog", "", strings.NewReader("{}")))
			require.Equal(t, http.StatusOK, recorder.Code)
			require.JSONEq(t, noChanges, recorder.Body.String())
		})
	}
}

// counter counts what is registered.
type counter int

func (c *counter) Handle(string, http.Handler) { *c++ }

func TestMountRefusesABaseThatIsNoPath(t *testing.T) {
	t.Parallel()
	api := newAPI(t, everyone(), httpapi.Options{})
	for reason, given := range map[string]string{
		"two slashes":            "/a//b",
		"the folder above":       "/a/../b",
		"only the folder above":  "..",
		"the folder itself":      "/a/./b",
		"a wildcard":             "/{x}",
		"the rest of the path":   "/a/{x...}",
		"an escape":              "/a%2fb",
		"an escape that is none": "/a%zz",
		"a space":                "/a b",
		"a host":                 "https://example.com/a",
		"not all ASCII":          "/b\u00e9",
		"a query":                "/a?b",
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			var registered counter
			want := fmt.Sprintf("httpapi: invalid base %q; use a path such as /api/v2", "/"+strings.TrimPrefix(given, "/"))
			require.PanicsWithValue(t, want, func() { api.Mount(&registered, given) })
			require.Zero(t, registered)
		})
	}
}

func TestTheAPIBelowItsBaseAnswersWhatMountLeaves(t *testing.T) {
	t.Parallel()
	api := newAPI(t, everyone(), httpapi.Options{})
	mux := http.NewServeMux()
	mux.Handle("/", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("host")) }))
	api.Mount(mux, base)
	mux.Handle(base+"/", http.StripPrefix(base, api))
	for _, method := range []string{"FOO", "PROPFIND", "post"} {
		for path := range posts {
			recorder := httptest.NewRecorder()
			checked(t, mux).ServeHTTP(recorder, newRequest(method, path, nil))
			got := reply{recorder.Code, recorder.Header(), recorder.Body.String()}
			requireRefused(t, got, path, http.StatusMethodNotAllowed, "METHOD_NOT_SUPPORTED", "Method not supported")
			require.Equal(t, http.MethodPost, got.Header.Get("Allow"))
		}
		recorder := httptest.NewRecorder()
		checked(t, mux).ServeHTTP(recorder, newRequest(method, base+"/else", nil))
		require.Equal(t, http.StatusNotFound, recorder.Code)
		require.Equal(t, standard("NOT_FOUND", "No such operation"), recorder.Body.String())
	}
	recorder := httptest.NewRecorder()
	checked(t, mux).ServeHTTP(recorder, newRequest(http.MethodGet, "/else", nil))
	require.Equal(t, "host", recorder.Body.String())
}

func TestMountStandsBesideTheHostsOwnPatterns(t *testing.T) {
	t.Parallel()
	host := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("host")) })
	mux := http.NewServeMux()
	mux.Handle("GET /", host)
	mux.Handle("GET /api/v2/", host)
	mux.Handle("POST /api/v2/login", host)
	newAPI(t, everyone(), httpapi.Options{}).Mount(mux, base)

	for target, want := range map[string]string{
		"GET /":                 "host",
		"GET /anything":         "host",
		"GET /api/v2/else":      "host",
		"POST /api/v2/login":    "host",
		"POST " + changelogPath: noChanges,
		"GET " + changelogPath:  standard("METHOD_NOT_SUPPORTED", "Method not supported"),
		"GET " + newReports:     `{"reports":[],"nextCursor":null}`,
	} {
		method, path, _ := strings.Cut(target, " ")
		r := newPost(path, "", strings.NewReader("{}"))
		r.Method = method
		recorder := httptest.NewRecorder()
		checked(t, mux).ServeHTTP(recorder, r)
		require.Equal(t, want, recorder.Body.String(), target)
	}
}

func TestMountAnswersEveryOtherMethodItself(t *testing.T) {
	t.Parallel()
	s := start(t)
	allowed := map[string]string{
		changelogPath: "POST", disputePath: "POST", assetsPath: "POST", oldReports: "POST", newReports: "GET, HEAD", documentPath: "GET, HEAD",
	}
	for path, allow := range allowed {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"} {
			if strings.Contains(allow, method) {
				continue
			}
			// Neither a key nor a body: the method comes first.
			got := s.do(newRequest(method, path, nil))
			require.Equal(t, http.StatusMethodNotAllowed, got.Status, method+" "+path)
			require.Equal(t, allow, got.Header.Get("Allow"), method+" "+path)
			want := standard("METHOD_NOT_SUPPORTED", "Method not supported")
			if path == assetsPath {
				want = wrapped("METHOD_NOT_SUPPORTED", "Method not supported")
			}
			require.Equal(t, want, got.Body, method+" "+path)
		}
	}
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	const noReports = `{"reports":[],"nextCursor":null}`
	own := map[string]struct {
		body       string
		status     int
		reply      string
		deprecated bool
	}{
		"POST /asset/changelog": {`{}`, http.StatusOK, noChanges, false},
		"POST /dispute/create": {
			`{"content":"https://never.example.com","email":"ada@acme.test"}`,
			http.StatusNotFound, standard("NOT_FOUND", "Asset not found"), false,
		},
		"POST /organization/assets": {
			posts[assetsPath], http.StatusOK,
			`{"results":[` + added("https://new.example.com", "1") + `],"successCount":1,"errorCount":0}`, false,
		},
		"POST /old/reports":          {posts[oldReports], http.StatusOK, noReports, true},
		"GET /organization/reports":  {"", http.StatusOK, noReports, false},
		"HEAD /organization/reports": {"", http.StatusOK, noReports, false}, // the server drops the body
		"GET /openapi.json":          {"", http.StatusOK, document(t, ".", "/old/reports"), false},
		"HEAD /openapi.json":         {"", http.StatusOK, document(t, ".", "/old/reports"), false},
	}
	api := newAPI(t, everyone(), httpapi.Options{DeprecatedReportsPath: "/old/reports"})
	routes := api.Routes()
	listed := make([]string, 0, len(routes))
	for _, route := range routes {
		name := route.Method + " " + route.Path
		listed = append(listed, name)
		// The handler needs no router that cuts paths.
		r := newPost("/somewhere/else", "", strings.NewReader(own[name].body))
		r.Method = route.Method
		recorder := httptest.NewRecorder()
		route.Handler.ServeHTTP(recorder, r)
		require.Equal(t, own[name].status, recorder.Code, name)
		require.Equal(t, own[name].reply, recorder.Body.String(), name)
		require.Equal(t, own[name].deprecated, recorder.Header().Get("Deprecation") != "", name)

		r.Method = "BREW"
		recorder = httptest.NewRecorder()
		route.Handler.ServeHTTP(recorder, r)
		require.Equal(t, http.StatusMethodNotAllowed, recorder.Code, route.Path)
	}
	require.Equal(t, []string{
		"POST /asset/changelog",
		"POST /dispute/create",
		"POST /organization/assets",
		"POST /old/reports",
		"GET /organization/reports",
		"HEAD /organization/reports",
		"GET /openapi.json",
		"HEAD /openapi.json",
	}, listed)
}

func TestHandlerBehindStripPrefix(t *testing.T) {
	t.Parallel()
	api := newAPI(t, everyone(), httpapi.Options{})
	for prefix, path := range map[string]string{
		"/deep/base":  "/deep/base/asset/changelog",
		"/deep/base/": "/deep/base/asset/changelog",
		"":            "/asset/changelog",
	} {
		recorder := httptest.NewRecorder()
		checked(t, http.StripPrefix(prefix, api)).ServeHTTP(recorder, newPost(path, "", strings.NewReader("{}")))
		require.JSONEq(t, noChanges, recorder.Body.String(), prefix)
	}
}

func TestUnknownPathsAreNotFound(t *testing.T) {
	t.Parallel()
	api := newAPI(t, everyone(), httpapi.Options{})
	handlers := map[string]http.Handler{"the API": api, "NotFound": api.NotFound()}
	for name, handler := range handlers {
		for _, path := range []string{"/", "/asset", "/asset/changelog/", "/Asset/changelog", "/openapi", "//asset/changelog"} {
			recorder := httptest.NewRecorder()
			checked(t, handler).ServeHTTP(recorder, newPost(path, "", strings.NewReader("{}")))
			require.Equal(t, http.StatusNotFound, recorder.Code, name+" "+path)
			require.Equal(t, standard("NOT_FOUND", "No such operation"), recorder.Body.String())
			require.Equal(t, "application/json", recorder.Header().Get("Content-Type"))
			require.Equal(t, "nosniff", recorder.Header().Get("X-Content-Type-Options"))
		}
	}
}

func TestSuccessorLink(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct{ uri, want string }{
		"at the root":                   {"/public/getOrganizationReports", "/organization/reports"},
		"below a base":                  {"/api/v2/public/getOrganizationReports?x=1", "/api/v2/organization/reports"},
		"an absolute address":           {"http://h.test/b/public/getOrganizationReports", "/b/organization/reports"},
		"a letter written as a code":    {"/api/v2/p%75blic/getOrganizationReports", "/api/v2/organization/reports"},
		"a base that ends the link":     {"/a%3E%22%0d%0ab/public/getOrganizationReports", "/a%3E%22%0D%0Ab/organization/reports"},
		"a base that looks like a host": {"//evil.test/public/getOrganizationReports", "/evil.test/organization/reports"},
		"a base that is not ASCII":      {"/%C3%A9/public/getOrganizationReports", "/%C3%A9/organization/reports"},
		"another path":                  {"/rewritten", "../organization/reports"},
		"no address":                    {"", "/organization/reports"},
		"no address that can be read":   {"%zz", "/organization/reports"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			r := newPost("/public/getOrganizationReports", "", strings.NewReader("{}"))
			r.RequestURI = c.uri
			recorder := httptest.NewRecorder()
			checked(t, newAPI(t, everyone(), httpapi.Options{})).ServeHTTP(recorder, r)
			require.Equal(t, "<"+c.want+`>; rel="successor-version"`, recorder.Header().Get("Link"))
			require.Equal(t, "@1735689600", recorder.Header().Get("Deprecation"))
		})
	}
}

func TestDeprecatedReportsPath(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	newAPI(t, everyone(), httpapi.Options{DeprecatedReportsPath: "/a/b/c"}).Mount(mux, "/v2")
	recorder := httptest.NewRecorder()
	mux.ServeHTTP(recorder, newPost("/v2/a/b/c", "", strings.NewReader(`{"slug":"acme","limit":1}`)))
	require.Equal(t, http.StatusOK, recorder.Code)
	require.Equal(t, `</v2/organization/reports>; rel="successor-version"`, recorder.Header().Get("Link"))

	r := newPost("/a/b/c", "", strings.NewReader(`{}`))
	r.RequestURI = "/rewritten"
	recorder = httptest.NewRecorder()
	newAPI(t, everyone(), httpapi.Options{DeprecatedReportsPath: "/a/b/c"}).ServeHTTP(recorder, r)
	require.Equal(t, `<../../organization/reports>; rel="successor-version"`, recorder.Header().Get("Link"))
}
