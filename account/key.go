package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"strings"
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

// KeyRecord is a key with the data of its organization and its user on which access depends.
type KeyRecord struct {
	Key Key
	// OrganizationSlug is empty for a key without an organization.
	OrganizationSlug string
	// Email is empty for a key without a user, and for a user without an address.
	Email string
	// Deactivated says that the organization or the user of the key is deactivated.
	Deactivated bool
}

// Usable returns nil when the key grants access at the time now. It returns the error of [Key.Usable],
// and else [ErrDeactivated] if the record is deactivated.
func (r KeyRecord) Usable(now time.Time) error {
	if err := r.Key.Usable(now); err != nil || !r.Deactivated {
		return err
	}
	return ErrDeactivated
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

// keyPrefix marks a text as a key of this service, for people and for scanners that
// look for leaked secrets.
const keyPrefix = "apg_"

// keyDigits is how many base62 digits 32 bytes need.
const keyDigits = 43

// maxKeyLength bounds the work that an arbitrary text can cause.
const maxKeyLength = 256

// GenerateKey returns the secret text of a new key: "apg_" and 32 random bytes in
// base62. The bytes come from crypto/rand. Show the text to its owner, and store only
// the hash that [HashKey] returns.
func GenerateKey() string {
	var secret [32]byte
	rand.Read(secret[:]) // never fails; the process ends before it would
	digits := new(big.Int).SetBytes(secret[:]).Text(62)
	return keyPrefix + strings.Repeat("0", keyDigits-len(digits)) + digits
}

// HashKey returns the SHA-256 hash of the secret text of a key. Stores keep only this
// hash.
func HashKey(key string) [32]byte {
	return sha256.Sum256([]byte(key))
}

// fingerprintBytes is how much of a hash a fingerprint shows.
const fingerprintBytes = 6

// Fingerprint returns the first 12 hexadecimal digits of a key's hash. It identifies the
// key in logs and lists, but grants no access. It reveals nothing about a key from
// [GenerateKey]. If a key can be guessed, its fingerprint can confirm the guess.
func Fingerprint(hash [32]byte) string {
	return hex.EncodeToString(hash[:fingerprintBytes])
}

const invalidKey = "must be 1 to 256 visible ASCII characters"

// ValidKey reports whether key has the form of a secret text: 1 to 256 visible ASCII
// characters. A key need not come from [GenerateKey]; a host application may keep the
// keys of an older service.
func ValidKey(key string) bool {
	if len(key) == 0 || len(key) > maxKeyLength {
		return false
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return true
}
