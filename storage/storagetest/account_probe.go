package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

func (p *probe) putOrganization(id int64, slug string) {
	p.Helper()
	require.NoError(p, p.PutOrganization(p.Context(), account.Organization{ID: id, Slug: slug, Name: "Organization " + slug}), "PutOrganization %d", id)
}

func (p *probe) organization(id int64) account.Organization {
	p.Helper()
	organization, err := p.OrganizationByID(p.Context(), id)
	require.NoError(p, err)
	return organization
}

func (p *probe) putUser(user account.User) {
	p.Helper()
	require.NoError(p, p.PutUser(p.Context(), user), "PutUser %d", user.ID)
}

// newGroup stores a new group and returns its ID.
func (p *probe) newGroup(organizationID int64, name string) int64 {
	p.Helper()
	group, err := p.PutGroup(p.Context(), account.Group{OrganizationID: organizationID, Name: name})
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

func (p *probe) organizationPage(after int64, limit int) asset.Page[account.Organization] {
	p.Helper()
	organizations, err := p.Organizations(p.Context(), after, limit)
	require.NoError(p, err, "Organizations after %d", after)
	return organizations
}
