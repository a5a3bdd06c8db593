package storagetest

import (
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
)

func accountRemoveChecks() []requirement {
	return []requirement{
		{"users are read back by ID and by e-mail address", func(p *probe) {
			first := account.User{ID: 1, FullName: "Ada", Email: " Ada@Acme.example", Automation: true}
			second := account.User{ID: 5, FullName: "Other", Email: "ada@acme.EXAMPLE"}
			p.putUser(second)
			p.putUser(first)
			p.putUser(account.User{ID: 3, Email: "grace@acme.example"})
			p.putUser(account.User{ID: 4, Email: "grace@\u017fite.example"})
			got, err := p.UserByID(p.Context(), 1)
			require.NoError(p, err)
			require.Equal(p, first, got)
			users, err := p.UsersByEmail(p.Context(), "ada@acme.example")
			require.NoError(p, err)
			require.Equal(p, []account.User{first, second}, users)
			for _, other := range []string{"ada", "grace@site.example"} {
				users, err = p.UsersByEmail(p.Context(), other)
				require.NoError(p, err)
				require.Empty(p, users)
			}
			_, err = p.UserByID(p.Context(), 2)
			require.ErrorIs(p, err, account.ErrUserNotFound)
		}},
		{"a removed user is unknown", func(p *probe) {
			p.putUser(account.User{ID: 1, Email: "ada@acme.example"})
			p.putUser(account.User{ID: 2, Email: "ada@acme.example"})
			require.NoError(p, p.RemoveUser(p.Context(), 1))
			_, err := p.UserByID(p.Context(), 1)
			require.ErrorIs(p, err, account.ErrUserNotFound)
			users, err := p.UsersByEmail(p.Context(), "ada@acme.example")
			require.NoError(p, err)
			require.Len(p, users, 1)
			require.ErrorIs(p, p.RemoveUser(p.Context(), 1), account.ErrUserNotFound, "a second time")
		}},
		{"a removed group is not of its organization", func(p *probe) {
			group, other := p.newGroup(1, "first"), p.newGroup(1, "second")
			require.ErrorIs(p, p.RemoveGroup(p.Context(), 2, group), account.ErrGroupNotFound, "another organization")
			require.NoError(p, p.RemoveGroup(p.Context(), 1, group))
			require.Equal(p, other, only(p, p.groups(1)).ID)
			require.ErrorIs(p, p.RemoveGroup(p.Context(), 1, group), account.ErrGroupNotFound, "a second time")
			require.Greater(p, p.newGroup(1, "third"), other)
		}},
		{"a removed organization has no groups, and its slug is free", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putOrganization(2, "globex")
			p.newGroup(1, "Sites")
			p.newGroup(2, "Shops")
			require.NoError(p, p.RemoveOrganization(p.Context(), 1))
			_, err := p.OrganizationByID(p.Context(), 1)
			require.ErrorIs(p, err, account.ErrOrganizationNotFound)
			_, err = p.OrganizationBySlug(p.Context(), "acme")
			require.ErrorIs(p, err, account.ErrOrganizationNotFound)
			require.Len(p, p.organizations(0, noLimit), 1)
			require.Empty(p, p.groups(1))
			require.Len(p, p.groups(2), 1)
			p.putOrganization(3, "acme")
			require.ErrorIs(p, p.RemoveOrganization(p.Context(), 1), account.ErrOrganizationNotFound, "a second time")
		}},
		{"keys of a removed user or organization are unknown", needs("PutKey", func(p *probe) {
			p.putOrganization(1, "acme")
			p.putOrganization(2, "globex")
			p.putUser(account.User{ID: 1})
			p.putUser(account.User{ID: 2})
			p.putKey(newKey("of the user", 2, 1))
			p.putKey(newKey("of the organization", 1, 2))
			p.putKey(newKey("of others", 2, 2))
			require.NoError(p, p.RemoveUser(p.Context(), 1))
			require.NoError(p, p.RemoveOrganization(p.Context(), 1))
			for _, secret := range []string{"of the user", "of the organization"} {
				_, err := p.KeyByHash(p.Context(), account.HashKey(secret))
				require.ErrorIs(p, err, account.ErrUnknownKey, secret)
			}
			require.Empty(p, p.keys(1))
			require.Len(p, p.keys(2), 1)
			p.putUser(account.User{ID: 1})
			_, err := p.KeyByHash(p.Context(), account.HashKey("of the user"))
			require.ErrorIs(p, err, account.ErrUnknownKey, "after the user was put again")
		})},
		{"entries of a removed group stay without a group", needs("AddToAllowlist", func(p *probe) {
			group := p.newGroup(1, "Sites")
			cmd := addCommand(1, 1)
			cmd.GroupIDs, cmd.Entries[0].GroupID = []int64{group}, group
			p.add(cmd)
			require.NoError(p, p.RemoveGroup(p.Context(), 1, group))
			require.Zero(p, only(p, p.entries(1)).GroupID)
			p.refusedGroup(cmd, group)
		})},
		{"what removed users, groups and organizations did stays", needs("AddToAllowlist", func(p *probe) {
			p.fill()
			before := p.snapshot()
			require.NoError(p, p.RemoveUser(p.Context(), 1))
			require.NoError(p, p.RemoveGroup(p.Context(), 1, before.groups[0].ID))
			require.NoError(p, p.RemoveOrganization(p.Context(), 1))
			after := p.snapshot()
			require.Empty(p, after.organizations)
			require.Empty(p, after.keys)
			require.Equal(p, int64(1), after.reports[0].Reporter.ID)
			require.Empty(p, after.reports[0].Reporter.Email)
			after.organizations, after.key, after.keys, after.groups = before.organizations, before.key, before.keys, before.groups
			for i := range after.reports {
				after.reports[i].Reporter = before.reports[i].Reporter
			}
			require.Equal(p, before, after)
		})},
	}
}

