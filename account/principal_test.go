package account_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func TestPrincipal_SpeaksFor(t *testing.T) {
	t.Parallel()
	p := account.Principal{OrganizationID: 1, OrganizationSlug: "acme"}
	require.True(t, p.HasOrganization())
	require.True(t, p.SpeaksFor("acme"))
	require.False(t, p.SpeaksFor("Acme"), "slugs are case-sensitive")
	require.False(t, p.SpeaksFor("globex"))
	require.False(t, account.Principal{}.HasOrganization())
	require.False(t, account.Principal{}.SpeaksFor(""), "no organization is not the one with the empty slug")
}

func TestPrincipal_HasUser(t *testing.T) {
	t.Parallel()
	require.True(t, account.Principal{UserID: 7}.HasUser())
	require.False(t, account.Principal{OrganizationID: 1}.HasUser())
}

func TestPrincipal_json(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]account.Principal{
		`{}`: {},
		`{"organizationId":1,"organizationSlug":"acme","userId":7,"email":"ada@acme.example","scopes":["reports"],"fingerprint":"ba7816bf8f01"}`: {
			OrganizationID: 1, OrganizationSlug: "acme", UserID: 7, Email: "ada@acme.example",
			Scopes: []account.Scope{account.ScopeReports}, Fingerprint: "ba7816bf8f01",
		},
	} {
		text, err := json.Marshal(p)
		require.NoError(t, err)
		require.JSONEq(t, want, string(text))
		var back account.Principal
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, p, back)
	}
}
