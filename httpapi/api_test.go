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
