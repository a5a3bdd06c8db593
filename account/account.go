// Package account holds who uses the service: organizations with their groups,
// users, and the API keys that speak for them.
//
// Organizations and users usually belong to the host: it gives their
// identifiers and puts into the store what the service must know of them.
// Groups and keys are the service's own. A key is shown once, when it is
// created; only its SHA-256 is stored. [Service.Authenticate] turns a key into
// the [Principal] that it speaks for.
//
// A key may expire, and its end can be moved ([Service.ExpireKey]) or taken away
// ([Service.KeepKey]); it may be replaced by a new one ([Service.RotateKey]); and it
// may be revoked, which is for good ([Service.RevokeKey]).
package account

import (
	"errors"
	"strings"
	"time"
)

// What can be wrong, for errors.Is. An error that matches none of them is a
// failure of the storage or of the context.
var (
	// ErrInvalid: a field is not what it must be; the error's text says which.
	ErrInvalid = errors.New("invalid account data")
	// ErrNotFound: there is no such organization or user.
	ErrNotFound = errors.New("account not found")
	// ErrConflict: another organization has the slug, or another organization
	// has the group.
	ErrConflict = errors.New("account conflicts with another one")
	// ErrUnknownKey: no such key was ever created.
	ErrUnknownKey = errors.New("unknown API key")
	// ErrRevokedKey: the key was revoked.
	ErrRevokedKey = errors.New("revoked API key")
	// ErrExpiredKey: the key has expired.
	ErrExpiredKey = errors.New("expired API key")
)

// Organization is a team that keeps an allowlist and files reports.
type Organization struct {
	// ID is the host's, from 1 to 2^53-1.
	ID int64
	// Slug names the organization in requests. No two organizations have the
	// same one; its letter case counts.
	Slug string
	Name string
}

// Group divides the allowlist of one organization.
type Group struct {
	// ID is unique over the groups of all organizations.
	ID             int64
	OrganizationID int64
	Name           string
}

// User is a person or a machine that acts in the service.
type User struct {
	// ID is the host's, from 1 to 2^53-1.
	ID       int64
	FullName string
	// Email may be empty.
	Email string
	// Automation marks a user that is no person.
	Automation bool
}

// Key is what is stored of an API key. Its times are in UTC and have whole
// milliseconds.
type Key struct {
	// Hash is the SHA-256 of the key.
	Hash [32]byte
	// OrganizationID and UserID name whom the key speaks for; 0 means none.
	OrganizationID int64
	UserID         int64
	// Name is a label for people, of at most [MaxKeyName] bytes. It may be empty,
	// and several keys may have the same one.
	Name   string
	Scopes []Scope
	// CreatedAt is when the key was first stored. The zero time means that nobody knows.
	CreatedAt time.Time
	// ExpiresAt is the moment from which on the key gives access to nothing. The
	// zero time means never.
	ExpiresAt time.Time
	// RevokedAt is when the key was revoked, also by a rotation without a grace
	// period. The zero time means never.
	RevokedAt time.Time
	// LastUsedAt is when the key was last used, as far as that was written, which
	// it is at most once in [LastUsedStep]; see [Service.Authenticate]. It never goes
	// back: what a server whose clock runs ahead has written stands until the clocks
	// of the others have come to it. The zero time means never.
	LastUsedAt time.Time
}

// KeyError says that a key gives access to nothing. It matches what Err matches.
type KeyError struct {
	// Fingerprint is that of the key; see [Fingerprint]. It is empty for a text
	// that cannot be a key.
	Fingerprint string
	// Err is [ErrUnknownKey], [ErrRevokedKey] or [ErrExpiredKey]; nil says none of them.
	Err error
}

// Error names the key by its fingerprint.
func (e *KeyError) Error() string {
	what := "no access for the API key"
	if e.Err != nil {
		what = e.Err.Error()
	}
	return strings.TrimSpace(what + " " + e.Fingerprint)
}

// Unwrap returns what Err is.
func (e *KeyError) Unwrap() error { return e.Err }
