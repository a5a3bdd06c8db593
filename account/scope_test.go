package account_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func TestScopes(t *testing.T) {
	t.Parallel()
	require.Equal(t, []account.Scope{"changelog", "dispute", "allowlist", "reports", "report:write", "check"}, account.Scopes())
	account.Scopes()[0] = "changed"
	require.True(t, account.ScopeChangelog.Valid(), "the slice is a copy")
}

func TestOperatorScopes(t *testing.T) {
	t.Parallel()
	require.Equal(t, []account.Scope{"operator:read", "operator:write"}, account.OperatorScopes())
	account.OperatorScopes()[0] = "changed"
	require.True(t, account.ScopeOperatorRead.Valid(), "the slice is a copy")
	for _, scope := range account.OperatorScopes() {
		require.True(t, scope.Valid(), scope)
		require.NotContains(t, account.Scopes(), scope, "a key with every scope of an organization is not an operator's")
	}
}

func TestScope_Valid(t *testing.T) {
	t.Parallel()
	for _, scope := range account.Scopes() {
		require.True(t, scope.Valid(), scope)
	}
	require.False(t, account.Scope("").Valid())
	require.False(t, account.Scope("Reports").Valid(), "scopes are case-sensitive")
}

func TestPrincipal_Has(t *testing.T) {
	t.Parallel()
	p := account.Principal{Scopes: []account.Scope{account.ScopeReports}}
	require.True(t, p.Has(account.ScopeReports))
	require.False(t, p.Has(account.ScopeAllowlist))
	for _, scope := range account.Scopes() {
		require.False(t, account.Principal{}.Has(scope), "the zero Principal has no scope")
	}
}
