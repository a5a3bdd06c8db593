package account

import (
	"context"
	"errors"
	"time"
)

// Options are the optional parts of a [Service]. The zero value works.
type Options struct {
	// Clock tells the time at which a key is created. Nil means time.Now.
	Clock func() time.Time
}

// Service puts organisations, groups, users and keys into the store, and finds
// out whom a key speaks for. It is safe for concurrent use when its store is.
type Service struct {
	store Store
	clock func() time.Time
}

// NewService returns a Service on the store.
func NewService(store Store, opts Options) *Service {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Service{store: store, clock: opts.Clock}
}

// PutOrganization writes an organisation, over the one with the same ID if there
// is one. The error is [ErrInvalid], or [ErrConflict] when another organisation
// has the slug.
func (s *Service) PutOrganization(ctx context.Context, organization Organization) error {
	if err := organization.Validate(); err != nil {
		return err
	}
	return s.store.PutOrganization(ctx, organization)
}

// Organization returns the organisation with that ID, or [ErrNotFound].
func (s *Service) Organization(ctx context.Context, id int64) (Organization, error) {
	return s.store.OrganizationByID(ctx, id)
}

// PutGroup writes a group, over the one with the same ID if there is one, and
// returns it. With ID 0 the group is new and gets an ID. The organisation need
// not be in the store. The error is [ErrInvalid], or [ErrConflict] when the group
// with that ID belongs to another organisation.
func (s *Service) PutGroup(ctx context.Context, group Group) (Group, error) {
	if err := group.Validate(); err != nil {
		return Group{}, err
	}
	return s.store.PutGroup(ctx, group)
}

// Groups returns the groups of an organisation, ordered by ID.
func (s *Service) Groups(ctx context.Context, organizationID int64) ([]Group, error) {
	return s.store.Groups(ctx, organizationID)
}

// PutUser writes a user, over the one with the same ID if there is one. The
// error is [ErrInvalid].
func (s *Service) PutUser(ctx context.Context, user User) error {
	if err := user.Validate(); err != nil {
		return err
	}
	return s.store.PutUser(ctx, user)
}

// KeyRequest says what a new key may do and whom it speaks for.
type KeyRequest struct {
	// OrganizationID and UserID must be in the store; 0 means none.
	OrganizationID int64
	UserID         int64
	Scopes         []Scope
}

// CreateKey makes a key, stores its hash and returns the key. It cannot be had a
// second time. The error is [ErrInvalid] for a scope that does not exist, or
// [ErrNotFound] when the store has no such organisation or user.
func (s *Service) CreateKey(ctx context.Context, req KeyRequest) (string, error) {
	secret := NewKey()
	if err := s.PutKey(ctx, secret, req); err != nil {
		return "", err
	}
	return secret, nil
}

// PutKey stores the hash of a key that the host brings, over what the same key
// was before. The error is [ErrInvalid] when [ValidKey] does not hold or for a
// scope that does not exist, or [ErrNotFound] when the store has no such
// organisation or user.
func (s *Service) PutKey(ctx context.Context, secret string, req KeyRequest) error {
	if !ValidKey(secret) {
		return invalid("key must be 1 to 256 visible ASCII characters")
	}
	key := Key{
		Hash:           HashKey(secret),
		OrganizationID: req.OrganizationID,
		UserID:         req.UserID,
		Scopes:         req.Scopes,
		CreatedAt:      s.clock().UTC().Truncate(time.Millisecond),
	}
	if err := key.Validate(); err != nil {
		return err
	}
	return s.store.PutKey(ctx, key)
}

// Keys returns what is stored of the keys that speak for an organisation, oldest
// first.
func (s *Service) Keys(ctx context.Context, organizationID int64) ([]Key, error) {
	return s.store.Keys(ctx, organizationID)
}

// Authenticate returns whom the key speaks for. The error is a [*KeyError] when
// the key gives access to nothing: it matches [ErrUnknownKey].
func (s *Service) Authenticate(ctx context.Context, key string) (Principal, error) {
	if !ValidKey(key) {
		return Principal{}, &KeyError{Err: ErrUnknownKey}
	}
	hash := HashKey(key)
	principal, err := s.store.PrincipalByKey(ctx, hash)
	switch {
	case errors.Is(err, ErrUnknownKey):
		return Principal{}, &KeyError{Fingerprint: Fingerprint(hash), Err: ErrUnknownKey}
	case err != nil:
		return Principal{}, err
	}
	principal.Fingerprint = Fingerprint(hash)
	return principal, nil
}
