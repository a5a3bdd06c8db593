package account

import (
	"encoding/json"
	"time"
)

// Key is the stored form of an API key. Its times are in UTC and in whole milliseconds.
type Key struct {
	// Hash is the SHA-256 of the secret text. JSON contains the fingerprint instead,
	// because a hash would let readers test guesses.
	Hash [32]byte `json:"-"`
	// OrganizationID and UserID identify the organization and the user that the key acts
	// for. 0 means none.
	OrganizationID int64 `json:"organizationId,omitzero"`
	UserID         int64 `json:"userId,omitzero"`
	// Name is a label for display, at most [MaxKeyName] bytes long. It may be empty and
	// need not be unique.
	Name string `json:"name"`
	// Scopes has no duplicates.
	Scopes []Scope `json:"scopes"`
	// CreatedAt is when the key was first stored. The zero time means unknown.
	CreatedAt time.Time `json:"createdAt,omitzero"`
	// ExpiresAt is when the key stops granting access. The zero time means never.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	// RevokedAt is when the key was revoked or rotated without a grace period. The zero
	// time means never.
	RevokedAt time.Time `json:"revokedAt,omitzero"`
	// LastUsedAt is when the key was last used, to the precision of [LastUsedInterval]. It
	// never moves backward; see the section Clocks in docs/internals.md. The zero time means
	// never.
	LastUsedAt time.Time `json:"lastUsedAt,omitzero"`
}

// Fingerprint returns the fingerprint of the key's hash; see the function [Fingerprint].
func (k Key) Fingerprint() string {
	return Fingerprint(k.Hash)
}

// MarshalJSON encodes the key with a field "fingerprint" in place of the hash. A Key
// cannot be read back from JSON.
func (k Key) MarshalJSON() ([]byte, error) {
	type fields Key
	if k.Scopes == nil {
		k.Scopes = []Scope{}
	}
	return json.Marshal(struct {
		Fingerprint string `json:"fingerprint"`
		fields
	}{k.Fingerprint(), fields(k)})
}

// KeyRecord is a key with the slug of its organization and the e-mail address of its
// user.
type KeyRecord struct {
	Key Key
	// OrganizationSlug is empty for a key without an organization.
	OrganizationSlug string
	// Email is empty for a key without a user, and for a user without an address.
	Email string
}

// Principal returns the principal that the key acts for. It does not check whether the
// key grants access. The result shares the Scopes slice with the key.
func (r KeyRecord) Principal() Principal {
	return Principal{
		OrganizationID:   r.Key.OrganizationID,
		OrganizationSlug: r.OrganizationSlug,
		UserID:           r.Key.UserID,
		Email:            r.Email,
		Scopes:           r.Key.Scopes,
		Fingerprint:      r.Key.Fingerprint(),
	}
}
