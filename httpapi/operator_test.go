package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/storage/memory"
)

func TestNewOperator_invalid(t *testing.T) {
	t.Parallel()
	whole := apguard.New(memory.New(), apguard.Options{})
	for reason, c := range map[string]struct {
		guard         *apguard.Guard
		authenticator httpapi.Authenticator
		options       httpapi.Options
	}{
		"no guard":           {nil, fullAccess(), httpapi.Options{}},
		"no authenticator":   {whole, nil, httpapi.Options{}},
		"no room for a body": {whole, fullAccess(), httpapi.Options{MaxBodyBytes: httpapi.MaxBody - 1}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			api, err := httpapi.NewOperator(c.guard, c.authenticator, c.options)
			require.ErrorIs(t, err, httpapi.ErrOptions)
			require.Nil(t, api)
		})
	}
	_, err := httpapi.NewOperator(whole, fullAccess(), httpapi.Options{MaxBatchBody: -1, DeprecatedReportsPath: "/asset/explain"})
	require.NoError(t, err, "options of the public API are ignored")
}

func TestOperator_Access(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for _, route := range s.api.Routes() {
		if route.Path == "/openapi.json" || route.Path == "/caller/get" { // every key may ask whose it is
			continue
		}
		admin := administers(route)
		write := !reads(route) && !admin
		right := map[bool]int{true: 0, false: http.StatusForbidden}
		for reason, c := range map[string]struct {
			key  string
			want int
		}{
			"an unknown key":                       {unknownKey, http.StatusUnauthorized},
			"every scope of an organization":       {acmeKey, http.StatusForbidden},
			"every scope without an organization":  {looseKey, http.StatusForbidden},
			"no scope":                             {powerlessKey, http.StatusForbidden},
			"only the right to read":               {readerKey, right[!write && !admin]},
			"only the right to write":              {writerKey, right[write]},
			"only the right to administer":         {adminKey, right[!write]}, // and to read
			"an operator's key without a user":     {userlessKey, right[!write && !admin]},
			"an operator's key without admin":      {operatorKey, right[!admin]},
			"no key at all":                        {"", http.StatusUnauthorized},
			"a key of an organization with a user": {globexKey, http.StatusForbidden},
		} {
			r := newPost(operatorBase+route.Path, c.key, strings.NewReader("{}"))
			r.Method = route.Method
			got := s.do(r).Status
			if c.want == 0 { // the request has no content, but access
				require.NotContains(t, []int{http.StatusUnauthorized, http.StatusForbidden}, got, "%s %s: %s", route.Method, route.Path, reason)
			} else {
				require.Equal(t, c.want, got, "%s %s: %s", route.Method, route.Path, reason)
			}
		}
	}
}

// administers reports whether a route administers keys or accounts, or removes what many have stored.
func administers(route httpapi.Route) bool {
	return route.Method == http.MethodPost && slices.Contains([]string{"key", "user", "organization", "group", "person", "prune"}, strings.Split(route.Path, "/")[1])
}

// keyFor returns a key that may call the route.
func keyFor(route httpapi.Route) string {
	if administers(route) {
		return adminKey
	}
	return operatorKey
}

// reads reports whether a route changes nothing.
func reads(route httpapi.Route) bool {
	return route.Method != http.MethodPost || route.Path == "/asset/preview"
}

// An operator's key opens nothing of the public API.
func TestOperator_PublicAPI(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.NoError(t, s.guard.Keys.Put(t.Context(), operatorKey, account.KeyRequest{
		OrganizationID: 1, UserID: operatorUser, Scopes: account.OperatorScopes(),
	}))
	for _, route := range s.api.Routes() {
		if route.Path == "/openapi.json" || route.Path == "/caller/get" {
			continue
		}
		r := newPost(base+route.Path, operatorKey, strings.NewReader("{}"))
		r.Method = route.Method
		require.Contains(t, []int{http.StatusUnauthorized, http.StatusForbidden}, s.do(r).Status, route.Path)
	}
}

// Neither API serves a path of the other one.
func TestOperator_Apart(t *testing.T) {
	t.Parallel()
	operators, public := startOperator(t), start(t)
	both := []string{"/openapi.json", "/caller/get", "/dispute/get"}
	for _, route := range operators.api.Routes() {
		if !slices.Contains(both, route.Path) {
			require.Equal(t, http.StatusNotFound, public.post(base+route.Path, acmeKey, "{}").Status, route.Path)
		}
	}
	for _, route := range public.api.Routes() {
		if !slices.Contains(both, route.Path) {
			require.Equal(t, http.StatusNotFound, operators.operate(route.Path, "{}").Status, route.Path)
		}
	}
}

// The operators' API has the pipeline of the public one.
func TestOperator_Pipeline(t *testing.T) {
	t.Parallel()
	observer := new(recordingObserver)
	s := startOperatorWith(t, setup{options: httpapi.Options{Observer: observer}})
	got := s.operate("/dispute/startReview", `{"id":1}`)
	require.Equal(t, http.StatusOK, got.Status)
	require.Equal(t, "no-store", got.Header.Get("Cache-Control"))
	require.NotEmpty(t, got.Header.Get("X-Request-Id"))
	info := observer.only(t)
	require.Equal(t, "/dispute/startReview", info.Operation)
	require.Equal(t, int64(operatorUser), info.UserID)
}

// Previews, lists of changes, reports, allowlists and groups, clearings, erasures, prunings, syncs, fetches and removals of lists, approvals of them, and tests of
// webhooks may take long. Single records have a bounded size.
func TestOperator_Costly(t *testing.T) {
	t.Parallel()
	var costly []string
	admission := admissionFunc(func(r limit.Request) (func(), error) {
		if r.Costly {
			costly = append(costly, r.Operation)
		}
		return nil, nil //nolint:nilnil // release may be nil
	})
	s := startOperatorWith(t, setup{options: httpapi.Options{Admission: []limit.Admission{admission}}})
	for _, route := range s.api.Routes() {
		r := newPost(operatorBase+route.Path, keyFor(route), strings.NewReader("{}"))
		r.Method = route.Method
		s.do(r)
	}
	require.Equal(t, []string{
		"/asset/changes", "/asset/changes", "/asset/preview", "/report/list", "/report/list",
		"/figures", "/figures", "/allowlist/list", "/allowlist/list", "/allowlist/clear", "/group/list", "/group/list", "/person/erase", "/prune",
		"/list/sync", "/list/fetch", "/list/remove", "/pending/approve", "/webhook/test",
	}, costly)
}
