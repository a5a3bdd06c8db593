package account

import "slices"

// Scope is the right to use one group of operations.
type Scope string

// The scopes of an organization's caller.
const (
	ScopeChangelog Scope = "changelog"
	ScopeDispute   Scope = "dispute"
	ScopeAllowlist Scope = "allowlist"
	ScopeReports   Scope = "reports"
	// ScopeReportWrite files reports. ScopeReports lists them.
	ScopeReportWrite Scope = "report:write"
	ScopeCheck       Scope = "check"
)

// The scopes of an operator. They give access to the data of all organizations.
const (
	ScopeOperatorRead  Scope = "operator:read"
	ScopeOperatorWrite Scope = "operator:write"
)

// ScopeOperatorAdmin lets an operator create organizations and users, and manage API keys of all
// organizations; see [KeyAdmin]. It is not among [OperatorScopes], so that it is never granted by
// accident.
const ScopeOperatorAdmin Scope = "operator:admin"

var (
	scopes         = [...]Scope{ScopeChangelog, ScopeDispute, ScopeAllowlist, ScopeReports, ScopeReportWrite, ScopeCheck}
	operatorScopes = [...]Scope{ScopeOperatorRead, ScopeOperatorWrite}
)

// Scopes returns all scopes of an organization's caller in a new slice. Those of an operator
// are not among them.
func Scopes() []Scope {
	return slices.Clone(scopes[:])
}

// OperatorScopes returns the scopes of an operator, without ScopeOperatorAdmin, in a new slice.
func OperatorScopes() []Scope {
	return slices.Clone(operatorScopes[:])
}

// Valid reports whether s is one of the scopes.
func (s Scope) Valid() bool {
	return slices.Contains(scopes[:], s) || slices.Contains(operatorScopes[:], s) || s == ScopeOperatorAdmin
}

// Has reports whether the principal has the scope.
func (p Principal) Has(scope Scope) bool {
	return slices.Contains(p.Scopes, scope)
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
