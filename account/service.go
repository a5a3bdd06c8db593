package account

import (
	"context"
	"iter"
	"time"
)

// Options are the optional parts of a [Service]. The zero value works.
type Options struct {
	// Clock tells the time at which a key is created, used, rotated or revoked, and
	// whether it has expired. Nil means time.Now.
	Clock func() time.Time
	// IgnoreUse keeps [Service.Authenticate] from writing anything, so that no key's
	// LastUsedAt changes. It is for the store of a transaction of the host's: a use
	// that cannot be written there may end the transaction, and one that can keeps
	// every other use of the key waiting for its end.
	IgnoreUse bool
}

// Service puts organizations, groups, users and keys into the store, and finds
// out whom a key speaks for. It is safe for concurrent use when its store is.
type Service struct {
	store     Store
	clock     func() time.Time
	ignoreUse bool
	uses      uses
}

// NewService returns a Service on the store.
func NewService(store Store, opts Options) *Service {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Service{store: store, clock: opts.Clock, ignoreUse: opts.IgnoreUse}
}

// PutOrganization writes an organization, over the one with the same ID if there
// is one. The error is [ErrInvalid], or [ErrConflict] when another organization
// has the slug.
func (s *Service) PutOrganization(ctx context.Context, organization Organization) error {
	if err := organization.Validate(); err != nil {
		return err
	}
	return s.store.PutOrganization(ctx, organization)
}

// Organization returns the organization with that ID, or [ErrNotFound].
func (s *Service) Organization(ctx context.Context, id int64) (Organization, error) {
	return s.store.OrganizationByID(ctx, id)
}

// OrganizationBySlug returns the organization with exactly that slug, or
// [ErrNotFound].
func (s *Service) OrganizationBySlug(ctx context.Context, slug string) (Organization, error) {
	if slug == "" || !validText(slug) {
		return Organization{}, ErrNotFound
	}
	return s.store.OrganizationBySlug(ctx, slug)
}

// organizationPage is how many organizations are read at once.
const organizationPage = 1000

// Organizations yields every organization, ordered by ID. It reads page by page as
// the caller goes on, and holds nothing of the store while the caller is busy. An
// organization that is put after it began may be missing; none comes twice.
//
// An error, of the storage or of the context, is yielded once and last.
func (s *Service) Organizations(ctx context.Context) iter.Seq2[Organization, error] {
	return func(yield func(Organization, error) bool) {
		var after int64
		for {
			page, err := s.store.Organizations(ctx, after, organizationPage)
			if err != nil {
				yield(Organization{}, err)
				return
			}
			for _, organization := range page {
				if !yield(organization, nil) {
					return
				}
			}
			if len(page) < organizationPage {
				return
			}
			after = page[len(page)-1].ID
		}
	}
}

// PutGroup writes a group, over the one with the same ID if there is one, and
// returns it. With ID 0 the group is new and gets an ID. The organization need
// not be in the store. The error is [ErrInvalid], or [ErrConflict] when the group
// with that ID belongs to another organization.
func (s *Service) PutGroup(ctx context.Context, group Group) (Group, error) {
	if err := group.Validate(); err != nil {
		return Group{}, err
	}
	return s.store.PutGroup(ctx, group)
}

// Groups returns the groups of an organization, ordered by ID.
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
