package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
)

func TestAPIKeys(t *testing.T) {
	t.Parallel()
	s := start(t)
	for reason, keys := range map[string][]string{
		"missing":                    nil,
		"empty":                      {""},
		"blank":                      {"  "},
		"unknown":                    {unknownKey},
		"repeated":                   {acmeKey, acmeKey},
		"repeated with an empty one": {acmeKey, ""},
		"too long":                   {strings.Repeat("a", 1<<16)},
		"control character":          {acmeKey + "\x00"},
		"outside of ASCII":           {"cl\u00e9"},
		"another case":               {strings.ToUpper(acmeKey)},
	} {
		for path, body := range posts {
			r := newPost(path, "", strings.NewReader(body))
			r.Header["X-Api-Key"] = keys
			requireError(t, s.do(r), path, http.StatusUnauthorized, "UNAUTHORIZED", "Authorization not provided")
		}
		r := newRequest(http.MethodGet, newReports, nil)
		r.Header["X-Api-Key"] = keys
		requireError(t, s.do(r), newReports, http.StatusUnauthorized, "UNAUTHORIZED", "Authorization not provided")
		require.Empty(t, s.log.String(), reason)
	}
}

func TestPermits(t *testing.T) {
	t.Parallel()
	s := start(t)
	for path := range posts {
		// Access is checked before the body, which is invalid.
		got := s.post(path, powerlessKey, "not JSON")
		if changesAllowlist(path) {
			requireError(t, got, path, http.StatusUnauthorized, "UNAUTHORIZED", "Authorization not provided")
		} else {
			requireError(t, got, path, http.StatusForbidden, "FORBIDDEN", "Insufficient access")
		}
	}
	requireError(t, s.get(newReports, powerlessKey), newReports, http.StatusForbidden, "FORBIDDEN", "Insufficient access")

	// Some operations do not need an organization.
	requireError(t, s.post(assetsPath, looseKey, "{}"), assetsPath, http.StatusUnauthorized, "UNAUTHORIZED", "Authorization not provided")
	requireError(t, s.post(removePath, looseKey, "{}"), removePath, http.StatusUnauthorized, "UNAUTHORIZED", "Authorization not provided")
	requireError(t, s.post(oldReports, looseKey, "{}"), oldReports, http.StatusForbidden, "FORBIDDEN", "Insufficient access")
	requireError(t, s.get(newReports, looseKey), newReports, http.StatusForbidden, "FORBIDDEN", "Insufficient access")
	require.Equal(t, http.StatusOK, s.post(changelogPath, looseKey, "{}").Status)
	require.Equal(t, http.StatusOK, s.post(disputePath, looseKey, `{"content":"https://bad.example.com","email":"a@b.test"}`).Status)
}

func TestPermits_ScopeOfEachOperation(t *testing.T) {
	t.Parallel()
	need := map[account.Scope]string{
		account.ScopeChangelog: changelogPath,
		account.ScopeDispute:   disputePath,
		account.ScopeAllowlist: assetsPath,
		account.ScopeReports:   oldReports,
		account.ScopeCheck:     checkPath,
	}
	for _, scope := range account.Scopes() {
		principal := account.Principal{OrganizationID: 1, OrganizationSlug: "acme", Scopes: []account.Scope{scope}}
		mux := http.NewServeMux()
		newAPI(t, fixedPrincipal{principal: principal}, httpapi.Options{}).Mount(mux, base)
		for needed, path := range need {
			recorder := httptest.NewRecorder()
			checked(t, mux).ServeHTTP(recorder, newPost(path, "", strings.NewReader("[]")))
			passed := recorder.Code == http.StatusBadRequest
			require.Equal(t, scope == needed, passed, "%s on %s: %d", scope, path, recorder.Code)
		}
		recorder := httptest.NewRecorder()
		checked(t, mux).ServeHTTP(recorder, newRequest(http.MethodGet, newReports, nil))
		require.Equal(t, scope == account.ScopeReports, recorder.Code == http.StatusOK, scope)
	}
}

