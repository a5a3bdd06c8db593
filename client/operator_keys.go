package client

import (
	"context"
	"iter"
	"time"

	"github.com/apguard/apguard/account"
)

// KeyState says whether an API key grants access, unless its organization or its user is deactivated.
type KeyState string

// The states of keys.
const (
	KeyActive  KeyState = "ACTIVE"
	KeyExpired KeyState = "EXPIRED"
	KeyRevoked KeyState = "REVOKED"
)

// Key is an API key without its secret text.
type Key struct {
	// Fingerprint identifies the key; see [account.Fingerprint].
	Fingerprint string   `json:"fingerprint"`
	State       KeyState `json:"state"`
	// Organization and User are those for which the key acts. Each is zero for none.
	Organization NamedOrganization `json:"organization"`
	User         NamedUser         `json:"user"`
	// OrganizationDeactivated and UserDeactivated say why an ACTIVE key grants no access.
	OrganizationDeactivated bool `json:"organizationDeactivated"`
	UserDeactivated         bool `json:"userDeactivated"`
	// Name is a label, which may be empty.
	Name   string          `json:"name"`
	Scopes []account.Scope `json:"scopes"`
	// CreatedAt is zero if it is unknown, and each of the others for never. LastUsedAt has the precision of
	// [account.LastUsedInterval].
	CreatedAt  time.Time `json:"createdAt"`
	ExpiresAt  time.Time `json:"expiresAt"`
	RevokedAt  time.Time `json:"revokedAt"`
	LastUsedAt time.Time `json:"lastUsedAt"`
}

func (k *Key) validate() error { return validateKey(*k) }

func validateKey(key Key) error {
	if _, ok := account.ParseFingerprint(key.Fingerprint); !ok || key.State == "" {
		return responseError("a key is incomplete")
	}
	return nil
}

// IssuedKey is a key that was just made.
type IssuedKey struct {
	Key
	// Secret is the text of the key, which cannot be read again.
	Secret string `json:"key"`
}

func (k *IssuedKey) validate() error {
	if !account.ValidKey(k.Secret) {
		return responseError("it has no key")
	}
	return k.Key.validate()
}

// KeysRequest selects API keys.
type KeysRequest struct {
	// OrganizationID selects the keys of an organization. 0 selects all keys.
	OrganizationID int64
	// Limit is the largest number of keys in a page, from 1 to [account.MaxLimit]. Zero means
	// [account.DefaultLimit].
	Limit int
}

type keysPage struct {
	Keys       []Key  `json:"keys"`
	NextCursor string `json:"nextCursor"`
}

func (p *keysPage) validate() error { return validatePage(p.Keys, validateKey, 0) }

// Keys yields the keys by organization, oldest first, page by page. They include revoked and expired ones.
func (o *Operator) Keys(ctx context.Context, req KeysRequest) iter.Seq2[Key, error] {
	const path = "/key/list"
	return pages("GET "+path, "", func(cursor string) ([]Key, string, error) {
		query := pageQuery(cursor, req.Limit)
		setNumber(query, "organizationId", req.OrganizationID)
		page, err := getPage[keysPage](ctx, o.sender, path, query)
		return page.Keys, page.NextCursor, err
	})
}

// KeyRequest describes a new API key.
type KeyRequest struct {
	// OrganizationID and UserID are those for which the key acts, or 0 for none.
	OrganizationID int64
	UserID         int64
	// Name is a label, at most [account.MaxKeyName] bytes long. It may be empty.
	Name string
	// Scopes has at least one scope. All must be scopes of the caller's own key.
	Scopes []account.Scope
	// Lifetime is how long the key grants access, in whole seconds. Zero means forever.
	Lifetime time.Duration
}

// CreateKey creates an API key. The error matches [ErrForbidden] if the caller's own key lacks one of its scopes,
// and [ErrNotFound] if there is no such organization or user.
func (o *Operator) CreateKey(ctx context.Context, req KeyRequest) (IssuedKey, error) {
	return change[IssuedKey](ctx, o, "/key/create", struct {
		OrganizationID   int64           `json:"organizationId,omitzero"`
		UserID           int64           `json:"userId,omitzero"`
		Name             string          `json:"name,omitzero"`
		Scopes           []account.Scope `json:"scopes"`
		ExpiresInSeconds int64           `json:"expiresInSeconds,omitzero"`
	}{req.OrganizationID, req.UserID, req.Name, req.Scopes, wholeSeconds(req.Lifetime)})
}

// RotateKey replaces the key with the fingerprint by a new one. The old one grants access for the grace period,
// which is rounded up to seconds. The error matches [ErrForbidden] if the caller's own key lacks one of its scopes,
// [ErrNotFound] if there is no such key, and [ErrConflict] if it is revoked or has expired.
func (o *Operator) RotateKey(ctx context.Context, fingerprint string, grace time.Duration) (IssuedKey, error) {
	return change[IssuedKey](ctx, o, "/key/rotate", struct {
		Fingerprint  string `json:"fingerprint"`
		GraceSeconds int64  `json:"graceSeconds,omitzero"`
	}{fingerprint, wholeSeconds(grace)})
}

// RevokeKey revokes the key with the fingerprint, which is final. The error matches [ErrNotFound] if there is no
// such key.
func (o *Operator) RevokeKey(ctx context.Context, fingerprint string) (Key, error) {
	return change[Key](ctx, o, "/key/revoke", struct {
		Fingerprint string `json:"fingerprint"`
	}{fingerprint})
}

type revokedKeys struct {
	Revoked *int `json:"revoked"`
}

func (r *revokedKeys) validate() error {
	if r.Revoked == nil {
		return responseError("it has no number of keys")
	}
	return nil
}

// RevokeAllKeys revokes all keys of a user, which is final, and returns how many it has revoked. The error matches
// [ErrNotFound] if there is no such user.
func (o *Operator) RevokeAllKeys(ctx context.Context, userID int64) (int, error) {
	answer, err := change[revokedKeys](ctx, o, "/key/revokeAll", struct {
		UserID int64 `json:"userId"`
	}{userID})
	if err != nil {
		return 0, err
	}
	return *answer.Revoked, nil
}

// wholeSeconds rounds up to seconds.
func wholeSeconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }
