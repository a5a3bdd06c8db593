package account

import (
	"context"
	"time"
)

// Store is the storage that a [Service] needs. All methods may be called
// concurrently, each is one atomic step, and each returns the context's error
// when the context ends first.
type Store interface {
	// PutOrganization writes the organization, over the one with the same ID if
	// there is one. It returns ErrConflict when another one has the slug.
	PutOrganization(ctx context.Context, organization Organization) error

	// OrganizationByID returns the organization, or ErrNotFound.
	OrganizationByID(ctx context.Context, id int64) (Organization, error)

	// OrganizationBySlug returns the organization with exactly that slug, or
	// ErrNotFound.
	OrganizationBySlug(ctx context.Context, slug string) (Organization, error)

	// Organizations returns at most limit organizations with an ID above after,
	// ordered by ID. The limit is from 1.
	Organizations(ctx context.Context, after int64, limit int) ([]Organization, error)

	// PutGroup writes the group and returns it. An ID of 0 makes a new group with
	// an ID that no group ever had. It returns ErrConflict when a group of
	// another organization has the ID.
	PutGroup(ctx context.Context, group Group) (Group, error)

	// Groups returns the organization's groups, ordered by ID.
	Groups(ctx context.Context, organizationID int64) ([]Group, error)

	// PutUser writes the user, over the one with the same ID if there is one.
	PutUser(ctx context.Context, user User) error

	// PutKey writes what [Key.Over] makes of the key, over the one with the same
	// Hash if there is one. It returns ErrNotFound when the store has no such
	// organization or user, or the error of Over, and writes nothing then. No other
	// step changes the old key in between.
	PutKey(ctx context.Context, key Key) error

	// Keys returns the keys that speak for the organization, oldest first; keys of
	// the same time by Hash. With 0 it returns those that speak for none.
	Keys(ctx context.Context, organizationID int64) ([]Key, error)

	// GrantByKey returns the key with that hash, whatever has become of it, and
	// whom it speaks for, as its organization and user are now. It returns
	// ErrUnknownKey when there is no such key.
	GrantByKey(ctx context.Context, hash [32]byte) (Grant, error)

	// RevokeKey sets RevokedAt, unless the key was revoked before, and returns the
	// key as it is then, or ErrUnknownKey. Nothing changes a revoked key any more.
	RevokeKey(ctx context.Context, hash [32]byte, at time.Time) (Key, error)

	// ExpireKey sets ExpiresAt, to never with the zero time, and returns the key as
	// it is then. It returns ErrUnknownKey, or ErrRevokedKey.
	ExpireKey(ctx context.Context, hash [32]byte, at time.Time) (Key, error)

	// RotateKey writes the two keys that [Rotation.Of] makes of the one with the
	// rotation's Hash. It returns ErrUnknownKey, or the error of Of, and writes
	// nothing then. No other step changes the old key in between.
	RotateKey(ctx context.Context, rotation Rotation) error

	// TouchKey sets LastUsedAt as [Use.Applies] says. That it does not apply, or
	// that there is no such key, is no error.
	TouchKey(ctx context.Context, use Use) error
}