func TestAuthenticate_Errors(t *testing.T) {
	t.Parallel()
	secret := errors.New("the directory at 10.0.0.7 is down")
	for reason, c := range map[string]struct {
		err    error
		status int
		logged bool
	}{
		"unauthenticated":                  {httpapi.ErrUnauthenticated, http.StatusUnauthorized, false},
		"unauthenticated, wrapped":         {fmt.Errorf("token expired: %w", httpapi.ErrUnauthenticated), http.StatusUnauthorized, false},
		"unknown key":                      {&account.KeyError{Err: account.ErrUnknownKey}, http.StatusUnauthorized, false},
		"revoked key, wrapped":             {fmt.Errorf("cache: %w", &account.KeyError{Err: errors.New("revoked")}), http.StatusUnauthorized, false},
		"key error without a cause":        {&account.KeyError{}, http.StatusUnauthorized, false},
		"challenge":                        {&httpapi.ChallengeError{Challenge: "Bearer"}, http.StatusUnauthorized, false},
		"failure":                          {secret, http.StatusInternalServerError, true},
		"failure that matches ErrNotFound": {fmt.Errorf("%w: %w", asset.ErrNotFound, secret), http.StatusInternalServerError, true},
		"failure that is an InputError":    {errors.Join(&asset.InputError{}, secret), http.StatusInternalServerError, true},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			var log strings.Builder
			logger := newLogger(&log)
			api := newAPI(t, fixedPrincipal{err: c.err}, httpapi.Options{Logger: logger})
			recorder := httptest.NewRecorder()
			r := newPost("/asset/changelog", acmeKey, strings.NewReader("{}"))
			checked(t, api).ServeHTTP(recorder, r)
			require.Equal(t, c.status, recorder.Code)
			require.NotContains(t, recorder.Body.String(), "10.0.0.7")
			require.NotContains(t, log.String(), acmeKey)
			if c.logged {
				require.Equal(t, standard("INTERNAL_SERVER_ERROR", "Internal server error"), recorder.Body.String())
				require.Contains(t, log.String(), "method=POST path=/asset/changelog ")
				require.Contains(t, log.String(), secret.Error())
			} else {
				require.Empty(t, log.String())
			}
		})
	}
}

func TestAuthenticate_InvalidPrincipals(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		organization, user int64
		status             int
	}{
		"negative organization": {-1, 1, http.StatusInternalServerError},
		"organization 2^53":     {1 << 53, 1, http.StatusInternalServerError},
		"negative user":         {1, -1, http.StatusInternalServerError},
		"user 2^53":             {1, 1 << 53, http.StatusInternalServerError},
		"largest IDs":           {1<<53 - 1, 1<<53 - 1, http.StatusOK},
		"no user":               {1, 0, http.StatusOK},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			principal := fullAccess().principal
			principal.OrganizationID, principal.UserID = c.organization, c.user
			var log strings.Builder
			logger := newLogger(&log)
			mux := http.NewServeMux()
			newAPI(t, fixedPrincipal{principal: principal}, httpapi.Options{Logger: logger}).Mount(mux, base)
			for path, body := range posts {
				log.Reset()
				recorder := httptest.NewRecorder()
				checked(t, mux).ServeHTTP(recorder, newPost(path, "", strings.NewReader(body)))
				if c.status == http.StatusOK {
					require.Less(t, recorder.Code, http.StatusInternalServerError, path)
					require.Empty(t, log.String())
					continue
				}
				got := response{recorder.Code, recorder.Header(), recorder.Body.String()}
				requireError(t, got, path, http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "Internal server error")
				require.Contains(t, log.String(), fmt.Sprintf("organization %d and user %d", c.organization, c.user))
			}
		})
	}
}

func TestAuthenticate_ChallengeOfTheHost(t *testing.T) {
	t.Parallel()
	api := newAPI(t, fixedPrincipal{err: httpapi.ErrUnauthenticated}, httpapi.Options{})
	recorder := httptest.NewRecorder()
	recorder.Header().Set("WWW-Authenticate", `Basic realm="staff"`)
	checked(t, api).ServeHTTP(recorder, newPost("/asset/changelog", "", strings.NewReader("{}")))
	require.Equal(t, http.StatusUnauthorized, recorder.Code)
	require.Equal(t, []string{`Basic realm="staff"`}, recorder.Header().Values("WWW-Authenticate"))
}

