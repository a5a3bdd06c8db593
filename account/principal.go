package account

import "slices"

// Principal is whom a request speaks for. The zero value speaks for nobody and
// may do nothing.
type Principal struct {
	// OrganizationID and OrganizationSlug are those of the caller's
	// organization; 0 and empty when it has none.
	OrganizationID   int64
	OrganizationSlug string
	// UserID and Email are those of the caller as a user; 0 and empty when there
	// is none. A user may have no e-mail.
	UserID int64
	Email  string
	Scopes []Scope
	// Fingerprint is that of the caller's key; see [Fingerprint]. It is empty when
	// the caller came without one.
	Fingerprint string
}

// Has reports whether the principal has the scope.
func (p Principal) Has(scope Scope) bool {
	return slices.Contains(p.Scopes, scope)
}

// HasOrganization reports whether the principal speaks for an organization.
func (p Principal) HasOrganization() bool {
	return p.OrganizationID != 0
}

// SpeaksFor reports whether slug names the principal's own organization.
func (p Principal) SpeaksFor(slug string) bool {
	return p.HasOrganization() && p.OrganizationSlug == slug
}
