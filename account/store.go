package account

import (
	"context"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// Store is the storage of a [Service]. Methods may be called concurrently. Each is one
// atomic step, and returns the error of the context if the context ends first.
type Store interface {
	// PutOrganization writes what [Organization.Over] returns for the stored organization with the
	// same ID, and records what audit.Stored makes of the entry.
	// It returns ErrSlugTaken when another organization has the slug.
	PutOrganization(ctx context.Context, organization Organization, entry audit.Entry) error

	// UpdateOrganization calls update with the organization, writes the result, records the entry, and
	// returns the result. It returns ErrOrganizationNotFound if there is no such organization, and
	// ErrSlugTaken when another organization has the slug of the result. The store may call update
	// again when it retries, so update must have no side effects.
	UpdateOrganization(ctx context.Context, id int64, update func(old Organization) (Organization, audit.Entry)) (Organization, error)

	// OrganizationsByID returns the organizations with these IDs, each once, ordered by ID. IDs that no
	// organization has are ignored.
	OrganizationsByID(ctx context.Context, ids []int64) ([]Organization, error)

	// OrganizationBySlug returns the organization with exactly that slug, or
	// ErrOrganizationNotFound.
	OrganizationBySlug(ctx context.Context, slug string) (Organization, error)

	// Organizations returns the page of step.ReadPage, with the limit, of the
	// organizations with an ID above after, ordered by ID. The limit is at least 1.
	Organizations(ctx context.Context, after int64, limit int) (step.Page[Organization], error)

	// PutGroup writes the group over the one with the same ID, if any, and returns it.
	// A group with ID 0 gets an ID that is larger than the ID of every earlier group.
	// PutGroup returns ErrGroupTaken when a group of another organization has the ID. It
	// does not check that the organization exists. It records what audit.Stored makes of the
	// entry, with the ID of the group as Subject.
	PutGroup(ctx context.Context, group Group, entry audit.Entry) (Group, error)

	// RenameGroup writes the name of the group, or returns ErrGroupNotFound if the organization does
	// not have it. It records what audit.Stored makes of the entry.
	RenameGroup(ctx context.Context, group Group, entry audit.Entry) error

	// Groups returns the organization's groups, ordered by ID.
	Groups(ctx context.Context, organizationID int64) ([]Group, error)

	// PutUser writes what [User.Over] returns for the stored user with the same ID, and records what
	// audit.Stored makes of the entry.
	PutUser(ctx context.Context, user User, entry audit.Entry) error

	// UpdateUser updates the user as UpdateOrganization does, or returns ErrUserNotFound.
	UpdateUser(ctx context.Context, id int64, update func(old User) (User, audit.Entry)) (User, error)

	// UsersByID returns the users with these IDs, each once, ordered by ID. IDs that no user has are
	// ignored.
	UsersByID(ctx context.Context, ids []int64) ([]User, error)

	// Users returns the page of step.ReadPage, with the limit, of the users with an ID above
	// after, ordered by ID. The limit is at least 1.
	Users(ctx context.Context, after int64, limit int) (step.Page[User], error)

	// UsersByEmail returns the users whose e-mail address has the [EmailKey], ordered by ID.
	UsersByEmail(ctx context.Context, emailKey string) ([]User, error)

	// RemoveUser removes the user and the keys with the user's ID, or returns
	// ErrUserNotFound. It records the entry, and then [Key.Removed] of each key, ordered by Hash.
	RemoveUser(ctx context.Context, id int64, entry audit.Entry) error

	// RemoveGroup removes the group, or returns ErrGroupNotFound if the organization does not
	// have it. The entries of the group have no group as long as the organization has no
	// group with that ID. It records the entry.
	RemoveGroup(ctx context.Context, organizationID, id int64, entry audit.Entry) error

	// RemoveOrganization removes the organization, its groups, and the keys with its ID, or
	// returns ErrOrganizationNotFound. It records entries as RemoveUser does.
	RemoveOrganization(ctx context.Context, id int64, entry audit.Entry) error
}

// KeyStore is the storage of a [KeyService]. It reads the organizations and users of a
// [Store]. Methods may be called concurrently. Each is one atomic step, and returns the
// error of the context if the context ends first.
type KeyStore interface {
	// PutKey reads the stored key with the same Hash, or uses the zero Key if there is
	// none. It passes that key to [Key.Merge] and writes the result. PutKey returns
	// ErrOrganizationNotFound when the key's organization is not in the store, else
	// ErrUserNotFound when its user is not, else the error of Merge. After an error
	// nothing is written. No other call changes the stored key between the read and the
	// write. It records what [Key.Stored] makes of the entry.
	PutKey(ctx context.Context, key Key, entry audit.Entry) error

	// KeyByHash returns the key with that hash, even if it is revoked or expired, with the
	// current data of its organization and its user. It returns
	// ErrUnknownKey when the store has no such key, or no longer has the organization or the
	// user of the key.
	KeyByHash(ctx context.Context, hash [32]byte) (KeyRecord, error)

	// Keys returns the keys of an organization, ordered by CreatedAt and then by Hash. A
	// zero CreatedAt comes first. An organizationID of 0 selects the keys that have no
	// organization.
	Keys(ctx context.Context, organizationID int64) ([]Key, error)

	// KeyPage returns the page of step.ReadPage, with the limit, of the keys that the cursor
	// precedes, ordered by OrganizationID, CreatedAt and Hash. An organizationID other than 0
	// selects the keys of an organization. The limit is at least 1.
	KeyPage(ctx context.Context, organizationID int64, after KeyCursor, limit int) (step.Page[Key], error)

	// KeysByFingerprint returns the keys whose hash begins with the bytes, ordered by Hash.
	KeysByFingerprint(ctx context.Context, prefix [6]byte) ([]Key, error)

	// UpdateKey calls update with the stored key that has the hash. It writes the
	// KeyUpdate, records its Entry, and returns the changed key. It returns ErrUnknownKey when the store has
	// no such key. If update returns an error, UpdateKey returns it unchanged and writes
	// nothing. No other call changes the key between the read and the write. The store may
	// call update again when it retries, so update must have no side effects.
	UpdateKey(ctx context.Context, hash [32]byte, update func(old Key) (KeyUpdate, error)) (Key, error)

	// UpdateUserKeys calls update with each key of the user, writes and returns the keys whose
	// KeyUpdate has an Entry, ordered by Hash, and records the entries in this order. No KeyUpdate has
	// a Successor. UpdateUserKeys returns ErrUserNotFound when the user is not in the store. Update
	// must have no side effects, as for UpdateKey.
	UpdateUserKeys(ctx context.Context, userID int64, update func(old Key) KeyUpdate) ([]Key, error)

	// RecordKeyUse sets LastUsedAt to the time of the use if [KeyUse.Applies] is true.
	// Otherwise, or if the key is unknown, it does nothing and returns nil.
	RecordKeyUse(ctx context.Context, use KeyUse) error
}
