package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
)

func TestAnnounceSuccessor_Link(t *testing.T) {
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
			checked(t, newAPI(t, fullAccess(), httpapi.Options{})).ServeHTTP(recorder, r)
			require.Equal(t, "<"+c.want+`>; rel="successor-version"`, recorder.Header().Get("Link"))
			require.Equal(t, "@1735689600", recorder.Header().Get("Deprecation"))
		})
	}
}

func TestOptions_DeprecatedReportsPath(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	newAPI(t, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/a/b/c"}).Mount(mux, "/v2")
	recorder := httptest.NewRecorder()
	mux.ServeHTTP(recorder, newPost("/v2/a/b/c", "", strings.NewReader(`{"slug":"acme","limit":1}`)))
	require.Equal(t, http.StatusOK, recorder.Code)
	require.Equal(t, `</v2/organization/reports>; rel="successor-version"`, recorder.Header().Get("Link"))

	r := newPost("/a/b/c", "", strings.NewReader(`{}`))
	r.RequestURI = "/rewritten"
	recorder = httptest.NewRecorder()
	newAPI(t, fullAccess(), httpapi.Options{DeprecatedReportsPath: "/a/b/c"}).ServeHTTP(recorder, r)
	require.Equal(t, `<../../organization/reports>; rel="successor-version"`, recorder.Header().Get("Link"))
}

func TestAnnounceSuccessor_EveryStatus(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{wrap: failing})
	ok := start(t)
	for reason, got := range map[string]response{
		"200": ok.post(oldReports, acmeKey, posts[oldReports]),
		"400": ok.post(oldReports, acmeKey, "{}"),
		"401": ok.post(oldReports, unknownKey, "{}"),
		"403": ok.post(oldReports, looseKey, "{}"),
		"405": ok.get(oldReports, acmeKey),
		"500": s.post(oldReports, acmeKey, posts[oldReports]),
	} {
		require.Equal(t, reason, strconv.Itoa(got.Status))
		require.Equal(t, "@1735689600", got.Header.Get("Deprecation"), reason)
		require.Equal(t, `</api/v2/organization/reports>; rel="successor-version"`, got.Header.Get("Link"), reason)
	}
	got := ok.get(newReports, acmeKey)
	require.Empty(t, got.Header.Get("Deprecation"))
	require.Empty(t, got.Header.Get("Link"))
}
