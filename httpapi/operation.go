package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/internal/request"
)

// reportsPath is the path of the reports listing that is not deprecated.
const reportsPath = "/organization/reports"

// maxCheapBatch is the maximum size in bytes of a batch that is not costly. It has room for
// about 200 short assets.
const maxCheapBatch = 4 << 10

// operation describes an operation.
type operation struct {
	methods []string
	path    string
	// scope is required of the caller, unless anyScope allows every caller.
	scope    account.Scope
	anyScope bool
	// anonymous operations need no credentials. The client address is their caller.
	anonymous bool
	// organization requires a caller with an organization, and user one with a user.
	organization, user bool
	// noAccess is the status for a caller without the scope, the organization or the user. It is
	// 0 for 403.
	noAccess   int
	deprecated bool
	// browsers says that pages of Options.AllowedOrigins may call it.
	browsers bool
	// costly operations may take long or have large replies, whatever the size of their body.
	costly bool
	// maxBody is the maximum size of the body in bytes. It is 0 if the operation takes none.
	maxBody int64
	// maxCheapBody is the maximum size of the body of a request that is not costly, in bytes. It
	// is 0 if the cost does not depend on the body.
	maxCheapBody int64
	// errorBody returns the response body of an error. It is nil for [standardBody].
	errorBody func(apiError) any
	// read, unless nil, is the operation for its methods, which are among the methods of this one.
	read *operation
	// handle answers a call. It writes the response, or it returns an error and
	// has written nothing.
	handle func(*responseWriter, call) error
}

// call is a request that has passed every check before decoding.
type call struct {
	*http.Request
	// principal is zero if the operation needs no credentials.
	principal account.Principal
	// body is empty if the operation takes none.
	body []byte
	// work limits the time of the service.
	work *limit.Work
	// stopping is Options.Stopping.
	stopping <-chan struct{}
}

// request returns what the call asks for.
func (c call) request() request.Call {
	return request.Call{
		Body:            c.body,
		Query:           c.URL.RawQuery,
		IdempotencyKeys: c.Header[idempotencyKeyHeader],
		Caller:          c.principal,
	}
}

// answerJSON returns the handle of an operation that decodes a request, gives it to a service, and
// writes the result in the given form.
func answerJSON[Request, Result, Body any](
	decode func(request.Call) (Request, error),
	serve func(context.Context, Request) (Result, error),
	body func(Result) Body,
) func(*responseWriter, call) error {
	return answerUpdate(decode, serve, unreplayed(body))
}

// unreplayed returns the body of a response that is never a replay.
func unreplayed[Result, Body any](body func(Result) Body) func(Result) (Body, bool) {
	return func(result Result) (Body, bool) { return body(result), false }
}

// of returns the operation for a method.
func (op operation) of(method string) operation {
	if op.read != nil && op.read.supports(method) {
		return *op.read
	}
	return op
}

func (op operation) supports(method string) bool { return slices.Contains(op.methods, method) }

// isCostly reports whether a request may take long or have a large reply. The size of its body
// is negative if it is unknown.
func (op operation) isCostly(bodySize int64) bool {
	return op.costly || op.maxCheapBody > 0 && (bodySize < 0 || bodySize > op.maxCheapBody)
}

// operationUnder returns the operation with the longest path that the given path
// ends in, and reports whether there is one.
func (a *API) operationUnder(path string) (operation, bool) {
	var found operation
	general := generalized(path)
	for _, op := range a.operations {
		if (strings.HasSuffix(path, op.path) || strings.HasSuffix(general, op.path)) && len(op.path) > len(found.path) {
			found = op
		}
	}
	return found, found.path != ""
}

// public has the operations of the specification and ours.
type public struct {
	guard *apguard.Guard
	// hashes is nil if there are no hash lists.
	hashes *hashes.Origin
}

