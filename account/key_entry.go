package account

import (
	"slices"
	"strings"

	"github.com/apguard/apguard/audit"
)

// describe returns the entry with the fields that describe the key.
func (k Key) describe(entry audit.Entry) audit.Entry {
	entry.Subject, entry.OrganizationID, entry.UserID = k.Fingerprint(), k.OrganizationID, k.UserID
	return entry
}

// Stored returns the entry of a step that stores k in the place of old, which is the zero Key if
// there was none. It is CHANGED if old is not, and zero if the key stays the same. Stores call it.
func (k Key) Stored(entry audit.Entry, old Key) audit.Entry {
	switch {
	case entry.IsZero(), k.equal(old):
		return audit.Entry{}
	case !old.equal(Key{}):
		entry.Action = audit.ActionChanged
	}
	entry.Detail = scopeList(k.Scopes)
	return entry
}

// equal reports whether two stored keys are the same.
func (k Key) equal(other Key) bool {
	return k.Hash == other.Hash && k.OrganizationID == other.OrganizationID && k.UserID == other.UserID && k.Name == other.Name &&
		slices.Equal(k.Scopes, other.Scopes) && k.CreatedAt.Equal(other.CreatedAt) && k.ExpiresAt.Equal(other.ExpiresAt) &&
		k.RevokedAt.Equal(other.RevokedAt) && k.LastUsedAt.Equal(other.LastUsedAt)
}

// scopeList returns the scopes as one text.
func scopeList(scopes []Scope) string {
	texts := make([]string, len(scopes))
	for i, scope := range scopes {
		texts[i] = string(scope)
	}
	return strings.Join(texts, ",")
}
