package request

// GetOrganization decodes GET /organization/get for operators.
func (c Call) GetOrganization() (id int64, err error) { return c.queryID("id") }
