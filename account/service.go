// Package account defines who uses the service: organizations with their groups,
// users, and the API keys that act for them.
//
// [Service] stores organizations, groups and users. The host application usually owns
// organizations and users: it chooses their IDs and passes the service the data that it
// needs. The service owns the groups, and assigns an ID to each new group that has none.
//
// [KeyService] manages API keys and authenticates with them. A host application that
// authenticates callers in another way does not need it. Creating a key returns its
// secret text once; only the SHA-256 hash of that text is stored.
// [KeyService.Authenticate] returns the [Principal] that a key acts for. A key can
// expire, be rotated, or be revoked. Revocation is final.
//
// Errors about invalid input are of type [*asset.InputError]. They name each invalid
// field by its JSON tag.
package account

// Service manages organizations, groups and users. It is safe for concurrent use if its
// store is.
type Service struct {
	store Store
}

// NewService returns a Service that uses the store.
func NewService(store Store) *Service {
	return &Service{store: store}
}