func (m *machine) removeRandomAccount(t *rapid.T) {
	id := rapid.Int64Range(1, 4).Draw(t, "id")
	switch rapid.SampledFrom([]string{"user", "group", "organization"}).Draw(t, "kind") {
	case "user":
		err := m.RemoveUser(m.Context(), id)
		m.removed(m.model.user(id) != nil, err, account.ErrUserNotFound)
		m.model.users = slices.DeleteFunc(m.model.users, func(u account.User) bool { return u.ID == id })
		m.model.keys = slices.DeleteFunc(m.model.keys, func(k account.Key) bool { return k.UserID == id })
	case "group":
		organization := anyOrganization.Draw(t, "organization")
		err := m.RemoveGroup(m.Context(), organization, id)
		owned := func(g account.Group) bool { return g.ID == id && g.OrganizationID == organization }
		m.removed(find(m.model.groups, owned) != nil, err, account.ErrGroupNotFound)
		m.model.groups = slices.DeleteFunc(m.model.groups, owned)
	case "organization":
		err := m.RemoveOrganization(m.Context(), id)
		m.removed(m.model.organization(id) != nil, err, account.ErrOrganizationNotFound)
		if err != nil {
			return
		}
		m.model.organizations = slices.DeleteFunc(m.model.organizations, func(o account.Organization) bool { return o.ID == id })
		m.model.groups = slices.DeleteFunc(m.model.groups, func(g account.Group) bool { return g.OrganizationID == id })
		m.model.keys = slices.DeleteFunc(m.model.keys, func(k account.Key) bool { return k.OrganizationID == id })
	}
}

// removed requires that a removal succeeded if the record existed, and else its error.
func (m *machine) removed(existed bool, err, missing error) {
	m.Helper()
	if existed {
		require.NoError(m, err)
	} else {
		require.ErrorIs(m, err, missing)
	}
}

// withGroup returns the entry without a group that the organization does not have.
func (m *model) withGroup(organizationID int64, entry allowlist.Entry) allowlist.Entry {
	if group := m.group(entry.GroupID); group == nil || group.OrganizationID != organizationID {
		entry.GroupID = 0
	}
	return entry
}
