package account

// Grant is a key with whom it speaks for.
type Grant struct {
	Key Key
	// OrganizationSlug is that of the key's organization, and Email that of its
	// user. Both are empty when there is none.
	OrganizationSlug string
	Email            string
}

// Principal returns whom the key speaks for, if it gives access at all. Its Scopes
// are those of the key, and not a copy.
func (g Grant) Principal() Principal {
	return Principal{
		OrganizationID:   g.Key.OrganizationID,
		OrganizationSlug: g.OrganizationSlug,
		UserID:           g.Key.UserID,
		Email:            g.Email,
		Scopes:           g.Key.Scopes,
		Fingerprint:      g.Key.Fingerprint(),
	}
}
