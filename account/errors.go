package account

import (
	"errors"
	"strings"
)

// Sentinel errors, for errors.Is. Errors about invalid input are of type
// [*asset.InputError]. Any other error comes from the store or the context.
var (
	// ErrOrganizationNotFound reports an organization that the store does not have.
	ErrOrganizationNotFound = errors.New("organization not found")
	// ErrUserNotFound reports a user that the store does not have.
	ErrUserNotFound = errors.New("user not found")
	// ErrSlugTaken reports a slug that another organization has.
	ErrSlugTaken = errors.New("slug belongs to another organization")
	// ErrGroupTaken reports a group that belongs to another organization.
	ErrGroupTaken = errors.New("group belongs to another organization")
	// ErrUnknownKey reports a key that the store does not have.
	ErrUnknownKey = errors.New("unknown API key")
	// ErrRevokedKey reports a revoked key.
	ErrRevokedKey = errors.New("revoked API key")
	// ErrExpiredKey reports an expired key.
	ErrExpiredKey = errors.New("expired API key")
)

// KeyError reports a key that grants no access. It matches Err.
type KeyError struct {
	// Fingerprint identifies the key; see [Fingerprint]. It is empty if [ValidKey] is
	// false for the secret text.
	Fingerprint string
	// Err is [ErrUnknownKey], [ErrRevokedKey] or [ErrExpiredKey]. An authenticator of
	// the host application may set another error, or nil.
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
	for _, state := range []error{ErrUnknownKey, ErrRevokedKey, ErrExpiredKey} {
		if errors.Is(err, state) {
			return &KeyError{Fingerprint: Fingerprint(hash), Err: state}
		}
	}
	return err
}
