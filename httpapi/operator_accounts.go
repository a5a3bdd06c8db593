package httpapi

import (
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/internal/request"
	"github.com/apguard/apguard/step"
)

type organizationsResponse struct {
	Organizations []organizationResponse `json:"organizations"`
	NextCursor    *int64                 `json:"nextCursor"`
}

// organizationResponse names an organization.
type organizationResponse struct {
	ID   int64  `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
}

type usersResponse struct {
	Users      []userResponse `json:"users"`
	NextCursor *int64         `json:"nextCursor"`
}

type userResponse struct {
	ID         int64   `json:"id"`
	FullName   string  `json:"fullName"`
	Email      *string `json:"email"`
	Automation bool    `json:"automation"`
}

// accountOperations returns the operations on organizations and users.
func (o operator) accountOperations() []operation {
	accounts := o.guard.Accounts
	return []operation{
		operatorRead("/organization/list", answerJSON(request.Call.ListAccounts, accounts.ListOrganizations, newOrganizationsResponse)),
		operatorRead("/organization/get", answerJSON(request.Call.GetOrganization, accounts.Organization, newOrganizationResponse)),
		operatorAdmin("/organization/create", answerJSON(request.Call.CreateOrganization, accounts.CreateOrganization, newOrganizationResponse)),
		operatorRead("/user/list", answerJSON(request.Call.ListAccounts, accounts.ListUsers, newUsersResponse)),
		operatorRead("/user/get", answerJSON(request.Call.GetUser, accounts.User, newUserResponse)),
		operatorAdmin("/user/create", answerJSON(request.Call.CreateUser, accounts.CreateUser, newUserResponse)),
	}
}

func newOrganizationsResponse(page step.Page[account.Organization]) organizationsResponse {
	response := organizationsResponse{Organizations: mapped(page.Items, newOrganizationResponse)}
	if page.More {
		response.NextCursor = known(page.Last().ID)
	}
	return response
}

func newOrganizationResponse(o account.Organization) organizationResponse {
	return organizationResponse{o.ID, o.Slug, o.Name}
}

func newUsersResponse(page step.Page[account.User]) usersResponse {
	response := usersResponse{Users: mapped(page.Items, newUserResponse)}
	if page.More {
		response.NextCursor = known(page.Last().ID)
	}
	return response
}

func newUserResponse(u account.User) userResponse {
	return userResponse{u.ID, u.FullName, known(u.Email), u.Automation}
}
