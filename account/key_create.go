package account

import (
	"context"
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// MaxKeyName is the maximum length of a key's name in bytes.
const MaxKeyName = 255

// KeyRequest describes a new key.
type KeyRequest struct {
	// OrganizationID and UserID must be IDs of an organization and a user in the store. 0
	// means none.
	OrganizationID int64 `json:"organizationId,omitzero"`
	UserID         int64 `json:"userId,omitzero"`
	// Name is a label for display, at most [MaxKeyName] bytes long. It may be empty.
	Name string `json:"name"`
	// Scopes may contain duplicates, which are stored once. A key without scopes grants
	// nothing.
	Scopes []Scope `json:"scopes"`
	// ExpiresAt is when the key stops granting access, in the years 1 to 9999. It is
	// truncated to whole milliseconds. The zero time means never.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// Validate returns an [*asset.InputError] that names every invalid field. ExpiresAt may be
// in the past.
func (r KeyRequest) Validate() error {
	var issues asset.Issues
	issues.CheckOptionalID("organizationId", r.OrganizationID)
	issues.CheckOptionalID("userId", r.UserID)
	issues.CheckTextLength("name", r.Name, MaxKeyName)
	for i, scope := range r.Scopes {
		issues.Check(scope.Valid(), fmt.Sprintf("scopes[%d]", i),
			"must be changelog, dispute, allowlist, reports, report:write, check, operator:read, operator:write or operator:admin")
	}
	issues.Check(r.ExpiresAt.IsZero() || validExpiry(r.ExpiresAt), "expiresAt", invalidExpiry)
	return issues.Err()
}

// Key returns the key to store for the request, which must be valid.
func (r KeyRequest) Key(secret string, createdAt time.Time) Key {
	return Key{
		Hash:           HashKey(secret),
		OrganizationID: r.OrganizationID,
		UserID:         r.UserID,
		Name:           r.Name,
		Scopes:         uniqueScopes(r.Scopes),
		CreatedAt:      step.TruncateTime(createdAt),
		ExpiresAt:      step.TruncateTime(r.ExpiresAt),
	}
}

// Create generates a key, stores its hash and returns its secret text, which cannot be
// read again.
//
// Create returns an [*asset.InputError] when the request is invalid or ExpiresAt is not in
// the future. It returns [ErrOrganizationNotFound] or [ErrUserNotFound] when the store
// does not have the organization or the user.
func (s *KeyService) Create(ctx context.Context, req KeyRequest) (secret string, err error) {
	made, err := s.create(ctx, req)
	return made.Secret, err
}

// create is Create with the key, which is not read again: that could fail, and the secret text would be
// lost.
func (s *KeyService) create(ctx context.Context, req KeyRequest) (IssuedKey, error) {
	if err := req.Validate(); err != nil {
		return IssuedKey{}, err
	}
	secret := GenerateKey()
	key := req.Key(secret, s.Now())
	if key.Usable(key.CreatedAt) != nil {
		return IssuedKey{}, invalidField("expiresAt", "must be in the future")
	}
	if err := s.store.PutKey(ctx, key, key.describe(audit.New(ctx, key.CreatedAt, audit.KindKey, audit.ActionCreated))); err != nil {
		return IssuedKey{}, keyError(key.Hash, err)
	}
	return IssuedKey{key, secret}, nil
}

// Put stores the hash of a key whose secret text the host application supplies, for
// example from its configuration. It can be called with the same keys at each start. If
// the key is already stored, [Key.Merge] combines the two, so an expired or rotated key
// does not become usable again. ExpiresAt may be in the past.
//
// Put returns an [*asset.InputError] when the request is invalid or [ValidKey] is false
// for the secret. It returns [ErrOrganizationNotFound] or [ErrUserNotFound] when the store
// does not have the organization or the user, and a [*KeyError] that matches
// [ErrRevokedKey] when the key was revoked or rotated without a grace period.
func (s *KeyService) Put(ctx context.Context, secret string, req KeyRequest) error {
	var secretErr error
	if !ValidKey(secret) {
		secretErr = invalidField("key", invalidKey)
	}
	if err := asset.JoinInput(secretErr, req.Validate()); err != nil {
		return err
	}
	key := req.Key(secret, s.Now())
	defer s.cache.clear(key.Hash, !s.transaction)
	return keyError(key.Hash, s.store.PutKey(ctx, key, key.describe(audit.New(ctx, s.Now(), audit.KindKey, audit.ActionImported))))
}

// Merge returns the key to store when k replaces old, the stored key with the same Hash.
// If there is no such key, old is the zero Key. The result has the earlier ExpiresAt of
// the two, so that a key's lifetime is never extended. It has the LastUsedAt of old, and
// the CreatedAt of old if that is known. Merge returns [ErrRevokedKey] when old is
// revoked. Stores call it.
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
