package storagetest

import (
	"cmp"
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
)

func (m *machine) compareOrganization(id int64) {
	m.Helper()
	if want := m.model.organization(id); want != nil {
		require.Equal(m, *want, m.organization(id), "OrganizationsByID %d", id)
	} else {
		require.Empty(m, m.organizationsByID(id), "OrganizationsByID %d", id)
	}
	for _, slug := range slugs {
		m.compareSlug(slug)
	}
	require.Equal(m, m.model.groupsOf(id), orNil(m.groups(id)), "the groups of organization %d", id)
}

func (m *machine) compareUsers() {
	m.Helper()
	var all []account.User
	byEmail := make(map[string][]account.User)
	for id := range int64(4) {
		if want := m.model.user(id); want != nil {
			all = append(all, *want)
			byEmail[account.EmailKey(want.Email)] = append(byEmail[account.EmailKey(want.Email)], *want)
		}
	}
	require.Equal(m, all, orNil(m.usersByID(3, 2, 1, 0)), "UsersByID")
	for _, key := range []string{"a", "A", "b", "unknown"} {
		got, err := m.UsersByEmail(m.Context(), key)
		require.NoError(m, err, "UsersByEmail %q", key)
		require.Equal(m, byEmail[key], orNil(got), "UsersByEmail %q", key)
	}
}

func (m *machine) compareSlug(slug string) {
	m.Helper()
	got, err := m.OrganizationBySlug(m.Context(), slug)
	if want := m.model.organizationBySlug(slug); want != nil {
		require.NoError(m, err, "OrganizationBySlug %q", slug)
		require.Equal(m, *want, got, "OrganizationBySlug %q", slug)
	} else {
		require.ErrorIs(m, err, account.ErrOrganizationNotFound, "OrganizationBySlug %q", slug)
	}
}

func (m *machine) putRandomOrganization(t *rapid.T) {
	organization := account.Organization{
		ID:   anyOrganization.Draw(t, "id"),
		Slug: rapid.SampledFrom(slugs[:]).Draw(t, "slug"),
		Name: anyText.Draw(t, "name"),

		Deactivated: rapid.Bool().Draw(t, "deactivated"),
	}
	entry := m.anyAct(t)
	err := m.PutOrganization(m.Context(), organization, entry)
	if owner := m.model.organizationBySlug(organization.Slug); owner != nil && owner.ID != organization.ID {
		require.ErrorIs(m, err, account.ErrSlugTaken)
		return
	}
	require.NoError(m, err)
	old := orZero(m.model.organization(organization.ID))
	organization.Deactivated = organization.Deactivated || old.Deactivated
	m.model.tell(audit.Stored(entry, old, organization))
	m.model.organizations = put(m.model.organizations, organization, func(o account.Organization) bool { return o.ID == organization.ID })
}

func (m *machine) putRandomGroup(t *rapid.T) {
	group := account.Group{
		ID:             rapid.Int64Range(0, 4).Draw(t, "id"),
		OrganizationID: anyOrganization.Draw(t, "organization"),
		Name:           anyText.Draw(t, "name"),
	}
	entry := m.anyAct(t)
	got, err := m.PutGroup(m.Context(), group, entry)
	if old := m.model.group(group.ID); old != nil && old.OrganizationID != group.OrganizationID {
		require.ErrorIs(m, err, account.ErrGroupTaken)
		return
	}
	require.NoError(m, err)
	if group.ID == 0 {
		m.assigned("group", got.ID)
		group.ID = got.ID
	}
	require.Equal(m, group, got)
	m.last["group"] = max(m.last["group"], group.ID)
	m.model.tell(audit.Stored(entry.On(group.ID), orZero(m.model.group(group.ID)), group))
	m.model.groups = put(m.model.groups, group, func(g account.Group) bool { return g.ID == group.ID })
}

