package account

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxID is the largest identifier that JSON carries exactly (RFC 8259,
// section 6).
const maxID = 1<<53 - 1

// MaxSlug is the largest length of an organization's slug, in bytes.
const MaxSlug = 255

// MaxKeyName is the largest length of a key's name, in bytes.
const MaxKeyName = 255

// Validate returns [ErrInvalid] when a field is not what it must be.
func (o Organization) Validate() error {
	switch {
	case !validID(o.ID):
		return invalid("organization id must be from 1 to 2^53-1")
	case strings.TrimSpace(o.Slug) == "" || !validText(o.Slug):
		return invalid("organization slug must be text that is not blank")
	case len(o.Slug) > MaxSlug:
		return invalid("organization slug must be at most 255 bytes long")
	case !validText(o.Name):
		return invalid("organization name must be valid UTF-8 without NUL")
	}
	return nil
}

// Validate returns [ErrInvalid] when a field is not what it must be. The ID may
// be 0.
func (g Group) Validate() error {
	switch {
	case g.ID != 0 && !validID(g.ID):
		return invalid("group id must be from 1 to 2^53-1")
	case !validID(g.OrganizationID):
		return invalid("group organization id must be from 1 to 2^53-1")
	case !validText(g.Name):
		return invalid("group name must be valid UTF-8 without NUL")
	}
	return nil
}

// Validate returns [ErrInvalid] when a field is not what it must be.
func (u User) Validate() error {
	switch {
	case !validID(u.ID):
		return invalid("user id must be from 1 to 2^53-1")
	case !validText(u.FullName):
		return invalid("user full name must be valid UTF-8 without NUL")
	case !validText(u.Email):
		return invalid("user e-mail must be valid UTF-8 without NUL")
	}
	return nil
}

// Validate returns [ErrInvalid] when a field is not what it must be. ExpiresAt may
// lie in the past.
func (k Key) Validate() error {
	switch {
	case k.OrganizationID != 0 && !validID(k.OrganizationID):
		return invalid("key organization id must be from 1 to 2^53-1")
	case k.UserID != 0 && !validID(k.UserID):
		return invalid("key user id must be from 1 to 2^53-1")
	case !validText(k.Name):
		return invalid("key name must be valid UTF-8 without NUL")
	case len(k.Name) > MaxKeyName:
		return invalid("key name must be at most 255 bytes long")
	case !k.ExpiresAt.IsZero() && !storable(k.ExpiresAt):
		return invalid("key expiry must be in the years 1 to 9999, in UTC")
	}
	for _, scope := range k.Scopes {
		if !scope.Valid() {
			return invalid("key scope must be changelog, dispute, allowlist or reports")
		}
	}
	return nil
}

func validID(id int64) bool {
	return 1 <= id && id <= maxID
}

func validText(text string) bool {
	return utf8.ValidString(text) && !strings.Contains(text, "\x00")
}

func invalid(text string) error {
	return fmt.Errorf("%w: %s", ErrInvalid, text)
}
