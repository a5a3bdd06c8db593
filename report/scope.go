package report

import "github.com/apguard/apguard/asset"

// Scope is the set of reports that a request may use: those of one organization, or all.
// Reports outside of the scope are treated as if they did not exist. The zero Scope
// contains no report, and a request with it is invalid.
type Scope struct {
	organizationID int64
	any            bool
}

// InOrganization returns the scope of one organization's reports. The scope is invalid if
// id is not from 1 to [asset.MaxID].
func InOrganization(id int64) Scope {
	return Scope{organizationID: id}
}

// AnyOrganization returns the scope of all reports. It is for operators: a host
// application must not use it for callers who belong to an organization.
func AnyOrganization() Scope {
	return Scope{any: true}
}

// Contains reports whether the reports of the organization are in the scope.
func (s Scope) Contains(organizationID int64) bool {
	return s.any || asset.ValidID(organizationID) && s.organizationID == organizationID
}

// OrganizationID returns the organization of the scope. It reports false for
// [AnyOrganization].
func (s Scope) OrganizationID() (id int64, one bool) {
	return s.organizationID, !s.any
}

// Validate returns an [*asset.InputError] if the scope is neither [AnyOrganization] nor
// that of an organization.
func (s Scope) Validate() error {
	var issues asset.Issues
	s.check(&issues)
	return issues.Err()
}

func (s Scope) check(issues *asset.Issues) {
	if !s.any {
		issues.CheckID("organizationId", s.organizationID)
	}
}
