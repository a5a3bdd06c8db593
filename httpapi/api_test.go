package httpapi_test

import (
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/lists"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/storage/memory"
)

func TestNew_Errors(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{})
	for reason, c := range map[string]struct {
		guard         *apguard.Guard
		authenticator httpapi.Authenticator
		options       httpapi.Options
	}{
		"no guard":                    {nil, fullAccess(), httpapi.Options{}},
		"zero guard":                  {&apguard.Guard{}, fullAccess(), httpapi.Options{}},
		"guard without checks":        {&apguard.Guard{Assets: guard.Assets}, fullAccess(), httpapi.Options{}},
		"guard without disputes":      {&apguard.Guard{Assets: guard.Assets, Checks: guard.Checks}, fullAccess(), httpapi.Options{}},
		"no authenticator":            {guard, nil, httpapi.Options{}},
		"API keys without accounts":   {guard, httpapi.APIKeys(nil), httpapi.Options{}},
		"negative MaxBatchBody":       {guard, fullAccess(), httpapi.Options{MaxBatchBody: -1}},
		"no room for a batch":         {guard, fullAccess(), httpapi.Options{MaxBatchBody: 100_000, MaxBodyBytes: 399_999}},
		"no room for any body":        {guard, fullAccess(), httpapi.Options{MaxBatchBody: 1, MaxBodyBytes: 1<<18 - 1}},
		"negative MaxBodyBytes":       {guard, fullAccess(), httpapi.Options{MaxBodyBytes: -1}},
		"negative MaxRequests":        {guard, fullAccess(), httpapi.Options{MaxRequests: -1}},
		"negative MaxWaiting":         {guard, fullAccess(), httpapi.Options{MaxWaiting: -1}},
		"negative MaxCostly":          {guard, fullAccess(), httpapi.Options{MaxCostly: -1}},
		"nil Admission":               {guard, fullAccess(), httpapi.Options{Admission: []limit.Admission{nil}}},
		"negative Timeout":            {guard, fullAccess(), httpapi.Options{Timeout: -1}},
		"negative MinClientRate":      {guard, fullAccess(), httpapi.Options{MinClientRate: -1}},
		"negative ClientTimeout":      {guard, fullAccess(), httpapi.Options{ClientTimeout: -1}},
		"path without slash":          {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "reports"}},
		"root path":                   {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/"}},
		"path with trailing slash":    {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/reports/"}},
		"path with dots":              {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/a/../b"}},
		"path with wildcard":          {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/{slug}/reports"}},
		"path with space":             {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/old reports"}},
		"challenge with a line break": {guard, fullAccess(), httpapi.Options{Challenge: "Basic\r\nX: y"}},
		"challenge outside of ASCII":  {guard, fullAccess(), httpapi.Options{Challenge: "B\u00e9arer"}},
		"scheme without a name":       {guard, fullAccess(), httpapi.Options{SecurityScheme: httpapi.SecurityScheme{Definition: `{"type":"http"}`}}},
		"scheme with a quoted name":   {guard, fullAccess(), httpapi.Options{SecurityScheme: httpapi.SecurityScheme{Name: `a"b`, Definition: `{"type":"http"}`}}},
		"scheme with a tilde":         {guard, fullAccess(), httpapi.Options{SecurityScheme: httpapi.SecurityScheme{Name: `a~b`, Definition: `{"type":"http"}`}}},
		"scheme without a definition": {guard, fullAccess(), httpapi.Options{SecurityScheme: httpapi.SecurityScheme{Name: "a"}}},
		"scheme that is no JSON":      {guard, fullAccess(), httpapi.Options{SecurityScheme: httpapi.SecurityScheme{Name: "a", Definition: `{"type":"http"`}}},
		"scheme that goes on":         {guard, fullAccess(), httpapi.Options{SecurityScheme: httpapi.SecurityScheme{Name: "a", Definition: `{"type":"http"},"b":{}`}}},
		"scheme that is an array":     {guard, fullAccess(), httpapi.Options{SecurityScheme: httpapi.SecurityScheme{Name: "a", Definition: `[]`}}},
		"scheme without a type":       {guard, fullAccess(), httpapi.Options{SecurityScheme: httpapi.SecurityScheme{Name: "a", Definition: `{}`}}},
		"scheme of an unknown type":   {guard, fullAccess(), httpapi.Options{SecurityScheme: httpapi.SecurityScheme{Name: "a", Definition: `{"type":"basic"}`}}},
		"path of another operation":   {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/organization/assets"}},
		"path of the document":        {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/openapi.json"}},
		"path of the successor":       {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/organization/reports"}},
		"path outside of ASCII":       {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/b\u00e9richte"}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			api, err := httpapi.New(c.guard, c.authenticator, c.options)
			require.ErrorIs(t, err, httpapi.ErrOptions)
			require.Nil(t, api)
		})
	}
}

func TestNew_WithoutLogger(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	checked(t, newAPI(t, fixedPrincipal{err: errors.New("down")}, httpapi.Options{})).ServeHTTP(recorder, newPost("/asset/changelog", "", strings.NewReader("{}")))
	require.Equal(t, http.StatusInternalServerError, recorder.Code)
}

func TestAPI_ServeHTTP_StripPrefix(t *testing.T) {
	t.Parallel()
	api := newAPI(t, fullAccess(), httpapi.Options{})
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

func TestAPI_UnknownPaths(t *testing.T) {
	t.Parallel()
	api := newAPI(t, fullAccess(), httpapi.Options{})
	handlers := map[string]http.Handler{"the API": api, "NotFound": api.NotFound()}
	for name, handler := range handlers {
		for _, path := range []string{"/", "/asset", "/asset/changelog/", "/Asset/changelog", "/openapi", "//asset/changelog", "/asset%2fchangelog", "/asset%2Fchangelog", "/%2fasset/changelog"} {
			recorder := httptest.NewRecorder()
			checked(t, handler).ServeHTTP(recorder, newPost(path, "", strings.NewReader("{}")))
			require.Equal(t, http.StatusNotFound, recorder.Code, name+" "+path)
			require.Equal(t, standard("NOT_FOUND", "No such operation"), recorder.Body.String())
			require.Equal(t, "application/json", recorder.Header().Get("Content-Type"))
			require.Equal(t, "nosniff", recorder.Header().Get("X-Content-Type-Options"))
		}
	}
}

func TestAPI_Mount_Base(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{"": "", "/": "", "x": "/x", "/x": "/x", "/x/": "/x", "/x/y/": "/x/y"} {
		t.Run("base "+given, func(t *testing.T) {
			t.Parallel()
			mux := http.NewServeMux()
			newAPI(t, fullAccess(), httpapi.Options{}).Mount(mux, given)
			recorder := httptest.NewRecorder()
			checked(t, mux).ServeHTTP(recorder, newPost(want+"/asset/changelog", "", strings.NewReader("{}")))
			require.Equal(t, http.StatusOK, recorder.Code)
			require.JSONEq(t, noChanges, recorder.Body.String())
		})
	}
}

// counter is a Mux that counts registrations.
type counter int

func (c *counter) Handle(string, http.Handler) { *c++ }

func TestAPI_Mount_InvalidBase(t *testing.T) {
	t.Parallel()
	api := newAPI(t, fullAccess(), httpapi.Options{})
	for reason, given := range map[string]string{
		"empty segment":       "/a//b",
		"parent segment":      "/a/../b",
		"parent segment only": "..",
		"dot segment":         "/a/./b",
		"wildcard":            "/{x}",
		"trailing wildcard":   "/a/{x...}",
		"escape":              "/a%2fb",
		"malformed escape":    "/a%zz",
		"space":               "/a b",
		"URL":                 "https://example.com/a",
		"outside of ASCII":    "/b\u00e9",
		"query":               "/a?b",
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

func TestAPI_UnsupportedMethods(t *testing.T) {
	t.Parallel()
	api := newAPI(t, fullAccess(), httpapi.Options{})
	mounted := func(pattern string, fallback http.Handler) http.Handler {
		mux := http.NewServeMux()
		api.Mount(mux, base)
		if pattern != "" {
			mux.Handle(pattern, fallback)
		}
		return mux
	}
	known := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"}
	others := []string{"PROPFIND", "FOO", "post", "Get"}
	all := slices.Concat(known, others)
	for name, c := range map[string]struct {
		handler http.Handler
		methods []string
	}{
		"Mount":                      {mounted("", nil), known}, // ServeMux answers the others
		"Mount with ServeHTTP below": {mounted(base+"/", http.StripPrefix(base, api)), all},
		"Mount with NotFound below":  {mounted(base+"/", api.NotFound()), all},
		"Mount with NotFound at /":   {mounted("/", api.NotFound()), all},
		"ServeHTTP":                  {http.StripPrefix(base, api), all},
		"NotFound":                   {api.NotFound(), all},
		"NotFound without the base":  {http.StripPrefix(base, api.NotFound()), all},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for path, allow := range map[string]string{
				changelogPath: "POST", disputePath: "POST", assetsPath: "GET, HEAD, POST", oldReports: "POST",
				ownPath: "GET, HEAD", reportPath: "POST", newReports: "GET, HEAD", documentPath: "GET, HEAD",
			} {
				for _, method := range c.methods {
					if slices.Contains(strings.Split(allow, ", "), method) {
						continue
					}
					// Without a key and a body: the method is checked first.
					recorder := httptest.NewRecorder()
					checked(t, c.handler).ServeHTTP(recorder, newRequest(method, path, nil))
					got := response{recorder.Code, recorder.Header(), recorder.Body.String()}
					requireError(t, got, path, http.StatusMethodNotAllowed, "METHOD_NOT_SUPPORTED", "Method not supported")
					require.Equal(t, []string{allow}, got.Header.Values("Allow"), method+" "+path)
				}
			}
		})
	}
}

func TestAPI_NotFound_NeverServesAnOperation(t *testing.T) {
	t.Parallel()
	handler := start(t).api.NotFound()
	requireNotFound := func(r *http.Request) {
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, r)
		require.Equal(t, http.StatusNotFound, recorder.Code, r.Method+" "+r.URL.Path)
		require.Equal(t, standard("NOT_FOUND", "No such operation"), recorder.Body.String())
	}
	requireNotFound(newGet(newReports, acmeKey))
	requireNotFound(newGet(documentPath, ""))
	for path, body := range posts {
		requireNotFound(newPost(path, acmeKey, strings.NewReader(body)))
	}
}

// The deprecated listing may have a path that ends in the path of another operation.
func TestAPI_NotFound_LongestPath(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/organization/reports", "/organization/assets"} {
		api := newAPI(t, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/old" + path})
		for target, deprecated := range map[string]bool{base + "/old" + path: true, "/old" + path: true, base + path: false} {
			recorder := httptest.NewRecorder()
			api.NotFound().ServeHTTP(recorder, newRequest("PROPFIND", target, nil))
			require.Equal(t, http.StatusMethodNotAllowed, recorder.Code, target)
			require.Equal(t, deprecated, recorder.Header().Get("Deprecation") != "", target)
		}
	}
}

func TestAPI_Mount_HostPatterns(t *testing.T) {
	t.Parallel()
	host := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("host")) })
	mux := http.NewServeMux()
	mux.Handle("GET /", host)
	mux.Handle("GET /api/v2/", host)
	mux.Handle("POST /api/v2/login", host)
	newAPI(t, fullAccess(), httpapi.Options{}).Mount(mux, base)

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

func TestAPI_Routes(t *testing.T) {
	t.Parallel()
	const (
		noReports = `{"reports":[],"nextCursor":null}`
		unknown   = `{"content":"https://bad.example.com/x","type":"URL","canonical":"https://bad.example.com/x",` +
			`"status":"UNKNOWN","source":"NONE","match":null,"lists":[],"listsFailed":[]}`
		noAssets = `{"assets":[],"nextCursor":null}`
		noFeed   = `{"changes":[],"cursor":""}`
		whole    = `{"fingerprint":null,"name":null,"expiresAt":null,"scopes":["changelog","dispute","allowlist","reports","report:write","check"],` +
			`"user":null,"organization":{"id":1,"slug":"acme","name":""}}`
	)
	type routed struct {
		body       string
		status     int
		response   string
		deprecated bool
	}
	own := map[string]routed{
		"POST /asset/changelog": {`{}`, http.StatusOK, noChanges, false},
		"GET /asset/list":       {"", http.StatusOK, noAssets, false},
		"HEAD /asset/list":      {"", http.StatusOK, noAssets, false}, // the server drops the body
		"GET /asset/feed":       {"", http.StatusOK, noFeed, false},
		"HEAD /asset/feed":      {"", http.StatusOK, noFeed, false}, // the server drops the body
		"GET /asset/hashes":     {"", http.StatusNotFound, noHashes, false},
		"HEAD /asset/hashes":    {"", http.StatusNotFound, noHashes, false}, // the server drops the body
		"POST /dispute/create": {
			`{"content":"https://never.example.com","email":"ada@acme.test"}`,
			http.StatusNotFound, standard("NOT_FOUND", "Asset not found"), false,
		},
		"GET /dispute/get":          {"", http.StatusBadRequest, invalid("id: is required"), false},
		"HEAD /dispute/get":         {"", http.StatusBadRequest, invalid("id: is required"), false}, // the server drops the body
		"POST /report/create":       {`{}`, http.StatusBadRequest, invalid("proposals: is required"), false},
		"POST /asset/check":         {posts[checkPath], http.StatusOK, unknown, false},
		"POST /asset/check/batch":   {posts[batchPath], http.StatusOK, `{"results":[` + unknown + `]}`, false},
		"GET /organization/assets":  {"", http.StatusOK, noAssets, false},
		"HEAD /organization/assets": {"", http.StatusOK, noAssets, false}, // the server drops the body
		"POST /organization/assets": {
			posts[assetsPath], http.StatusOK,
			`{"results":[` + added("https://new.example.com", "1") + `],"successCount":1,"errorCount":0}`, false,
		},
		"POST /organization/assets/remove": {
			`{"ids":[1]}`, http.StatusOK,
			`{"results":[{"id":1,"success":true}],"successCount":1,"errorCount":0}`, false,
		},
		"POST /old/reports":          {posts[oldReports], http.StatusOK, noReports, true},
		"GET /organization/reports":  {"", http.StatusOK, noReports, false},
		"HEAD /organization/reports": {"", http.StatusOK, noReports, false}, // the server drops the body
		"GET /caller/get":            {"", http.StatusOK, whole, false},
		"HEAD /caller/get":           {"", http.StatusOK, whole, false}, // the server drops the body
		"GET /openapi.json":          {"", http.StatusOK, document(t, ".", "/old/reports"), false},
		"HEAD /openapi.json":         {"", http.StatusOK, document(t, ".", "/old/reports"), false},
	}
	for _, format := range lists.Writable() {
		var list strings.Builder
		_, err := lists.Write(&list, format, func(asset.Filter) iter.Seq2[asset.Listed, error] {
			return func(func(asset.Listed, error) bool) {}
		}, lists.WriteOptions{Serial: 1})
		require.NoError(t, err)
		own["GET /asset/export/"+string(format)] = routed{"", http.StatusOK, list.String(), false}
		own["HEAD /asset/export/"+string(format)] = routed{"", http.StatusOK, "", false}
	}
	api := newAPI(t, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/old/reports"})
	routes := api.Routes()
	listed := make([]string, 0, len(routes))
	for _, route := range routes {
		name := route.Method + " " + route.Path
		listed = append(listed, name)
		// The handler does not depend on the path of the request.
		r := newPost("/somewhere/else", "", strings.NewReader(own[name].body))
		r.Method = route.Method
		recorder := httptest.NewRecorder()
		route.Handler.ServeHTTP(recorder, r)
		require.Equal(t, own[name].status, recorder.Code, name)
		require.Equal(t, own[name].response, recorder.Body.String(), name)
		require.Equal(t, own[name].deprecated, recorder.Header().Get("Deprecation") != "", name)

		r.Method = "BREW"
		recorder = httptest.NewRecorder()
		route.Handler.ServeHTTP(recorder, r)
		require.Equal(t, http.StatusMethodNotAllowed, recorder.Code, route.Path)
	}
	exports := make([]string, 0, 32)
	for _, format := range lists.Writable() {
		exports = append(exports, "GET /asset/export/"+string(format), "HEAD /asset/export/"+string(format))
	}
	require.Equal(t, append(exports,
		"GET /asset/list",
		"HEAD /asset/list",
		"POST /asset/changelog",
		"GET /asset/feed",
		"HEAD /asset/feed",
		"GET /asset/hashes",
		"HEAD /asset/hashes",
		"POST /asset/check",
		"POST /asset/check/batch",
		"POST /dispute/create",
		"GET /dispute/get",
		"HEAD /dispute/get",
		"GET /organization/assets",
		"HEAD /organization/assets",
		"POST /organization/assets",
		"POST /organization/assets/remove",
		"POST /old/reports",
		"GET /organization/reports",
		"HEAD /organization/reports",
		"POST /report/create",
		"GET /caller/get",
		"HEAD /caller/get",
		"GET /openapi.json",
		"HEAD /openapi.json",
	), listed)
}
