package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
)

// A key is made, replaced and revoked. Its text is shown when it is made and never again.
func TestOperator_KeyLifecycle(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	created := s.administer("/key/create", `{"organizationId":1,"userId":1,"name":"Crawler","scopes":["check","check"],"expiresInSeconds":60}`)
	require.Equal(t, http.StatusOK, created.Status, created.Body)
	require.Equal(t, "no-store", created.Header.Get("Cache-Control"))
	fields := decode(t, created.Body)
	secret, fingerprint := fields["key"].(string), fields["fingerprint"].(string)
	require.Equal(t, account.Fingerprint(account.HashKey(secret)), fingerprint)
	require.Equal(t, []any{"check"}, fields["scopes"])
	require.Equal(t, "2025-06-01T12:01:00.123Z", fields["expiresAt"])
	principal, err := s.guard.Keys.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	require.Equal(t, []account.Scope{account.ScopeCheck}, principal.Scopes)

	rotated := decode(t, s.administer("/key/rotate", `{"fingerprint":"`+fingerprint+`","graceSeconds":10}`).Body)
	successor := rotated["key"].(string)
	require.NotEqual(t, secret, successor)
	require.Equal(t, "Crawler", rotated["name"])
	for _, key := range []string{secret, successor} {
		_, err = s.guard.Keys.Authenticate(t.Context(), key)
		require.NoError(t, err, "both are valid for a while")
	}
	revoke := `{"fingerprint":"` + rotated["fingerprint"].(string) + `"}`
	for range 2 {
		got := s.administer("/key/revoke", revoke)
		require.Equal(t, http.StatusOK, got.Status, got.Body)
		require.Equal(t, "REVOKED", decode(t, got.Body)["state"])
		require.NotContains(t, got.Body, successor)
	}
	_, err = s.guard.Keys.Authenticate(t.Context(), successor)
	require.ErrorIs(t, err, account.ErrRevokedKey)
	requireError(t, s.administer("/key/rotate", revoke), "", http.StatusConflict, "CONFLICT", "Key is revoked")

	list := s.read("/key/list?organizationId=1").Body
	for _, text := range []string{secret, successor} {
		require.NotContains(t, list, text)
		require.NotContains(t, s.log.String(), text)
	}
	require.Contains(t, list, fingerprint)
}

// Creating or rotating a key never gives a scope that the key of the caller lacks.
func TestOperator_KeyEscalation(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	before := s.keys()
	for _, scope := range []account.Scope{
		account.ScopeChangelog, account.ScopeDispute, account.ScopeAllowlist, account.ScopeReports, account.ScopeOperatorWrite,
	} {
		body := `{"scopes":["check","` + string(scope) + `"]}`
		requireError(t, s.administer("/key/create", body), "", http.StatusForbidden, "FORBIDDEN", "Your key lacks scopes of this key: "+string(scope))
	}
	writer := `{"fingerprint":"` + account.Fingerprint(account.HashKey(writerKey)) + `"}`
	requireError(t, s.administer("/key/rotate", writer), "", http.StatusForbidden, "FORBIDDEN", "Your key lacks scopes of this key: operator:write")
	require.Equal(t, before, s.keys())
	require.Equal(t, http.StatusOK, s.administer("/key/revoke", writer).Status, "a leaked key can be revoked by every administrator")
}

// keys returns all keys, without their last use.
func (s testServer) keys() []account.Key {
	s.tb.Helper()
	page, err := s.guard.Keys.ListPage(s.tb.Context(), account.KeyListRequest{Limit: account.MaxLimit})
	require.NoError(s.tb, err)
	for i := range page.Items {
		page.Items[i].LastUsedAt = account.Key{}.LastUsedAt
	}
	return page.Items
}

func TestOperator_ListKeys(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	keys := s.keys()
	require.Greater(t, len(keys), 5)
	want, got := make([]string, len(keys)), make([]string, 0, len(keys))
	for i, key := range keys {
		want[i] = key.Fingerprint()
	}
	for query := "limit=2"; query != ""; {
		var page struct {
			Keys       []struct{ Fingerprint string }
			NextCursor string
		}
		require.NoError(t, json.Unmarshal([]byte(s.read("/key/list?"+query).Body), &page))
		for _, key := range page.Keys {
			got = append(got, key.Fingerprint)
		}
		query = ""
		if page.NextCursor != "" {
			query = "limit=2&cursor=" + page.NextCursor
		}
	}
	require.Equal(t, want, got)
	for _, cursor := range []string{"1", "1.2", "1.2.0123456789AB", "-1.2.0123456789ab", "01.2.0123456789ab", "1.2.0123456789ab.3", "1.99999999999999999.0123456789ab"} {
		requireInvalid(t, s.read("/key/list?cursor="+cursor), "cursor: must be the nextCursor of a page")
	}
}

