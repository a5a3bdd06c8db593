package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func TestAPI_Caller(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.NoError(t, s.guard.Keys.Put(t.Context(), "apg_laptop", account.KeyRequest{
		OrganizationID: 1, UserID: 1, Name: "Laptop", Scopes: []account.Scope{account.ScopeCheck}, ExpiresAt: now.Add(time.Hour),
	}))
	for key, want := range map[string]string{
		"apg_laptop": `"name":"Laptop","expiresAt":"2025-06-01T13:00:00.123Z","scopes":["check"],` +
			`"user":{"id":1,"fullName":"Ada Lovelace","email":"ada@acme.test"},"organization":{"id":1,"slug":"acme","name":"Acme"}`,
		looseKey:     `"name":null,"expiresAt":null,"scopes":["changelog","dispute","allowlist","reports","report:write","check"],"user":null,"organization":null`,
		powerlessKey: `"name":null,"expiresAt":null,"scopes":[],"user":{"id":1,"fullName":"Ada Lovelace","email":"ada@acme.test"},"organization":{"id":1,"slug":"acme","name":"Acme"}`,
	} {
		got := s.get(base+"/caller/get", key)
		require.Equal(t, http.StatusOK, got.Status, got.Body)
		require.JSONEq(t, `{"fingerprint":"`+account.Fingerprint(account.HashKey(key))+`",`+want+`}`, got.Body)
	}
	for _, key := range []string{"", unknownKey} {
		require.Equal(t, http.StatusUnauthorized, s.get(base+"/caller/get", key).Status)
	}
}

// The operators' API answers keys that open nothing else of it.
func TestOperator_Caller(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for _, key := range []string{acmeKey, looseKey, powerlessKey, readerKey, writerKey, userlessKey, adminKey, operatorKey} {
		got := s.get(operatorBase+"/caller/get", key)
		require.Equal(t, http.StatusOK, got.Status, got.Body)
		require.Contains(t, got.Body, `"fingerprint":"`+account.Fingerprint(account.HashKey(key))+`"`)
	}
	for _, key := range []string{"", unknownKey} {
		require.Equal(t, http.StatusUnauthorized, s.get(operatorBase+"/caller/get", key).Status)
	}
}
