package httpapi_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage/memory"
)

func TestNew_Errors(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{})
	without := func(remove func(*apguard.Guard)) *apguard.Guard {
		lacking := *guard
		remove(&lacking)
		return &lacking
	}
	for reason, c := range map[string]struct {
		service       httpapi.Service
		authenticator httpapi.Authenticator
		options       httpapi.Options
	}{
		"no service":                   {nil, fullAccess(), httpapi.Options{}},
		"no guard":                     {(*apguard.Guard)(nil), fullAccess(), httpapi.Options{}},
		"a guard that is zero":         {&apguard.Guard{}, fullAccess(), httpapi.Options{}},
		"a guard without assets":       {without(func(g *apguard.Guard) { g.Assets = nil }), fullAccess(), httpapi.Options{}},
		"a guard without an allowlist": {without(func(g *apguard.Guard) { g.Allowlist = nil }), fullAccess(), httpapi.Options{}},
		"a guard without disputes":     {without(func(g *apguard.Guard) { g.Disputes = nil }), fullAccess(), httpapi.Options{}},
		"a guard without reports":      {without(func(g *apguard.Guard) { g.Reports = nil }), fullAccess(), httpapi.Options{}},
		"no authenticator":             {guard, nil, httpapi.Options{}},
		"API keys of no accounts":      {guard, httpapi.APIKeys(nil), httpapi.Options{}},
		"a negative body size":         {guard, fullAccess(), httpapi.Options{MaxBody: -1}},
		"a negative time to write":     {guard, fullAccess(), httpapi.Options{WriteTimeout: -1}},
		"a path without a slash":       {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "reports"}},
		"the root":                     {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/"}},
		"a path that ends in a slash":  {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/reports/"}},
		"a path with dots":             {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/a/../b"}},
		"a wildcard":                   {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/{slug}/reports"}},
		"a space":                      {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/old reports"}},
		"the path of another one":      {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/organization/assets"}},
		"the path of the document":     {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/openapi.json"}},
		"the path of its successor":    {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/organization/reports"}},
		"a path that is not all ASCII": {guard, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/b\u00e9richte"}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			api, err := httpapi.New(c.service, c.authenticator, c.options)
			require.ErrorIs(t, err, httpapi.ErrOptions)
			require.Nil(t, api)
		})
	}
}

func TestNew_WithoutAccounts(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{})
	guard.Accounts = nil
	_, err := httpapi.New(guard, fullAccess(), httpapi.Options{})
	require.NoError(t, err)
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
