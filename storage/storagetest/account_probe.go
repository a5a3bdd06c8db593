package storagetest

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

func (p *probe) putOrganization(id int64, slug string) {
	p.Helper()
	require.NoError(p, p.PutOrganization(p.Context(), account.Organization{ID: id, Slug: slug, Name: "Organization " + slug}, audit.Entry{}), "PutOrganization %d", id)
}

// ensureOrganizations stores the organizations with these IDs that do not exist.
func (p *probe) ensureOrganizations(ids ...int64) {
	p.Helper()
	existing := make(map[int64]bool)
	for _, organization := range p.organizationsByID(ids...) {
		existing[organization.ID] = true
	}
	for _, id := range ids {
		if !existing[id] {
			p.putOrganization(id, fmt.Sprintf("organization-%d", id))
		}
	}
}

func (p *probe) organization(id int64) account.Organization {
	p.Helper()
	return only(p, p.organizationsByID(id))
}

func (p *probe) organizationsByID(ids ...int64) []account.Organization {
	p.Helper()
	organizations, err := p.OrganizationsByID(p.Context(), ids)
	require.NoError(p, err, "OrganizationsByID %d", ids)
	return organizations
}

func (p *probe) putUser(user account.User) {
	p.Helper()
	require.NoError(p, p.PutUser(p.Context(), user, audit.Entry{}), "PutUser %d", user.ID)
}

func (p *probe) usersByID(ids ...int64) []account.User {
	p.Helper()
	users, err := p.UsersByID(p.Context(), ids)
	require.NoError(p, err, "UsersByID %d", ids)
	return users
}

// newUser stores a user with the ID and returns the ID.
func (p *probe) newUser(id int64) int64 {
	p.Helper()
	p.putUser(account.User{ID: id})
	return id
}

func (p *probe) userPage(after int64, limit int) step.Page[account.User] {
	p.Helper()
	users, err := p.Users(p.Context(), after, limit)
	require.NoError(p, err, "Users after %d", after)
	return users
}

// newGroup stores a new group and returns its ID.
func (p *probe) newGroup(organizationID int64, name string) int64 {
	p.Helper()
	group, err := p.PutGroup(p.Context(), account.Group{OrganizationID: organizationID, Name: name}, audit.Entry{})
	require.NoError(p, err, "PutGroup with ID 0")
	return group.ID
}

func (p *probe) groups(organizationID int64) []account.Group {
	p.Helper()
	groups, err := p.Groups(p.Context(), organizationID)
	require.NoError(p, err, "Groups of organization %d", organizationID)
	return groups
}

func (p *probe) organizations(after int64, limit int) []account.Organization {
	p.Helper()
	return p.organizationPage(after, limit).Items
}

func (p *probe) organizationPage(after int64, limit int) step.Page[account.Organization] {
	p.Helper()
	organizations, err := p.Organizations(p.Context(), after, limit)
	require.NoError(p, err, "Organizations after %d", after)
	return organizations
}

func renamedOrganization(old account.Organization) (account.Organization, audit.Entry) {
	old.Name = "renamed"
	return old, act()
}

func renamedUser(old account.User) (account.User, audit.Entry) {
	old.FullName = "renamed"
	return old, act()
}

func renamedKey(old account.Key) account.KeyUpdate {
	old.Name = "renamed"
	return account.KeyUpdate{Key: old, Entry: act()}
}
