package account

import (
	"context"
	"errors"
	"time"
)

// ErrEscalation reports that a caller would get access that the caller's own key does not give.
var ErrEscalation = errors.New("key would have scopes that the caller does not have")

// EscalationError is an [ErrEscalation] with the scopes that the caller lacks.
type EscalationError struct {
	Scopes []Scope
}

// Error returns a text with the scopes.
func (e *EscalationError) Error() string {
	return ErrEscalation.Error() + ": " + e.List()
}

// List returns the scopes as one text.
func (e *EscalationError) List() string { return scopeList(e.Scopes) }

// Unwrap returns [ErrEscalation].
func (e *EscalationError) Unwrap() error { return ErrEscalation }

// KeyAdmin manages keys for a caller, who never gets a key with scopes that the caller does not
// have. The caller's own scopes should include [ScopeOperatorAdmin], which KeyAdmin does not check.
// With the zero Principal it can only revoke keys.
type KeyAdmin struct {
	keys   *KeyService
	caller Principal
}

// Admin returns the KeyAdmin for a caller.
func (s *KeyService) Admin(caller Principal) KeyAdmin {
	return KeyAdmin{s, caller}
}

// IssuedKey is a key that was just made, with its secret text, which cannot be read again.
type IssuedKey struct {
	Key    Key
	Secret string
}

// Create is [KeyService.Create]. It returns an [*EscalationError] if the caller lacks a scope of the
// request.
func (a KeyAdmin) Create(ctx context.Context, req KeyRequest) (IssuedKey, error) {
	if err := req.Validate(); err != nil {
		return IssuedKey{}, err
	}
	if err := a.checkScopes(req.Scopes); err != nil {
		return IssuedKey{}, err
	}
	return a.keys.create(ctx, req)
}

// Rotate is [KeyService.Rotate] for the key with the fingerprint, whose successor it returns. It
// returns an [*EscalationError] if the caller lacks a scope of the key, because the caller sees the
// secret text of the successor. The other errors are those of [KeyService.Find] too.
func (a KeyAdmin) Rotate(ctx context.Context, fingerprint string, grace time.Duration) (IssuedKey, error) {
	key, err := a.keys.Find(ctx, fingerprint)
	if err != nil {
		return IssuedKey{}, err
	}
	return a.keys.rotate(ctx, key.Hash, grace, func(old Key) error { return a.checkScopes(old.Scopes) })
}

// Revoke is [KeyService.Revoke] for the key with the fingerprint. It also returns the errors of
// [KeyService.Find].
func (a KeyAdmin) Revoke(ctx context.Context, fingerprint string) (Key, error) {
	key, err := a.keys.Find(ctx, fingerprint)
	if err != nil {
		return Key{}, err
	}
	return a.keys.Revoke(ctx, key.Hash)
}

func (a KeyAdmin) checkScopes(scopes []Scope) error {
	if missing := a.caller.missing(scopes); len(missing) > 0 {
		return &EscalationError{missing}
	}
	return nil
}