func TestAuthenticate_ChallengeOfTheOptions(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		err         error
		outer, want string
	}{
		"of the options": {httpapi.ErrUnauthenticated, "", `Bearer realm="staff"`},
		"of middleware":  {httpapi.ErrUnauthenticated, "Basic", "Basic"},
		"of the error":   {&httpapi.ChallengeError{Challenge: "Digest"}, "Basic", "Digest"},
	} {
		api := newAPI(t, fixedPrincipal{err: c.err}, httpapi.Options{Challenge: `Bearer realm="staff"`})
		for _, path := range operationPaths() {
			recorder := httptest.NewRecorder()
			if c.outer != "" {
				recorder.Header().Set("WWW-Authenticate", c.outer)
			}
			checked(t, http.StripPrefix(base, api)).ServeHTTP(recorder, newOperationRequest(path, ""))
			require.Equal(t, http.StatusUnauthorized, recorder.Code)
			require.Equal(t, []string{c.want}, recorder.Header().Values("WWW-Authenticate"), reason)
		}
	}
	// Missing access to the batch add has the same challenge.
	api := newAPI(t, fixedPrincipal{}, httpapi.Options{Challenge: "Bearer"})
	got := testServer{Handler: api, tb: t}.post("/organization/assets", "", "{}")
	require.Equal(t, "Bearer", got.Header.Get("WWW-Authenticate"))
}

func TestChallengeError(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("token expired: %w", &httpapi.ChallengeError{Challenge: `Bearer realm="staff"`})
	require.ErrorIs(t, err, httpapi.ErrUnauthenticated)
	require.NotErrorIs(t, err, account.ErrUnknownKey)
	require.Equal(t, `token expired: not authenticated: Bearer realm="staff"`, err.Error())
	api := newAPI(t, fixedPrincipal{err: err}, httpapi.Options{})
	recorder := httptest.NewRecorder()
	recorder.Header().Set("WWW-Authenticate", "Basic")
	checked(t, api).ServeHTTP(recorder, newPost("/asset/changelog", "", strings.NewReader("{}")))
	require.Equal(t, http.StatusUnauthorized, recorder.Code)
	require.Equal(t, []string{`Bearer realm="staff"`}, recorder.Header().Values("WWW-Authenticate"))
}

func TestOrganizationsAreIsolated(t *testing.T) {
	t.Parallel()
	s := start(t)
	body := `{"assets":[{"content":"https://shared.example.com","groupId":7}]}`
	requireError(t, s.post(assetsPath, globexKey, body), assetsPath, http.StatusNotFound, "NOT_FOUND", "Group with ID 7 not found")
	require.Contains(t, s.post(assetsPath, acmeKey, body).Body, `"successCount":1`)
	require.Contains(t, s.post(assetsPath, acmeKey, body).Body, `"Asset already exists in organization"`)
	mine := strings.Replace(body, "7", "8", 1)
	require.Contains(t, s.post(assetsPath, globexKey, mine).Body, `"successCount":1`)

	listed, err := s.guard.Allowlist.List(context.Background(), allowlist.ListRequest{OrganizationID: 2})
	require.NoError(t, err)
	require.Len(t, listed.Entries, 1)
	require.EqualValues(t, 8, listed.Entries[0].GroupID)

	require.Contains(t, s.get(newReports, globexKey).Body, `"title":"Of Globex"`)
	require.NotContains(t, s.get(newReports, globexKey).Body, "Bad site")
	require.NotContains(t, s.get(newReports+"?slug=globex", acmeKey).Body, "Of Globex")
	requireError(t, s.post(oldReports, globexKey, posts[oldReports]), oldReports, http.StatusForbidden, "FORBIDDEN", "Insufficient access")
}
