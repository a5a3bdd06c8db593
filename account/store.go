package account

import "context"

// Store is the storage that a [Service] needs. All methods may be called
// concurrently, each is one atomic step, and each returns the context's error
// when the context ends first.
type Store interface {
	// PutOrganization writes the organisation, over the one with the same ID if
	// there is one. It returns ErrConflict when another one has the slug.
	PutOrganization(ctx context.Context, organization Organization) error

	// OrganizationByID returns the organisation, or ErrNotFound.
	OrganizationByID(ctx context.Context, id int64) (Organization, error)

	// PutGroup writes the group and returns it. An ID of 0 makes a new group with
	// an ID that no group ever had. It returns ErrConflict when a group of
	// another organisation has the ID.
	PutGroup(ctx context.Context, group Group) (Group, error)

	// Groups returns the organisation's groups, ordered by ID.
	Groups(ctx context.Context, organizationID int64) ([]Group, error)

	// PutUser writes the user, over the one with the same ID if there is one.
	PutUser(ctx context.Context, user User) error

	// PutKey writes the key, over the one with the same Hash if there is one. It
	// returns ErrNotFound when the store has no such organisation or user.
	PutKey(ctx context.Context, key Key) error

	// Keys returns the keys that speak for the organisation, oldest first; keys of
	// the same time by Hash.
	Keys(ctx context.Context, organizationID int64) ([]Key, error)

	// PrincipalByKey returns whom the key with that hash speaks for, as its
	// organisation and user are now, or ErrUnknownKey.
	PrincipalByKey(ctx context.Context, hash [32]byte) (Principal, error)
}
