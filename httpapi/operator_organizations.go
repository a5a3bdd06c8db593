package httpapi

import "github.com/apguard/apguard/account"

// organizationResponse names an organization.
type organizationResponse struct {
	ID   int64  `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
}

func newOrganizationResponse(o account.Organization) organizationResponse {
	return organizationResponse{o.ID, o.Slug, o.Name}
}
