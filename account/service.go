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
// expire, be rotated, or be revoked. Revocation is final. [KeyAdmin] manages keys for an operator.
//
// Every change of an organization, a group, a user or a key is recorded in the audit trail, in the
// same step. The actor is that of the context; see [audit.WithActor].
//
// Errors about invalid input are of type [*asset.InputError]. They name each invalid
// field by its JSON tag.
package account

import (
	"context"
	"time"

	"github.com/apguard/apguard/audit"
)

// Options are the options of a [Service]. The zero value is valid.
type Options struct {
	// Clock returns the time of an act in the audit trail. Nil means time.Now.
	Clock func() time.Time
}

// Service manages organizations, groups and users. It is safe for concurrent use if its
// store is.
type Service struct {
	store Store
	clock func() time.Time
}

// NewService returns a Service that uses the store.
func NewService(store Store, opts Options) *Service {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Service{store: store, clock: opts.Clock}
}

// entry returns the entry of an act on the record with the ID.
func (s *Service) entry(ctx context.Context, kind audit.Kind, action audit.Action, id int64) audit.Entry {
	return audit.New(ctx, clampTime(s.clock()), kind, action).On(id)
}
