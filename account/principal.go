package account

// Principal is the caller of a request. The zero value has no identity and no scopes.
type Principal struct {
	// OrganizationID and OrganizationSlug are 0 and empty for a caller without an
	// organization.
	OrganizationID   int64  `json:"organizationId,omitzero"`
	OrganizationSlug string `json:"organizationSlug,omitzero"`
	// UserID and Email are 0 and empty for a caller without a user. A user may have no
	// e-mail address.
	UserID int64   `json:"userId,omitzero"`
	Email  string  `json:"email,omitzero"`
	Scopes []Scope `json:"scopes,omitzero"`
	// Fingerprint identifies the caller's key; see [Fingerprint]. It is empty for a
	// caller without a key.
	Fingerprint string `json:"fingerprint,omitzero"`
}

// HasOrganization reports whether the principal has an organization.
func (p Principal) HasOrganization() bool {
	return p.OrganizationID != 0
}

// HasUser reports whether the principal has a user.
func (p Principal) HasUser() bool {
	return p.UserID != 0
}

// SpeaksFor reports whether slug is the slug of the principal's organization.
func (p Principal) SpeaksFor(slug string) bool {
	return p.HasOrganization() && p.OrganizationSlug == slug
}
