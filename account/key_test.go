package account_test

import (
	"encoding/hex"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func TestKey_Fingerprint(t *testing.T) {
	t.Parallel()
	hash := account.HashKey("apg_key")
	require.Equal(t, account.Fingerprint(hash), account.Key{Hash: hash}.Fingerprint())
}

func TestKey_MarshalJSON(t *testing.T) {
	t.Parallel()
	hash := account.HashKey("abc")
	for want, key := range map[string]account.Key{
		`{"fingerprint":"ba7816bf8f01","name":"","scopes":[]}`: {Hash: hash},
		`{"fingerprint":"ba7816bf8f01","organizationId":1,"userId":7,"name":"Crawler","scopes":["reports"],
			"createdAt":"2025-01-05T12:00:00Z","expiresAt":"2025-01-05T12:00:01Z",
			"revokedAt":"2025-01-05T12:00:02Z","lastUsedAt":"2025-01-05T12:00:03Z"}`: {
			Hash: hash, OrganizationID: 1, UserID: 7, Name: "Crawler", Scopes: []account.Scope{account.ScopeReports},
			CreatedAt: noon(), ExpiresAt: noon().Add(time.Second),
			RevokedAt: noon().Add(2 * time.Second), LastUsedAt: noon().Add(3 * time.Second),
		},
	} {
		for _, value := range []any{key, &key, account.KeyRecord{Key: key}} {
			text, err := json.Marshal(value)
			require.NoError(t, err)
			require.NotContains(t, string(text), hex.EncodeToString(hash[:]))
			require.NotContains(t, string(text), "186,120", "the hash as numbers")
		}
		text, err := json.Marshal(key)
		require.NoError(t, err)
		require.JSONEq(t, want, string(text))
	}
}

func TestKeyRecord_Principal(t *testing.T) {
	t.Parallel()
	key := account.Key{Hash: account.HashKey("abc"), OrganizationID: 1, UserID: 7, Scopes: []account.Scope{account.ScopeReports}}
	require.Equal(t, account.Principal{
		OrganizationID: 1, OrganizationSlug: "acme", UserID: 7, Email: "ada@acme.example",
		Scopes: []account.Scope{account.ScopeReports}, Fingerprint: "ba7816bf8f01",
	}, account.KeyRecord{Key: key, OrganizationSlug: "acme", Email: "ada@acme.example"}.Principal())
}
