package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

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

// The Authenticator of a host application can name an organization that was never made. Its allowlist cannot
// be changed, as that of a caller without an organization.
func TestPermits_UnknownOrganization(t *testing.T) {
	t.Parallel()
	unknown := fixedPrincipal{principal: account.Principal{OrganizationID: 2, Scopes: account.Scopes()}}
	api := newAPI(t, unknown, httpapi.Options{})
	w := httptest.NewRecorder()
	api.ServeHTTP(w, newPost("/organization/assets", "", strings.NewReader(posts[assetsPath])))
	require.Equal(t, http.StatusUnauthorized, w.Code)
	require.JSONEq(t, `{"error":{"code":"UNAUTHORIZED","message":"Authorization not provided"}}`, w.Body.String())
}

func TestPermits(t *testing.T) {
	t.Parallel()
	s := start(t)
	lacked := map[string]string{
		changelogPath: "lacks the scope changelog", checkPath: "lacks the scope check", batchPath: "lacks the scope check",
		disputePath: "lacks the scope dispute", oldReports: "lacks the scope reports", reportPath: "lacks the scope report:write",
	}
	for path := range posts {
		// Access is checked before the body, which is invalid.
		got := s.post(path, powerlessKey, "not JSON")
		if changesAllowlist(path) {
			requireError(t, got, path, http.StatusUnauthorized, "UNAUTHORIZED", "Authorization not provided")
		} else {
			requireForbidden(t, got, lacked[path])
		}
	}
	requireForbidden(t, s.get(ownPath+"?id=x", powerlessKey), "lacks the scope dispute")
	requireForbidden(t, s.get(newReports, powerlessKey), "lacks the scope reports")

	// Some operations do not need an organization.
	requireError(t, s.post(assetsPath, looseKey, "{}"), assetsPath, http.StatusUnauthorized, "UNAUTHORIZED", "Authorization not provided")
	requireError(t, s.post(removePath, looseKey, "{}"), removePath, http.StatusUnauthorized, "UNAUTHORIZED", "Authorization not provided")
	requireForbidden(t, s.post(oldReports, looseKey, "{}"), "has no organization")
	requireForbidden(t, s.get(newReports, looseKey), "has no organization")
	requireForbidden(t, s.post(reportPath, looseKey, "{}"), "has no organization")
	require.Equal(t, http.StatusOK, s.post(changelogPath, looseKey, "{}").Status)
	require.Equal(t, http.StatusOK, s.post(disputePath, looseKey, `{"content":"https://bad.example.com","email":"a@b.test"}`).Status)
}

// The specification answers a key without access to the allowlist with 401 in the wrapped body. It names no
// status for the other operations of an organization, which have 403 in the standard body. Nothing else
// that is wrong with a request comes before.
func TestPermits_Organization(t *testing.T) {
	t.Parallel()
	s := start(t)
	forbidden := regexp.MustCompile(`^\{"code":"FORBIDDEN","message":"Insufficient access","issues":\[` +
		`(\{"message":"your key (lacks the scope (allowlist|reports|report:write)|has no organization)"\},?)+\]\}$`)
	own := []account.Scope{account.ScopeAllowlist, account.ScopeReports, account.ScopeReportWrite}
	others := []account.Scope{account.ScopeChangelog, account.ScopeDispute, account.ScopeCheck}
	for kind, request := range map[string]account.KeyRequest{
		"every scope, a user, no organization":  {UserID: 1, Scopes: account.Scopes()},
		"every scope, no organization":          {Scopes: account.Scopes()},
		"its scope, no organization":            {Scopes: own},
		"no scope and no organization":          {},
		"no scope":                              {OrganizationID: 1, UserID: 1},
		"scopes of other operations":            {OrganizationID: 1, UserID: 1, Scopes: others},
		"an operator's scopes":                  {OrganizationID: 1, UserID: 1, Scopes: append(account.OperatorScopes(), account.ScopeOperatorAdmin)},
		"its scope, no organization, an expiry": {Scopes: own, ExpiresAt: now.Add(time.Hour)},
	} {
		key, err := s.guard.Keys.Create(t.Context(), request)
		require.NoError(t, err)
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for reason, r := range organizationRequests() {
				r.Header.Set("X-API-KEY", key)
				got := s.do(r)
				if r.Method != http.MethodGet && changesAllowlist(r.URL.Path) {
					require.Equal(t, http.StatusUnauthorized, got.Status, reason)
					require.Equal(t, wrapped("UNAUTHORIZED", "Authorization not provided"), got.Body, reason)
					continue
				}
				require.Equal(t, http.StatusForbidden, got.Status, reason)
				require.Regexp(t, forbidden, got.Body, reason)
			}
		})
	}
}

// organizationRequests returns requests for the operations of an organization, by what is wrong with them.
func organizationRequests() map[string]*http.Request {
	requests := make(map[string]*http.Request)
	for path, valid := range map[string]string{
		assetsPath: `{"assets":[{"content":"https://new.example.com"}]}`,
		removePath: `{"contents":["https://new.example.com"]}`,
		oldReports: `{"slug":"acme","limit":20}`,
		reportPath: posts[reportPath],
	} {
		for reason, body := range map[string]string{
			"nothing": valid, "an empty body": "", "an empty object": "{}", "not JSON": "[", "a dry run": dryRun(valid), "NUL": "\x00",
			"too many assets": `{"assets":[{}` + strings.Repeat(",{}", 1000) + `]}`, "an empty list": `{"assets":[]}`,
			"an unknown group": `{"assets":[{"content":"https://new.example.com","groupId":99}]}`,
			"too large":        strings.Repeat(" ", 5<<20), "another slug": `{"slug":"globex","limit":20}`,
		} {
			requests[path+": "+reason] = newPost(path, "", strings.NewReader(body))
		}
		for reason, header := range map[string][2]string{
			"another content type":           {"Content-Type", "text/plain"},
			"a compressed body":              {"Content-Encoding", "gzip"},
			"an invalid idempotency key":     {"Idempotency-Key", "\u00e9"},
			"an unnecessary idempotency key": {"Idempotency-Key", "k"},
		} {
			r := newPost(path, "", strings.NewReader(valid))
			r.Header.Set(header[0], header[1])
			requests[path+": "+reason] = r
		}
		repeated := newPost(path, "", strings.NewReader(valid))
		repeated.Header["Idempotency-Key"] = []string{"a", "b"}
		requests[path+": repeated idempotency key"] = repeated
	}
	for reason, query := range map[string]string{"nothing": "", "a limit": "?limit=0", "an unknown field": "?x=1", "an invalid query": "?%zz"} {
		for _, path := range []string{assetsPath, newReports} {
			requests["GET "+path+": "+reason] = newGet(path+query, "")
		}
	}
	return requests
}

func TestPermits_ScopeOfEachOperation(t *testing.T) {
	t.Parallel()
	need := map[account.Scope]string{
		account.ScopeChangelog:   changelogPath,
		account.ScopeDispute:     disputePath,
		account.ScopeAllowlist:   assetsPath,
		account.ScopeReports:     oldReports,
		account.ScopeReportWrite: reportPath,
		account.ScopeCheck:       checkPath,
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
		recorder = httptest.NewRecorder()
		checked(t, mux).ServeHTTP(recorder, newRequest(http.MethodGet, ownPath+"?id=1", nil))
		require.Equal(t, scope == account.ScopeDispute, recorder.Code == http.StatusNotFound, scope)
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
