// Package account defines who uses the service: organizations with their groups,
// users, and the API keys that act for them.
//
// [Service] stores organizations, groups and users. Organizations and users usually
// belong to the host, which chooses their IDs and stores what the service must know of
// them. Groups belong to the service.
//
// [KeyService] manages API keys and authenticates with them. A host that authenticates
// in another way does not need it. The secret text of a key is shown once, when the key
// is created; only its SHA-256 is stored. [KeyService.Authenticate] returns the
// [Principal] that a key acts for. A key can expire, can be rotated, and can be revoked,
// which is final.
//
// Errors about input are [*asset.InputError]s, whose fields have the names of the JSON
// tags.
package account

// Service manages organizations, groups and users. It is safe for concurrent use if its
// store is.
type Service struct {
	store Store
}

// NewService returns a Service on the store.
func NewService(store Store) *Service {
	return &Service{store: store}
}
