package httpapi

import (
	"net/http"

	"github.com/apguard/apguard/account"
)

// reportsPath is the path of the listing of reports that is not deprecated.
const reportsPath = "/organization/reports"

// operation is one row of the table of operations: all in which they differ.
type operation struct {
	methods []string
	path    string
	// scope is what a key must have. Without one, the operation needs no key.
	scope account.Scope
	// organization says that the key must speak for one.
	organization bool
	// noAccess is the status for a key that lacks the scope or the organization.
	noAccess int
	// takesBody says that a request has a JSON body.
	takesBody  bool
	deprecated bool
	// body makes the body of a refusal.
	body func(refusal) any
	// handle answers a request that passed all checks. It writes the reply, or
	// returns an error before it wrote anything.
	handle func(*API, *reply, call) error
}

// call is one request that passed all checks.
type call struct {
	*http.Request
	// principal is nobody when the operation needs no key.
	principal account.Principal
	// body is empty when the operation takes none.
	body []byte
}

func operations(deprecatedReportsPath string) []operation {
	return []operation{
		{
			methods:   []string{http.MethodPost},
			path:      "/asset/changelog",
			scope:     account.ScopeChangelog,
			noAccess:  http.StatusForbidden,
			takesBody: true,
			body:      standardBody,
			handle:    (*API).listChanges,
		},
		{
			methods:   []string{http.MethodPost},
			path:      "/dispute/create",
			scope:     account.ScopeDispute,
			noAccess:  http.StatusForbidden,
			takesBody: true,
			body:      standardBody,
			handle:    (*API).createDispute,
		},
		{
			methods:      []string{http.MethodPost},
			path:         "/organization/assets",
			scope:        account.ScopeAllowlist,
			organization: true,
			noAccess:     http.StatusUnauthorized,
			takesBody:    true,
			body:         wrappedBody,
			handle:       (*API).addAssets,
		},
		{
			methods:      []string{http.MethodPost},
			path:         deprecatedReportsPath,
			scope:        account.ScopeReports,
			organization: true,
			noAccess:     http.StatusForbidden,
			takesBody:    true,
			deprecated:   true,
			body:         standardBody,
			handle:       (*API).listReportsOfSlug,
		},
		{
			methods:      []string{http.MethodGet, http.MethodHead},
			path:         reportsPath,
			scope:        account.ScopeReports,
			organization: true,
			noAccess:     http.StatusForbidden,
			body:         standardBody,
			handle:       (*API).listReports,
		},
		{
			methods: []string{http.MethodGet, http.MethodHead},
			path:    documentPath,
			body:    standardBody,
			handle:  (*API).getDocument,
		},
	}
}