func TestOperator_InvalidKeys(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for body, issues := range map[string][]string{
		`{}`:                                {"scopes: must not be empty"},
		`{"scopes":[]}`:                     {"scopes: must not be empty"},
		`{"scopes":"check"}`:                {"scopes: must be an array"},
		`{"scopes":["check",1]}`:            {"scopes[1]: must be a string"},
		`{"scopes":["all"]}`:                {"scopes[0]: must be changelog, dispute, allowlist, reports, report:write, check, operator:read, operator:write or operator:admin"},
		`{"scopes":["check"],"key":"mine"}`: {"key: unknown field"},
		`{"scopes":["check"],"expiresInSeconds":0}`:                                       {"expiresInSeconds: must be a whole number from 1 to 316224000"},
		`{"scopes":["check"],"name":"` + strings.Repeat("x", account.MaxKeyName+1) + `"}`: {"name: must be at most 255 bytes long"},
	} {
		requireInvalid(t, s.administer("/key/create", body), issues...)
	}
	requireInvalid(t, s.administer("/key/rotate", `{"graceSeconds":-1}`), "fingerprint: is required", "graceSeconds: must be a whole number from 0 to 316224000")
	requireInvalid(t, s.administer("/key/revoke", `{"fingerprint":"`+adminKey+`"}`), "fingerprint: must be 12 hexadecimal digits in lower case")
}

// A key would promise that a retry is safe, but no response with a secret is stored.
func TestOperator_AdminWithoutKeys(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	before := s.keys()
	for path, c := range map[string][2]string{
		"/key/create":          {`{"scopes":["check"]}`, "keys"},
		"/key/rotate":          {`{"fingerprint":"326e65cc5554"}`, "keys"},
		"/key/revoke":          {`{"fingerprint":"326e65cc5554"}`, "keys"},
		"/user/create":         {`{"fullName":"Grace"}`, "users"},
		"/organization/create": {`{"slug":"initech"}`, "organizations"},
		"/key/revokeAll":       {`{"userId":1}`, "keys"},
		"/user/remove":         {`{"id":1}`, "users"},
		"/organization/remove": {`{"id":1}`, "organizations"},
		"/person/erase":        {`{"userId":1}`, "persons"},
		"/prune":               {`{"records":"REPORTS","before":"2025-01-01"}`, "old records"},
		"/group/create":        {`{"organizationId":1,"name":"Shops"}`, "groups"},
	} {
		requireInvalid(t, s.postKeyed(operatorBase+path, adminKey, c[0], "k"), "Idempotency-Key: must not be given for an operation on "+c[1])
	}
	require.Equal(t, before, s.keys())
}

// The audit trail says who did what over HTTP, and has no secrets.
func TestOperator_Audit(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	key := decode(t, s.administer("/key/create", `{"userId":1,"name":"Secretary","scopes":["check"]}`).Body)
	require.Equal(t, http.StatusOK, s.operate("/webhook/pause", `{"id":1}`).Status)
	require.Equal(t, http.StatusForbidden, s.administer("/key/create", `{"scopes":["reports"]}`).Status)
	organization := decode(t, s.administer("/organization/create", `{"slug":"initech"}`).Body)["id"].(json.Number).String()
	by := func(key string) string {
		return `{"channel":"API","user":{"id":2,"fullName":null},"key":"` + account.Fingerprint(account.HashKey(key)) + `"}`
	}
	const when = `"at":"2025-06-01T12:00:00.123Z"`
	got := s.read("/audit/list")
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.JSONEq(t, `{"entries":[
		{"id":4,`+when+`,"actor":`+by(adminKey)+`,"kind":"ORGANIZATION","action":"CREATED","subject":"`+organization+`","organization":{"id":`+organization+`,"slug":"initech","name":null},"user":null,"detail":null},
		{"id":3,`+when+`,"actor":`+by(operatorKey)+`,"kind":"WEBHOOK","action":"PAUSED","subject":"1","organization":null,"user":null,"detail":null},
		{"id":2,`+when+`,"actor":`+by(adminKey)+`,"kind":"KEY","action":"CREATED","subject":"`+key["fingerprint"].(string)+`","organization":null,"user":{"id":1,"fullName":"Ada Lovelace"},"detail":"check"},
		{"id":1,`+when+`,"actor":{"channel":"APPLICATION","user":null,"key":null},"kind":"WEBHOOK","action":"CREATED","subject":"1","organization":null,"user":null,"detail":"asset.status_changed"}
	],"nextCursor":null}`, got.Body)
	require.NotContains(t, got.Body, "Secretary")
	require.NotContains(t, got.Body, key["key"])

	require.JSONEq(t, `{"entries":[],"nextCursor":null}`, s.read("/audit/list?kind=ERASURE").Body)
	page := decode(t, s.read("/audit/list?userId=2&limit=2").Body)
	require.Equal(t, json.Number("3"), page["nextCursor"])
	require.Len(t, decode(t, s.read("/audit/list?userId=2&limit=2&cursor=3").Body)["entries"], 1)
	requireInvalid(t, s.read("/audit/list?kind=key"), "kind: unknown value")
	all, err := s.guard.Audit.List(t.Context(), trail.ListRequest{Filter: trail.Filter{Kind: audit.KindWebhook}})
	require.NoError(t, err)
	require.Len(t, all.Items, 2)
}