func (m *machine) putRandomUser(t *rapid.T) {
	user := account.User{
		ID:         anyUser.Draw(t, "id"),
		FullName:   anyText.Draw(t, "name"),
		Email:      anyText.Draw(t, "email"),
		Automation: rapid.Bool().Draw(t, "automation"),

		Deactivated: rapid.Bool().Draw(t, "deactivated"),
	}
	entry := m.anyAct(t)
	require.NoError(m, m.PutUser(m.Context(), user, entry))
	old := orZero(m.model.user(user.ID))
	user.Deactivated = user.Deactivated || old.Deactivated
	m.model.tell(audit.Stored(entry, old, user))
	m.model.users = put(m.model.users, user, func(u account.User) bool { return u.ID == user.ID })
}

func (m *machine) updateRandomAccount(t *rapid.T) {
	id, entry := rapid.Int64Range(1, 4).Draw(t, "id"), m.anyAct(t)
	name, deactivated := anyText.Draw(t, "name"), rapid.Bool().Draw(t, "deactivated")
	switch rapid.SampledFrom([]string{"user", "group", "organization"}).Draw(t, "kind") {
	case "user":
		update := func(old account.User) (account.User, audit.Entry) {
			old.FullName, old.Deactivated = name, deactivated
			return old, entry
		}
		got, err := m.UpdateUser(m.Context(), id, update)
		user := m.model.user(id)
		m.existing(user != nil, err, account.ErrUserNotFound)
		if err == nil {
			*user, _ = update(*user)
			require.Equal(m, *user, got)
			m.model.tell(entry)
		}
	case "group":
		group := account.Group{ID: id, OrganizationID: anyOrganization.Draw(t, "organization"), Name: name}
		err := m.RenameGroup(m.Context(), group, entry)
		old := m.model.group(id)
		m.existing(old != nil && old.OrganizationID == group.OrganizationID, err, account.ErrGroupNotFound)
		if err == nil {
			m.model.tell(audit.Stored(entry, *old, group))
			*old = group
		}
	case "organization":
		slug := rapid.SampledFrom(slugs[:]).Draw(t, "slug")
		update := func(old account.Organization) (account.Organization, audit.Entry) {
			old.Slug, old.Name, old.Deactivated = slug, name, deactivated
			return old, entry
		}
		got, err := m.UpdateOrganization(m.Context(), id, update)
		organization, owner := m.model.organization(id), m.model.organizationBySlug(slug)
		if organization != nil && owner != nil && owner.ID != id {
			require.ErrorIs(m, err, account.ErrSlugTaken)
			return
		}
		m.existing(organization != nil, err, account.ErrOrganizationNotFound)
		if err == nil {
			*organization, _ = update(*organization)
			require.Equal(m, *organization, got)
			m.model.tell(entry)
		}
	}
}

func (m *machine) readOrganizations(t *rapid.T) {
	after, limit := maybe(anyOrganization).Draw(t, "after"), anyLimit.Draw(t, "limit")
	want := above(m.model.organizations, after, func(o account.Organization) int64 { return o.ID })
	samePage(m, want, limit, m.organizationPage(after, limit), "Organizations after %d", after)
}

func (m *machine) readUsers(t *rapid.T) {
	after, limit := maybe(anyUser).Draw(t, "after"), anyLimit.Draw(t, "limit")
	want := above(m.model.users, after, func(u account.User) int64 { return u.ID })
	samePage(m, want, limit, m.userPage(after, limit), "Users after %d", after)
}

func (m *model) organization(id int64) *account.Organization {
	return find(m.organizations, func(o account.Organization) bool { return o.ID == id })
}

func (m *model) organizationBySlug(slug string) *account.Organization {
	return find(m.organizations, func(o account.Organization) bool { return o.Slug == slug })
}

func (m *model) user(id int64) *account.User {
	return find(m.users, func(u account.User) bool { return u.ID == id })
}

func (m *model) group(id int64) *account.Group {
	return find(m.groups, func(g account.Group) bool { return g.ID == id })
}

func (m *model) groupsOf(organizationID int64) []account.Group {
	var groups []account.Group
	for _, group := range m.groups {
		if group.OrganizationID == organizationID {
			groups = append(groups, group)
		}
	}
	slices.SortFunc(groups, func(a, b account.Group) int { return cmp.Compare(a.ID, b.ID) })
	return groups
}
