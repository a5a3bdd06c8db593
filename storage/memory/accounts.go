package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// PutOrganization implements [account.Store].
func (s *Store) PutOrganization(ctx context.Context, organization account.Organization, entry audit.Entry) error {
	return s.do(ctx, func(t *tables) error {
		if owner, taken := t.slugs[organization.Slug]; taken && owner != organization.ID {
			return account.ErrSlugTaken
		}
		old := t.organizations[organization.ID]
		organization = organization.Over(old)
		t.record(audit.Stored(entry, old, organization))
		t.putOrganization(organization)
		return nil
	})
}

// UpdateOrganization implements [account.Store].
func (s *Store) UpdateOrganization(
	ctx context.Context, id int64, update func(old account.Organization) (account.Organization, audit.Entry),
) (account.Organization, error) {
	return write(ctx, s, func(t *tables) (account.Organization, error) {
		old, known := t.organizations[id]
		if !known {
			return account.Organization{}, account.ErrOrganizationNotFound
		}
		changed, entry := update(old)
		if owner, taken := t.slugs[changed.Slug]; taken && owner != id {
			return account.Organization{}, account.ErrSlugTaken
		}
		if err := ctx.Err(); err != nil {
			return account.Organization{}, err
		}
		t.record(entry)
		t.putOrganization(changed)
		return changed, nil
	})
}

func (t *tables) putOrganization(organization account.Organization) {
	if old, known := t.organizations[organization.ID]; known {
		delete(t.slugs, old.Slug)
	}
	t.organizations[organization.ID] = organization
	t.slugs[organization.Slug] = organization.ID
}

// OrganizationsByID implements [account.Store].
func (s *Store) OrganizationsByID(ctx context.Context, ids []int64) ([]account.Organization, error) {
	return read(ctx, s, func(t *tables) ([]account.Organization, error) { return byID(t.organizations, ids), nil })
}

// byID returns the records of a table with the IDs, ordered by ID.
func byID[T any](table map[int64]T, ids []int64) []T {
	var found []T
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		if record, known := table[id]; known {
			found = append(found, record)
		}
	}
	return found
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
func (s *Store) Organizations(ctx context.Context, after int64, limit int) (step.Page[account.Organization], error) {
	return read(ctx, s, func(t *tables) (step.Page[account.Organization], error) {
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
func (s *Store) PutGroup(ctx context.Context, group account.Group, entry audit.Entry) (account.Group, error) {
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
		t.record(audit.Stored(entry.On(group.ID), t.groups[group.ID], group))
		t.putGroup(group)
		return group, nil
	})
}

func (t *tables) putGroup(group account.Group) {
	t.groups[group.ID] = group
	t.lastGroup = max(t.lastGroup, group.ID)
}

// RenameGroup implements [account.Store].
func (s *Store) RenameGroup(ctx context.Context, group account.Group, entry audit.Entry) error {
	return s.do(ctx, func(t *tables) error {
		if !t.ownsGroup(group.OrganizationID, group.ID) {
			return account.ErrGroupNotFound
		}
		t.record(audit.Stored(entry, t.groups[group.ID], group))
		t.putGroup(group)
		return nil
	})
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
func (s *Store) PutUser(ctx context.Context, user account.User, entry audit.Entry) error {
	return s.do(ctx, func(t *tables) error {
		old := t.users[user.ID]
		user = user.Over(old)
		t.record(audit.Stored(entry, old, user))
		t.users[user.ID] = user
		return nil
	})
}

// UpdateUser implements [account.Store].
func (s *Store) UpdateUser(ctx context.Context, id int64, update func(old account.User) (account.User, audit.Entry)) (account.User, error) {
	return write(ctx, s, func(t *tables) (account.User, error) {
		old, known := t.users[id]
		if !known {
			return account.User{}, account.ErrUserNotFound
		}
		changed, entry := update(old)
		if err := ctx.Err(); err != nil {
			return account.User{}, err
		}
		t.record(entry)
		t.users[id] = changed
		return changed, nil
	})
}

// UsersByID implements [account.Store].
func (s *Store) UsersByID(ctx context.Context, ids []int64) ([]account.User, error) {
	return read(ctx, s, func(t *tables) ([]account.User, error) { return byID(t.users, ids), nil })
}

// Users implements [account.Store].
func (s *Store) Users(ctx context.Context, after int64, limit int) (step.Page[account.User], error) {
	return read(ctx, s, func(t *tables) (step.Page[account.User], error) {
		ids := slices.Sorted(maps.Keys(t.users))
		return page(above(ids, after, func(id int64) int64 { return id }), limit, func(id int64) account.User { return t.users[id] })
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
