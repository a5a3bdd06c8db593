package httpapi

import (
	"context"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/internal/request"
)

type organizationsResponse struct {
	Organizations []organizationRecord `json:"organizations"`
	NextCursor    *int64               `json:"nextCursor"`
}

// organizationResponse names an organization.
type organizationResponse struct {
	ID   int64  `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
}

// organizationRecord is an organization as operators see it.
type organizationRecord struct {
	organizationResponse
	Deactivated bool `json:"deactivated"`
}

type groupsResponse struct {
	Groups []groupResponse `json:"groups"`
}

type groupResponse struct {
	ID             int64  `json:"id"`
	OrganizationID int64  `json:"organizationId"`
	Name           string `json:"name"`
}

type usersResponse struct {
	Users      []userResponse `json:"users"`
	NextCursor *int64         `json:"nextCursor"`
}

type userResponse struct {
	ID          int64   `json:"id"`
	FullName    string  `json:"fullName"`
	Email       *string `json:"email"`
	Automation  bool    `json:"automation"`
	Deactivated bool    `json:"deactivated"`
}

// removedRecord names an organization, a group or a user that was removed.
type removedRecord struct {
	ID int64 `json:"id"`
}

// accountOperations returns the operations on organizations, groups and users. They store no idempotency
// keys: except for the creation of groups and users, they have no effect the second time.
func (o operator) accountOperations() []operation {
	accounts := o.guard.Accounts
	return []operation{
		operatorRead("/organization/list", answerJSON(request.Call.SearchAccounts, accounts.SearchOrganizations, newOrganizationsResponse)),
		operatorRead("/organization/get", answerJSON(request.Call.GetOrganization, accounts.Organization, newOrganizationRecord)),
		operatorAdmin("/organization/create", answerJSON(request.Call.CreateOrganization, accounts.CreateOrganization, newOrganizationRecord)),
		operatorAdmin("/organization/rename", answerJSON(request.Call.RenameOrganization, accounts.RenameOrganization, newOrganizationRecord)),
		operatorAdmin("/organization/deactivate", answerJSON(request.Call.ChangeOrganization, accounts.DeactivateOrganization, newOrganizationRecord)),
		operatorAdmin("/organization/reactivate", answerJSON(request.Call.ChangeOrganization, accounts.ReactivateOrganization, newOrganizationRecord)),
		operatorAdmin("/organization/remove", answerJSON(request.Call.ChangeOrganization, removing(accounts.RemoveOrganization), newRemovedRecord)),
		costlyRead("/group/list", answerJSON(request.Call.ListGroups, accounts.Groups, newGroupsResponse)),
		operatorAdmin("/group/create", answerJSON(request.Call.CreateGroup, accounts.CreateGroup, newGroupResponse)),
		operatorAdmin("/group/rename", answerJSON(request.Call.RenameGroup, accounts.RenameGroup, newGroupResponse)),
		operatorAdmin("/group/remove", answerJSON(request.Call.RemoveGroup, o.removeGroup, newRemovedRecord)),
		operatorRead("/user/list", answerJSON(request.Call.SearchAccounts, accounts.SearchUsers, newUsersResponse)),
		operatorRead("/user/get", answerJSON(request.Call.GetUser, accounts.User, newUserResponse)),
		operatorAdmin("/user/create", answerJSON(request.Call.CreateUser, accounts.CreateUser, newUserResponse)),
		operatorAdmin("/user/rename", answerJSON(request.Call.RenameUser, accounts.RenameUser, newUserResponse)),
		operatorAdmin("/user/deactivate", answerJSON(request.Call.ChangeUser, o.guard.DeactivateUser, newUserResponse)),
		operatorAdmin("/user/reactivate", answerJSON(request.Call.ChangeUser, accounts.ReactivateUser, newUserResponse)),
		operatorAdmin("/user/remove", answerJSON(request.Call.ChangeUser, removing(o.guard.RemoveUser), newRemovedRecord)),
	}
}

// removing returns the removal of a record as a function that returns the ID of the record.
func removing(remove func(context.Context, int64) error) func(context.Context, int64) (int64, error) {
	return func(ctx context.Context, id int64) (int64, error) { return id, remove(ctx, id) }
}

func (o operator) removeGroup(ctx context.Context, group request.GroupRemoval) (id int64, err error) {
	return group.ID, o.guard.Accounts.RemoveGroup(ctx, group.OrganizationID, group.ID)
}

func newRemovedRecord(id int64) removedRecord { return removedRecord{id} }

func newOrganizationsResponse(found account.Found[account.Organization]) organizationsResponse {
	return organizationsResponse{mapped(found.Items, newOrganizationRecord), known(found.Next)}
}

func newOrganizationRecord(o account.Organization) organizationRecord {
	return organizationRecord{organizationResponse{o.ID, o.Slug, o.Name}, o.Deactivated}
}

func newGroupsResponse(groups []account.Group) groupsResponse {
	return groupsResponse{mapped(groups, newGroupResponse)}
}

func newGroupResponse(g account.Group) groupResponse {
	return groupResponse{g.ID, g.OrganizationID, g.Name}
}

func newUsersResponse(found account.Found[account.User]) usersResponse {
	return usersResponse{mapped(found.Items, newUserResponse), known(found.Next)}
}

func newUserResponse(u account.User) userResponse {
	return userResponse{u.ID, u.FullName, known(u.Email), u.Automation, u.Deactivated}
}
