package account

import (
	"errors"
	"strings"
)

// Sentinel errors, for errors.Is. Errors about invalid input are of type
// [*asset.InputError]. Any other error comes from the store or the context.
var (
	// ErrOrganizationNotFound reports that the store does not have the organization.
	ErrOrganizationNotFound = errors.New("organization not found")
	// ErrUserNotFound reports that the store does not have the user.
	ErrUserNotFound = errors.New("user not found")
	// ErrGroupNotFound reports that the organization does not have the group.
	ErrGroupNotFound = errors.New("group not found")
	// ErrSlugTaken reports that another organization has the slug.
	ErrSlugTaken = errors.New("slug belongs to another organization")
	// ErrGroupTaken reports that the group belongs to another organization.
	ErrGroupTaken = errors.New("group belongs to another organization")
	// ErrUnknownKey reports that the store does not have the key.
	ErrUnknownKey = errors.New("unknown API key")
	// ErrRevokedKey reports that the key is revoked.
	ErrRevokedKey = errors.New("revoked API key")
	// ErrExpiredKey reports that the key has expired.
	ErrExpiredKey = errors.New("expired API key")
	// ErrDeactivated reports that the organization or the user of the key is deactivated.
	ErrDeactivated = errors.New("API key of a deactivated account")
	// ErrAmbiguousKey reports that several keys have the fingerprint.
	ErrAmbiguousKey = errors.New("ambiguous fingerprint of an API key")
)

// KeyError reports a key that grants no access. It matches Err.
type KeyError struct {
	// Fingerprint identifies the key; see [Fingerprint]. It is empty if [ValidKey] is
	// false for the secret text.
	Fingerprint string
	// Err is [ErrUnknownKey], [ErrRevokedKey], [ErrExpiredKey] or [ErrDeactivated]. An
	// authenticator of the host application may set another error, or nil.
	Err error
}

// Error returns the reason and the fingerprint.
func (e *KeyError) Error() string {
	reason := "API key without access"
	if e.Err != nil {
		reason = e.Err.Error()
	}
	return strings.TrimSpace(reason + " " + e.Fingerprint)
}

// Unwrap returns Err.
func (e *KeyError) Unwrap() error { return e.Err }

// keyError adds the fingerprint to an error about the state of a key.
func keyError(hash [32]byte, err error) error {
	for _, state := range []error{ErrUnknownKey, ErrRevokedKey, ErrExpiredKey, ErrDeactivated} {
		if errors.Is(err, state) {
			return &KeyError{Fingerprint: Fingerprint(hash), Err: state}
		}
	}
	return err
}