func (p public) operations(opts Options) []operation {
	return append(p.exportOperations(), []operation{
		{
			methods: []string{http.MethodGet, http.MethodHead},
			path:    "/asset/list",
			scope:   account.ScopeChangelog,
			costly:  true,
			handle:  p.listAssets,
		},
		{
			methods: []string{http.MethodPost},
			path:    "/asset/changelog",
			scope:   account.ScopeChangelog,
			maxBody: maxBody,
			costly:  true,
			handle:  p.listChanges,
		},
		{
			methods: []string{http.MethodGet, http.MethodHead},
			path:    "/asset/feed",
			scope:   account.ScopeChangelog,
			handle:  p.readFeed,
		},
		{
			methods:   []string{http.MethodGet, http.MethodHead},
			path:      "/asset/hashes",
			scope:     account.ScopeCheck,
			anonymous: opts.PublicHashes,
			browsers:  true,
			handle:    p.readHashes,
		},
		{
			methods:   []string{http.MethodPost},
			path:      "/asset/check",
			scope:     account.ScopeCheck,
			browsers:  true,
			maxBody:   maxBody,
			errorBody: checkBody,
			handle:    p.checkAsset,
		},
		{
			methods:      []string{http.MethodPost},
			path:         "/asset/check/batch",
			scope:        account.ScopeCheck,
			browsers:     true,
			maxBody:      opts.MaxBatchBody,
			maxCheapBody: maxCheapBatch,
			handle:       p.checkAssets,
		},
		{
			methods: []string{http.MethodPost},
			path:    "/dispute/create",
			scope:   account.ScopeDispute,
			maxBody: maxBody,
			handle:  p.createDispute,
		},
		{
			methods: []string{http.MethodGet, http.MethodHead},
			path:    "/dispute/get",
			scope:   account.ScopeDispute,
			handle:  answerJSON(request.Call.GetOwnDispute, p.guard.Disputes.Get, newOwnDisputeResponse),
		},
		{
			methods:      []string{http.MethodGet, http.MethodHead, http.MethodPost},
			path:         "/organization/assets",
			scope:        account.ScopeAllowlist,
			organization: true,
			noAccess:     http.StatusUnauthorized,
			maxBody:      opts.MaxBatchBody,
			maxCheapBody: maxCheapBatch,
			errorBody:    wrappedBody,
			handle:       p.addAssets,
			read: &operation{
				methods:      []string{http.MethodGet, http.MethodHead},
				path:         "/organization/assets",
				scope:        account.ScopeAllowlist,
				organization: true,
				costly:       true,
				handle:       answerJSON(request.Call.ListAllowlist, p.guard.Allowlist.List, newEntriesResponse),
			},
		},
		{
			methods:      []string{http.MethodPost},
			path:         "/organization/assets/remove",
			scope:        account.ScopeAllowlist,
			organization: true,
			noAccess:     http.StatusUnauthorized,
			maxBody:      opts.MaxBatchBody,
			maxCheapBody: maxCheapBatch,
			errorBody:    wrappedBody,
			handle:       p.removeAssets,
		},
		{
			methods:      []string{http.MethodPost},
			path:         opts.DeprecatedReportsPath,
			scope:        account.ScopeReports,
			organization: true,
			maxBody:      maxBody,
			costly:       true,
			deprecated:   true,
			handle:       p.listReportsOfSlug,
		},
		{
			methods:      []string{http.MethodGet, http.MethodHead},
			path:         reportsPath,
			scope:        account.ScopeReports,
			organization: true,
			costly:       true,
			handle:       answerJSON(request.Call.ListReports, p.guard.Reports.List, reportsOf(newReportResponse)),
		},
		{
			methods:      []string{http.MethodPost},
			path:         "/report/create",
			scope:        account.ScopeReportWrite,
			organization: true,
			maxBody:      maxBody,
			handle:       answerUpdate(request.Call.FileReport, p.guard.Reports.File, filedReport),
		},
		getCaller(p.guard),
	}...)
}
