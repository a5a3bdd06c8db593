package account

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// KeyCursor is a position in the list of keys: right after the keys with these fields. It has the
// fingerprint in place of the hash, which must stay secret.
type KeyCursor struct {
	OrganizationID int64
	CreatedAt      time.Time
	// Fingerprint has the first bytes of the hash, as [Fingerprint] shows them.
	Fingerprint [fingerprintBytes]byte
}

// Cursor returns the position right after the key.
func (k Key) Cursor() KeyCursor {
	return KeyCursor{k.OrganizationID, k.CreatedAt, [fingerprintBytes]byte(k.Hash[:])}
}

// LastHash returns the largest hash that the cursor follows.
func (c KeyCursor) LastHash() [32]byte {
	last := [32]byte(bytes.Repeat([]byte{0xff}, 32))
	copy(last[:], c.Fingerprint[:])
	return last
}

// Precedes reports whether the key comes after the cursor. The zero cursor precedes every key.
func (c KeyCursor) Precedes(k Key) bool {
	if c == (KeyCursor{}) {
		return true
	}
	last := c.LastHash()
	return cmp.Or(cmp.Compare(k.OrganizationID, c.OrganizationID), k.CreatedAt.Compare(c.CreatedAt), bytes.Compare(k.Hash[:], last[:])) > 0
}

// PageBytes implements [step.PageItem].
func (k Key) PageBytes() int {
	return step.PageBytes(k.Name) + 256
}

// KeyListRequest is the request of [KeyService.ListPage].
type KeyListRequest struct {
	// OrganizationID selects the keys of an organization. 0 selects all keys.
	OrganizationID int64
	// After is the cursor of the last key of the previous page, or zero for the first page.
	After KeyCursor
	// Limit is the maximum number of keys in the page, from 1 to [MaxLimit]. 0 means
	// [DefaultLimit].
	Limit int
}

// Validate returns an [*asset.InputError] that names every invalid field, or nil.
func (req KeyListRequest) Validate() error {
	var issues asset.Issues
	issues.CheckOptionalID("organizationId", req.OrganizationID)
	issues.CheckLimit(req.Limit, MaxLimit)
	return issues.Err()
}

// ListPage returns a page of keys, also of those that are revoked or expired. They are ordered by
// organization, oldest first. The error is an [*asset.InputError] if the request is invalid.
func (s *KeyService) ListPage(ctx context.Context, req KeyListRequest) (step.Page[Key], error) {
	if err := req.Validate(); err != nil {
		return step.Page[Key]{}, err
	}
	return s.store.KeyPage(ctx, req.OrganizationID, req.After, cmp.Or(req.Limit, DefaultLimit))
}

// ParseFingerprint returns the bytes of a text that [Fingerprint] returned.
func ParseFingerprint(text string) (prefix [fingerprintBytes]byte, ok bool) {
	decoded, err := hex.DecodeString(text)
	if err != nil || len(decoded) != fingerprintBytes || hex.EncodeToString(decoded) != text {
		return prefix, false
	}
	return [fingerprintBytes]byte(decoded), true
}

// Find returns the key with the fingerprint, even if it is revoked or expired. It returns
// [ErrUnknownKey] if there is none, and [ErrAmbiguousKey] if there are several.
func (s *KeyService) Find(ctx context.Context, fingerprint string) (Key, error) {
	prefix, ok := ParseFingerprint(fingerprint)
	if !ok {
		return Key{}, ErrUnknownKey
	}
	found, err := s.store.KeysByFingerprint(ctx, prefix)
	switch {
	case err != nil:
		return Key{}, err
	case len(found) == 0:
		return Key{}, ErrUnknownKey
	case len(found) > 1:
		return Key{}, ErrAmbiguousKey
	}
	return found[0], nil
}

// missing returns the scopes that are not among those of the caller.
func (p Principal) missing(scopes []Scope) []Scope {
	return slices.DeleteFunc(slices.Clone(scopes), p.Has)
}
