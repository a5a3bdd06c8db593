package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
)

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

// counter counts what is registered.
type counter int

func (c *counter) Handle(string, http.Handler) { *c++ }

func TestAPI_Mount_InvalidBase(t *testing.T) {
	t.Parallel()
	api := newAPI(t, fullAccess(), httpapi.Options{})
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

func TestAPI_Mount_WithFallback(t *testing.T) {
	t.Parallel()
	api := newAPI(t, fullAccess(), httpapi.Options{})
	mux := http.NewServeMux()
	mux.Handle("/", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("host")) }))
	api.Mount(mux, base)
	mux.Handle(base+"/", http.StripPrefix(base, api))
	for _, method := range []string{"FOO", "PROPFIND", "post"} {
		for path := range posts {
			recorder := httptest.NewRecorder()
			checked(t, mux).ServeHTTP(recorder, newRequest(method, path, nil))
			got := reply{recorder.Code, recorder.Header(), recorder.Body.String()}
			requireError(t, got, path, http.StatusMethodNotAllowed, "METHOD_NOT_SUPPORTED", "Method not supported")
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

func TestAPI_Mount_UnsupportedMethods(t *testing.T) {
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

func TestAPI_Routes(t *testing.T) {
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
	api := newAPI(t, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/old/reports"})
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
