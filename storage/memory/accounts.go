package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

// PutOrganization implements [account.Store].
func (s *Store) PutOrganization(ctx context.Context, organization account.Organization) error {
	if err := s.beginWrite(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()

	if owner, taken := s.tables.slugs[organization.Slug]; taken && owner != organization.ID {
		return account.ErrSlugTaken
	}
	s.tables.putOrganization(organization)
	return nil
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
	if err := s.beginRead(ctx); err != nil {
		return account.Organization{}, err
	}
	defer s.mu.RUnlock()

	organization, known := s.tables.organizations[id]
	if !known {
		return account.Organization{}, account.ErrOrganizationNotFound
	}
	return organization, nil
}

// OrganizationBySlug implements [account.Store].
func (s *Store) OrganizationBySlug(ctx context.Context, slug string) (account.Organization, error) {
	if err := s.beginRead(ctx); err != nil {
		return account.Organization{}, err
	}
	defer s.mu.RUnlock()

	id, known := s.tables.slugs[slug]
	if !known {
		return account.Organization{}, account.ErrOrganizationNotFound
	}
	return s.tables.organizations[id], nil
}

// Organizations implements [account.Store].
func (s *Store) Organizations(ctx context.Context, after int64, limit int) ([]account.Organization, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	var organizations []account.Organization
	for id, organization := range s.tables.organizations {
		if id > after {
			organizations = append(organizations, organization)
		}
	}
	slices.SortFunc(organizations, func(a, b account.Organization) int {
		return cmp.Compare(a.ID, b.ID)
	})
	return first(organizations, limit), nil
}

// PutGroup implements [account.Store].
func (s *Store) PutGroup(ctx context.Context, group account.Group) (account.Group, error) {
	if err := s.beginWrite(ctx); err != nil {
		return account.Group{}, err
	}
	defer s.mu.Unlock()

	old, known := s.tables.groups[group.ID]
	switch {
	case known && old.OrganizationID != group.OrganizationID:
		return account.Group{}, account.ErrGroupTaken
	case group.ID == 0 && s.tables.lastGroup == asset.MaxID:
		return account.Group{}, errNoID
	case group.ID == 0:
		group.ID = s.tables.lastGroup + 1
	}
	s.tables.putGroup(group)
	return group, nil
}

func (t *tables) putGroup(group account.Group) {
	t.groups[group.ID] = group
	t.lastGroup = max(t.lastGroup, group.ID)
}

// Groups implements [account.Store].
func (s *Store) Groups(ctx context.Context, organizationID int64) ([]account.Group, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	var groups []account.Group
	for _, group := range s.tables.groups {
		if group.OrganizationID == organizationID {
			groups = append(groups, group)
		}
	}
	slices.SortFunc(groups, func(a, b account.Group) int {
		return cmp.Compare(a.ID, b.ID)
	})
	return groups, nil
}

// PutUser implements [account.Store].
func (s *Store) PutUser(ctx context.Context, user account.User) error {
	if err := s.beginWrite(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()

	s.tables.users[user.ID] = user
	return nil
}
