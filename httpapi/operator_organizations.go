package httpapi

// organizationResponse names an organization.
type organizationResponse struct {
	ID   int64  `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
}

// getOrganization answers the names of an organization.
func (o operator) getOrganization(w *responseWriter, c call) error {
	id, err := c.request().GetOrganization()
	if err != nil {
		return err
	}
	found, err := o.guard.Accounts.Organization(c.Context(), id)
	if err != nil {
		return err
	}
	return w.writeJSON(organizationResponse{found.ID, found.Slug, found.Name})
}
