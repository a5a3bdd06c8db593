package account

import "slices"

// Scope is the right to use one group of operations.
type Scope string

// The scopes.
const (
	ScopeChangelog Scope = "changelog"
	ScopeDispute   Scope = "dispute"
	ScopeAllowlist Scope = "allowlist"
	ScopeReports   Scope = "reports"
	ScopeCheck     Scope = "check"
)

var scopes = [...]Scope{ScopeChangelog, ScopeDispute, ScopeAllowlist, ScopeReports, ScopeCheck}

// Scopes returns all scopes in a new slice.
func Scopes() []Scope {
	return slices.Clone(scopes[:])
}

// Valid reports whether s is one of the scopes.
func (s Scope) Valid() bool {
	return slices.Contains(scopes[:], s)
}

// uniqueScopes returns the scopes in their order, without duplicates.
func uniqueScopes(scopes []Scope) []Scope {
	var unique []Scope
	for _, scope := range scopes {
		if !slices.Contains(unique, scope) {
			unique = append(unique, scope)
		}
	}
	return unique
}
