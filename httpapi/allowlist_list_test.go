package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

func TestListAllowlist(t *testing.T) {
	t.Parallel()
	clock := now
	s := startWith(t, setup{guard: apguard.Options{Clock: func() time.Time { return clock }}})
	require.Equal(t, http.StatusOK, s.post(assetsPath, acmeKey, `{"assets":[
		{"content":" HTTPS://bad.example.com/","name":"Shop","description":"Ours","groupId":7,"expiresAt":"2025-06-02T00:00:00Z"},
		{"content":"https://soon.example.com","expiresAt":"2025-06-01T12:00:01Z"},{"content":"good.example.com"}]}`).Status)
	require.Equal(t, http.StatusOK, s.post(assetsPath, globexKey, `{"assets":[{"content":"https://quiet.example.com"}]}`).Status)
	good := asset.Identity{Type: asset.TypePage, Canonical: "good.example.com"}
	_, err := s.guard.Assets.SetStatus(t.Context(), asset.SetStatusRequest{Identity: good, Status: asset.StatusBlocked, ConfirmProtected: true})
	require.NoError(t, err)
	clock = now.Add(time.Minute)
	const (
		bad = `{"id":1,"type":"URL","content":"https://bad.example.com","submitted":"HTTPS://bad.example.com/","name":"Shop","description":"Ours",` +
			`"groupId":7,"addedAt":"2025-06-01T12:00:00.123Z","expiresAt":"2025-06-02T00:00:00.000Z","status":"ALLOWED"}`
		kept = `{"id":2,"type":"PAGE","content":"good.example.com","submitted":"good.example.com","name":null,"description":null,` +
			`"groupId":null,"addedAt":"2025-06-01T12:00:00.123Z","expiresAt":null,"status":"BLOCKED"}`
	)
	for reason, c := range map[string]struct{ query, assets, next string }{
		"everything that lasts": {"", bad + "," + kept, "null"},
		"empty parameters":      {"limit=&cursor=&status=&groupId=&prefix=", bad + "," + kept, "null"},
		"the first page":        {"limit=1", bad, "1"},
		"the next page":         {"limit=1&cursor=1", kept, "null"},
		"a status":              {"status=BLOCKED", kept, "null"},
		"a group":               {"groupId=7", bad, "null"},
		"a foreign group":       {"groupId=8", "", "null"},
		"a prefix":              {"prefix=https%3A%2F%2Fb", bad, "null"},
		"a prefix as submitted": {"prefix=HTTPS", "", "null"},
		"nothing that fits all": {"status=BLOCKED&groupId=7", "", "null"},
	} {
		got := s.get(assetsPath+"?"+c.query, acmeKey)
		require.Equal(t, http.StatusOK, got.Status, got.Body)
		require.Equal(t, `{"assets":[`+c.assets+`],"nextCursor":`+c.next+`}`, got.Body, reason)
	}
}

func TestListAllowlist_Errors(t *testing.T) {
	t.Parallel()
	s := start(t)
	requireInvalid(t, s.get(assetsPath+"?limit=1001&cursor=0&status=blocked&groupId=x&prefix=%00&content=x", acmeKey),
		"content: unknown field", "groupId: must be a whole number from 1 to 2^53-1", "prefix: must be valid UTF-8 without NUL",
		"cursor: must be a whole number from 1", "limit: must be from 1 to 1000", "status: must be UNKNOWN, ALLOWED or BLOCKED")
	requireInvalid(t, s.get(assetsPath+"?limit=0", acmeKey), "limit: must be from 1 to 1000")
	s.addKeyOf("apg_reports", 1, 1, account.ScopeReports, account.ScopeCheck, account.ScopeChangelog)
	for key, issue := range map[string]string{
		powerlessKey: "lacks the scope allowlist", looseKey: "has no organization", "apg_reports": "lacks the scope allowlist",
	} {
		requireForbidden(t, s.get(assetsPath, key), issue)
	}
	require.Equal(t, standard("UNAUTHORIZED", "Authorization not provided"), s.get(assetsPath, unknownKey).Body)
	got := s.do(newRequest(http.MethodPut, assetsPath, nil))
	require.Equal(t, "GET, HEAD, POST", got.Header.Get("Allow"))
	requireError(t, got, assetsPath, http.StatusMethodNotAllowed, "METHOD_NOT_SUPPORTED", "Method not supported")
}

func FuzzListAllowlist(f *testing.F) {
	for _, query := range []string{"", "limit=1&cursor=4&status=ALLOWED&groupId=7&prefix=https", "limit=0&limit=1;%zz%00%ff"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := newGet(assetsPath, acmeKey)
		r.URL.RawQuery = query
		requireResponse(t, start(t).do(r), newReports, "assets", "nextCursor")
	})
}
