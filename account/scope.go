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
)

var scopes = [...]Scope{ScopeChangelog, ScopeDispute, ScopeAllowlist, ScopeReports}

// Scopes returns all scopes. The slice is the caller's own.
func Scopes() []Scope {
	return slices.Clone(scopes[:])
}

// Valid reports whether s is one of the scopes.
func (s Scope) Valid() bool {
	return slices.Contains(scopes[:], s)
}
