package account_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func TestTheZeroPrincipalMayDoNothing(t *testing.T) {
	t.Parallel()
	var nobody account.Principal
	for _, scope := range account.Scopes() {
		require.False(t, nobody.Has(scope), scope)
	}
	require.False(t, nobody.HasOrganization())
	require.False(t, nobody.SpeaksFor(""), "no organization is not the one with the empty slug")
}

func TestPrincipal(t *testing.T) {
	t.Parallel()
	p := account.Principal{OrganizationID: 1, OrganizationSlug: "acme", Scopes: []account.Scope{account.ScopeReports}}
	require.True(t, p.Has(account.ScopeReports))
	require.False(t, p.Has(account.ScopeAllowlist))
	require.True(t, p.HasOrganization())
	require.True(t, p.SpeaksFor("acme"))
	require.False(t, p.SpeaksFor("Acme"), "the letter case of a slug counts")
	require.False(t, p.SpeaksFor("globex"))
}

func TestScopes(t *testing.T) {
	t.Parallel()
	require.Equal(t, []account.Scope{"changelog", "dispute", "allowlist", "reports"}, account.Scopes())
	account.Scopes()[0] = "changed"
	require.True(t, account.ScopeChangelog.Valid(), "the list is the caller's own")
	require.False(t, account.Scope("").Valid())
	require.False(t, account.Scope("Reports").Valid())
}
