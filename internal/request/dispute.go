package request

import "github.com/apguard/apguard/dispute"

// GetOwnDispute decodes GET /dispute/get.
func (c Call) GetOwnDispute() (dispute.GetRequest, error) {
	id, err := c.queryID("id")
	return dispute.GetRequest{DisputeID: id, OrganizationID: c.Caller.OrganizationID, Actor: c.Caller.UserID}, err
}

// CreateDispute decodes the specification's "Dispute create".
func (c Call) CreateDispute() (dispute.CreateRequest, error) {
	f := c.specified("content", "email", "description")
	key, invalidKey := c.idempotencyKey()
	request := dispute.CreateRequest{
		Content:        f.text("content"),
		Email:          f.text("email"),
		AccountEmail:   c.Caller.Email,
		Description:    f.text("description"),
		ViaAPI:         true,
		OrganizationID: c.Caller.OrganizationID,
		Actor:          c.Caller.UserID,
		Idempotency:    key,
	}
	return request, f.join(invalidKey, request.Validate())
}
