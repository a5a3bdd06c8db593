package client

import (
	"context"
	"iter"

	"github.com/apguard/apguard/account"
)

type organizationAnswer struct{ account.Organization }

func (a *organizationAnswer) validate() error { return validateOrganization(a.Organization) }

func validateOrganization(organization account.Organization) error {
	if organization.Slug == "" {
		return responseError("an organization has no slug")
	}
	return validateID(organization.ID)
}

type organizationsPage struct {
	Organizations []account.Organization `json:"organizations"`
	NextCursor    int64                  `json:"nextCursor"`
}

func (p *organizationsPage) validate() error {
	return validatePage(p.Organizations, validateOrganization, p.NextCursor)
}

// Organizations yields all organizations, ordered by ID, page by page.
func (o *Operator) Organizations(ctx context.Context) iter.Seq2[account.Organization, error] {
	return o.SearchOrganizations(ctx, "")
}

// SearchOrganizations yields the organizations with an ID, or with a part of a name or a slug, ordered by ID, page by page.
func (o *Operator) SearchOrganizations(ctx context.Context, searched string) iter.Seq2[account.Organization, error] {
	const path = "/organization/list"
	return pages("GET "+path, 0, func(cursor int64) ([]account.Organization, int64, error) {
		query := pageQuery(cursor, account.MaxLimit)
		setText(query, "searchQuery", searched)
		page, err := getPage[organizationsPage](ctx, o.sender, path, query)
		return page.Organizations, page.NextCursor, err
	})
}

// Organization returns an organization. The error matches [ErrNotFound] if there is none with the ID.
func (o *Operator) Organization(ctx context.Context, id int64) (account.Organization, error) {
	answer, err := getPage[organizationAnswer](ctx, o.sender, "/organization/get", idQuery("id", id))
	return answer.Organization, err
}

// CreateOrganization creates an organization with an ID that the server chooses. The error matches
// [ErrConflict] if another one has the slug.
func (o *Operator) CreateOrganization(ctx context.Context, req account.OrganizationRequest) (account.Organization, error) {
	return o.changeOrganization(ctx, "/organization/create", struct {
		Slug string `json:"slug"`
		Name string `json:"name,omitzero"`
	}(req))
}

// RenameOrganization changes the slug or the name of an organization, and leaves an empty one as it is. The
// error matches [ErrConflict] if another one has the slug, and [ErrNotFound] if there is none with the ID.
func (o *Operator) RenameOrganization(ctx context.Context, req account.OrganizationRenameRequest) (account.Organization, error) {
	return o.changeOrganization(ctx, "/organization/rename", struct {
		ID   int64  `json:"id"`
		Slug string `json:"slug,omitzero"`
		Name string `json:"name,omitzero"`
	}(req))
}

// DeactivateOrganization makes the keys of an organization grant no access until ReactivateOrganization. The
// error matches [ErrNotFound] if there is none with the ID.
func (o *Operator) DeactivateOrganization(ctx context.Context, id int64) (account.Organization, error) {
	return o.changeOrganization(ctx, "/organization/deactivate", idBody{id})
}

// ReactivateOrganization undoes [Operator.DeactivateOrganization].
func (o *Operator) ReactivateOrganization(ctx context.Context, id int64) (account.Organization, error) {
	return o.changeOrganization(ctx, "/organization/reactivate", idBody{id})
}

func (o *Operator) changeOrganization(ctx context.Context, path string, body any) (account.Organization, error) {
	answer, err := change[organizationAnswer](ctx, o, path, body)
	return answer.Organization, err
}

// RemoveOrganization removes an organization with its keys and groups. The error matches [ErrNotFound] if there
// is none with the ID.
func (o *Operator) RemoveOrganization(ctx context.Context, id int64) error {
	return o.remove(ctx, "/organization/remove", id, idBody{id})
}

type groupAnswer struct{ account.Group }

func (a *groupAnswer) validate() error { return validateGroup(a.Group) }

func validateGroup(group account.Group) error {
	if err := validateID(group.OrganizationID); err != nil {
		return err
	}
	return validateID(group.ID)
}

type groupsAnswer struct {
	Groups []account.Group `json:"groups"`
}

func (a *groupsAnswer) validate() error { return validatePage(a.Groups, validateGroup, 0) }

// Groups returns the groups of an organization.
func (o *Operator) Groups(ctx context.Context, organizationID int64) ([]account.Group, error) {
	answer, err := getPage[groupsAnswer](ctx, o.sender, "/group/list", idQuery("organizationId", organizationID))
	return answer.Groups, err
}

