package account

import (
	"context"
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
)

// MaxKeyName is the largest length of a key's name, in bytes.
const MaxKeyName = 255

// KeyRequest describes a new key.
type KeyRequest struct {
	// OrganizationID and UserID must be in the store; 0 means none.
	OrganizationID int64 `json:"organizationId,omitzero"`
	UserID         int64 `json:"userId,omitzero"`
	// Name is a label for display, at most [MaxKeyName] bytes long. It may be empty.
	Name string `json:"name"`
	// Scopes are stored once each. A key without scopes grants nothing.
	Scopes []Scope `json:"scopes"`
	// ExpiresAt is when the key stops granting access, in the years 1 to 9999. It is
	// truncated to whole milliseconds. The zero time means never.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// Validate returns an [*asset.InputError] that names every invalid field. ExpiresAt may
// have passed.
func (r KeyRequest) Validate() error {
	var issues asset.Issues
	if r.OrganizationID != 0 {
		issues.CheckID("organizationId", r.OrganizationID)
	}
	if r.UserID != 0 {
		issues.CheckID("userId", r.UserID)
	}
	issues.CheckText("name", r.Name)
	issues.Check(len(r.Name) <= MaxKeyName, "name", fmt.Sprintf("must be at most %d bytes long", MaxKeyName))
	for i, scope := range r.Scopes {
		issues.Check(scope.Valid(), fmt.Sprintf("scopes[%d]", i), "must be changelog, dispute, allowlist or reports")
	}
	issues.Check(r.ExpiresAt.IsZero() || validExpiry(r.ExpiresAt), "expiresAt", invalidExpiry)
	return issues.Err()
}

// Key returns the stored form of a valid request.
func (r KeyRequest) Key(secret string, createdAt time.Time) Key {
	return Key{
		Hash:           HashKey(secret),
		OrganizationID: r.OrganizationID,
		UserID:         r.UserID,
		Name:           r.Name,
		Scopes:         uniqueScopes(r.Scopes),
		CreatedAt:      asset.TruncateTime(createdAt),
		ExpiresAt:      asset.TruncateTime(r.ExpiresAt),
	}
}

// Create generates a key, stores its hash and returns its secret text, which cannot be
// read again. It returns an [*asset.InputError] when the request is invalid or ExpiresAt
// is not in the future, [ErrOrganizationNotFound] or [ErrUserNotFound].
func (s *KeyService) Create(ctx context.Context, req KeyRequest) (secret string, err error) {
	if err := req.Validate(); err != nil {
		return "", err
	}
	secret = GenerateKey()
	key := req.Key(secret, s.now())
	if !key.Active(key.CreatedAt) {
		return "", invalidField("expiresAt", "must be in the future")
	}
	if err := s.store.PutKey(ctx, key); err != nil {
		return "", keyError(key.Hash, err)
	}
	return secret, nil
}

// Put stores the hash of a key whose secret text the host brings, such as one from its
// configuration. A host may put its keys at each start: a stored key with the same
// secret is replaced as [Key.Merge] describes, so that an expired or rotated key stays
// so. ExpiresAt may have passed.
//
// Put returns an [*asset.InputError] when the request is invalid or [ValidKey] is false,
// [ErrOrganizationNotFound], [ErrUserNotFound], or a [*KeyError] that matches
// [ErrRevokedKey] when the key was revoked or rotated without a grace period.
func (s *KeyService) Put(ctx context.Context, secret string, req KeyRequest) error {
	var secretErr error
	if !ValidKey(secret) {
		secretErr = invalidField("key", invalidKey)
	}
	if err := asset.JoinInput(secretErr, req.Validate()); err != nil {
		return err
	}
	key := req.Key(secret, s.now())
	return keyError(key.Hash, s.store.PutKey(ctx, key))
}

// Merge returns what is stored when the key is put over the old one with the same Hash,
// or over the zero Key. The earlier ExpiresAt is kept, so that a put never extends a
// key's lifetime. LastUsedAt is kept, and CreatedAt if it is known. Merge returns
// [ErrRevokedKey] when the old key is revoked. Stores call it.
func (k Key) Merge(old Key) (Key, error) {
	if !old.RevokedAt.IsZero() {
		return Key{}, ErrRevokedKey
	}
	if !old.CreatedAt.IsZero() {
		k.CreatedAt = old.CreatedAt
	}
	k.ExpiresAt = earlierExpiry(k.ExpiresAt, old.ExpiresAt)
	k.RevokedAt, k.LastUsedAt = time.Time{}, old.LastUsedAt
	return k, nil
}

func invalidField(field, message string) error {
	var issues asset.Issues
	issues.Add(field, message)
	return issues.Err()
}
