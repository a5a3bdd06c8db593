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
			require.Equal(p, first, only(p, p.usersByID(1)))
			users, err := p.UsersByEmail(p.Context(), "ada@acme.example")
			require.NoError(p, err)
			require.Equal(p, []account.User{first, second}, users)
			for _, other := range []string{"ada", "grace@site.example"} {
				users, err = p.UsersByEmail(p.Context(), other)
				require.NoError(p, err)
				require.Empty(p, users)
			}
			require.Empty(p, p.usersByID(2))
		}},
	}
}

func (m *machine) removeRandomAccount(t *rapid.T) {
	id, entry := rapid.Int64Range(1, 4).Draw(t, "id"), m.anyAct(t)
	switch rapid.SampledFrom([]string{"user", "group", "organization"}).Draw(t, "kind") {
	case "user":
		err := m.RemoveUser(m.Context(), id, entry)
		m.existing(m.model.user(id) != nil, err, account.ErrUserNotFound)
		if err != nil {
			return
		}
		m.model.tell(entry)
		m.model.users = slices.DeleteFunc(m.model.users, func(u account.User) bool { return u.ID == id })
		m.model.removeKeys(entry, func(k account.Key) bool { return k.UserID == id })
	case "group":
		organization := anyOrganization.Draw(t, "organization")
		err := m.RemoveGroup(m.Context(), organization, id, entry)
		owned := func(g account.Group) bool { return g.ID == id && g.OrganizationID == organization }
		m.existing(find(m.model.groups, owned) != nil, err, account.ErrGroupNotFound)
		if err != nil {
			return
		}
		m.model.tell(entry)
		m.model.groups = slices.DeleteFunc(m.model.groups, owned)
	case "organization":
		err := m.RemoveOrganization(m.Context(), id, entry)
		m.existing(m.model.organization(id) != nil, err, account.ErrOrganizationNotFound)
		if err != nil {
			return
		}
		m.model.tell(entry)
		m.model.organizations = slices.DeleteFunc(m.model.organizations, func(o account.Organization) bool { return o.ID == id })
		m.model.groups = slices.DeleteFunc(m.model.groups, func(g account.Group) bool { return g.OrganizationID == id })
		m.model.removeKeys(entry, func(k account.Key) bool { return k.OrganizationID == id })
	}
}

// existing requires that a step succeeded if its record existed, and else its error.
func (m *machine) existing(existed bool, err, missing error) {
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