// CreateGroup creates a group of an organization. The error matches [ErrNotFound] if there is no such
// organization.
func (o *Operator) CreateGroup(ctx context.Context, req account.GroupRequest) (account.Group, error) {
	answer, err := change[groupAnswer](ctx, o, "/group/create", struct {
		OrganizationID int64  `json:"organizationId"`
		Name           string `json:"name"`
	}(req))
	return answer.Group, err
}

// RenameGroup changes the name of a group. The error matches [ErrNotFound] if the organization does not have it.
func (o *Operator) RenameGroup(ctx context.Context, req account.GroupRenameRequest) (account.Group, error) {
	answer, err := change[groupAnswer](ctx, o, "/group/rename", struct {
		ID             int64  `json:"id"`
		OrganizationID int64  `json:"organizationId"`
		Name           string `json:"name"`
	}(req))
	return answer.Group, err
}

// RemoveGroup removes a group. The error matches [ErrNotFound] if the organization does not have it.
func (o *Operator) RemoveGroup(ctx context.Context, organizationID, id int64) error {
	return o.remove(ctx, "/group/remove", id, struct {
		ID             int64 `json:"id"`
		OrganizationID int64 `json:"organizationId"`
	}{id, organizationID})
}

type userAnswer struct{ account.User }

func (a *userAnswer) validate() error { return validateUser(a.User) }

func validateUser(user account.User) error { return validateID(user.ID) }

type usersPage struct {
	Users      []account.User `json:"users"`
	NextCursor int64          `json:"nextCursor"`
}

func (p *usersPage) validate() error { return validatePage(p.Users, validateUser, p.NextCursor) }

// Users yields all users, ordered by ID, page by page.
func (o *Operator) Users(ctx context.Context) iter.Seq2[account.User, error] {
	return o.SearchUsers(ctx, "")
}

// SearchUsers yields the users with an ID, or with a part of a name or an e-mail address, ordered by ID, page by page.
func (o *Operator) SearchUsers(ctx context.Context, searched string) iter.Seq2[account.User, error] {
	const path = "/user/list"
	return pages("GET "+path, 0, func(cursor int64) ([]account.User, int64, error) {
		query := pageQuery(cursor, account.MaxLimit)
		setText(query, "searchQuery", searched)
		page, err := getPage[usersPage](ctx, o.sender, path, query)
		return page.Users, page.NextCursor, err
	})
}

// User returns a user. The error matches [ErrNotFound] if there is none with the ID.
func (o *Operator) User(ctx context.Context, id int64) (account.User, error) {
	answer, err := getPage[userAnswer](ctx, o.sender, "/user/get", idQuery("id", id))
	return answer.User, err
}

// CreateUser creates a user with an ID that the server chooses.
func (o *Operator) CreateUser(ctx context.Context, req account.UserRequest) (account.User, error) {
	return o.changeUser(ctx, "/user/create", struct {
		FullName   string `json:"fullName"`
		Email      string `json:"email,omitzero"`
		Automation bool   `json:"automation,omitzero"`
	}(req))
}

// RenameUser changes the name or the e-mail address of a user, and leaves an empty one as it is. The error
// matches [ErrNotFound] if there is none with the ID.
func (o *Operator) RenameUser(ctx context.Context, req account.UserRenameRequest) (account.User, error) {
	return o.changeUser(ctx, "/user/rename", struct {
		ID       int64  `json:"id"`
		FullName string `json:"fullName,omitzero"`
		Email    string `json:"email,omitzero"`
	}(req))
}

// DeactivateUser makes the keys of a user grant no access until ReactivateUser. The error matches
// [ErrNotFound] if there is none with the ID.
func (o *Operator) DeactivateUser(ctx context.Context, id int64) (account.User, error) {
	return o.changeUser(ctx, "/user/deactivate", idBody{id})
}

// ReactivateUser undoes [Operator.DeactivateUser].
func (o *Operator) ReactivateUser(ctx context.Context, id int64) (account.User, error) {
	return o.changeUser(ctx, "/user/reactivate", idBody{id})
}

func (o *Operator) changeUser(ctx context.Context, path string, body any) (account.User, error) {
	answer, err := change[userAnswer](ctx, o, path, body)
	return answer.User, err
}

// RemoveUser removes a user with the user's keys. The error matches [ErrNotFound] if there is none with the ID.
func (o *Operator) RemoveUser(ctx context.Context, id int64) error {
	return o.remove(ctx, "/user/remove", id, idBody{id})
}
