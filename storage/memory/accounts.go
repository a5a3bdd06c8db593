package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

// PutOrganization implements [account.Store].
func (s *Store) PutOrganization(ctx context.Context, organization account.Organization) error {
	return s.do(ctx, func(t *tables) error {
		if owner, taken := t.slugs[organization.Slug]; taken && owner != organization.ID {
			return account.ErrSlugTaken
		}
		t.putOrganization(organization)
		return nil
	})
}

func (t *tables) putOrganization(organization account.Organization) {
	if old, known := t.organizations[organization.ID]; known {
		delete(t.slugs, old.Slug)
	}
	t.organizations[organization.ID] = organization
	t.slugs[organization.Slug] = organization.ID
}

// OrganizationByID implements [account.Store].
func (s *Store) OrganizationByID(ctx context.Context, id int64) (account.Organization, error) {
	return read(ctx, s, func(t *tables) (account.Organization, error) {
		organization, known := t.organizations[id]
		if !known {
			return account.Organization{}, account.ErrOrganizationNotFound
		}
		return organization, nil
	})
}

// OrganizationBySlug implements [account.Store].
func (s *Store) OrganizationBySlug(ctx context.Context, slug string) (account.Organization, error) {
	return read(ctx, s, func(t *tables) (account.Organization, error) {
		id, known := t.slugs[slug]
		if !known {
			return account.Organization{}, account.ErrOrganizationNotFound
		}
		return t.organizations[id], nil
	})
}

// Organizations implements [account.Store].
func (s *Store) Organizations(ctx context.Context, after int64, limit int) (asset.Page[account.Organization], error) {
	return read(ctx, s, func(t *tables) (asset.Page[account.Organization], error) {
		var organizations []account.Organization
		for id, organization := range t.organizations {
			if id > after {
				organizations = append(organizations, organization)
			}
		}
		slices.SortFunc(organizations, func(a, b account.Organization) int {
			return cmp.Compare(a.ID, b.ID)
		})
		return page(organizations, limit, func(o account.Organization) account.Organization { return o })
	})
}

// PutGroup implements [account.Store].
func (s *Store) PutGroup(ctx context.Context, group account.Group) (account.Group, error) {
	return write(ctx, s, func(t *tables) (account.Group, error) {
		old, known := t.groups[group.ID]
		switch {
		case known && old.OrganizationID != group.OrganizationID:
			return account.Group{}, account.ErrGroupTaken
		case group.ID == 0 && t.lastGroup == asset.MaxID:
			return account.Group{}, errNoID
		case group.ID == 0:
			group.ID = t.lastGroup + 1
		}
		t.putGroup(group)
		return group, nil
	})
}

func (t *tables) putGroup(group account.Group) {
	t.groups[group.ID] = group
	t.lastGroup = max(t.lastGroup, group.ID)
}

// Groups implements [account.Store].
func (s *Store) Groups(ctx context.Context, organizationID int64) ([]account.Group, error) {
	return read(ctx, s, func(t *tables) ([]account.Group, error) {
		var groups []account.Group
		for _, group := range t.groups {
			if group.OrganizationID == organizationID {
				groups = append(groups, group)
			}
		}
		slices.SortFunc(groups, func(a, b account.Group) int {
			return cmp.Compare(a.ID, b.ID)
		})
		return groups, nil
	})
}

// PutUser implements [account.Store].
func (s *Store) PutUser(ctx context.Context, user account.User) error {
	return s.do(ctx, func(t *tables) error {
		t.users[user.ID] = user
		return nil
	})
}

// UserByID implements [account.Store].
func (s *Store) UserByID(ctx context.Context, id int64) (account.User, error) {
	return read(ctx, s, func(t *tables) (account.User, error) {
		user, known := t.users[id]
		if !known {
			return account.User{}, account.ErrUserNotFound
		}
		return user, nil
	})
}

// UsersByEmail implements [account.Store].
func (s *Store) UsersByEmail(ctx context.Context, emailKey string) ([]account.User, error) {
	return read(ctx, s, func(t *tables) ([]account.User, error) {
		var users []account.User
		for _, id := range slices.Sorted(maps.Keys(t.users)) {
			if account.EmailKey(t.users[id].Email) == emailKey {
				users = append(users, t.users[id])
			}
		}
		return users, nil
	})
}
