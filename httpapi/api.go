// Package httpapi serves the Asset Protection Service API, version 2, over HTTP.
//
// [New] returns an [API] for an [*apguard.Guard] and an [Authenticator], such as [APIKeys].
// There are three ways to serve it:
//
//   - [API.Mount] registers the operations on [http.ServeMux] or chi, next to the
//     routes of the host application.
//   - [API.Routes] lists the operations for any other router.
//   - An API is an [http.Handler] for paths relative to its base.
//
// [NewOperator] returns another API, with operations for operators. It is served in the same
// ways, and everything below applies to it too.
//
// # Requests
//
// The API makes these checks in order. The first one that fails determines the status:
//
//   - how many requests of the client address, and of all, are served at the same time (429 or 503)
//   - the method (405)
//   - the credentials (401, or 429 beyond the limit of failed authentications, if there is one)
//   - the caller's access (403, or 401 for changes of an allowlist)
//   - how many requests of the caller and of the organization are served at the same time (429)
//   - Options.Admission (429 or 503)
//   - the content type (415)
//   - the size of the body (413)
//   - the memory of bodies in flight (429 or 503)
//   - how many costly requests are served at the same time (429 or 503)
//   - the body (400)
//
// A body is one JSON object in UTF-8. It has at most 64 KiB, or for POST /organization/assets,
// POST /organization/assets/remove and POST /asset/check/batch Options.MaxBatchBody. Only that of
// POST /list/sync is a file of any content type. It is written to a temporary file, so the request counts
// as costly before its body is read, and the time of the service limits each part of it. Duplicate
// names are invalid, and an object has at most 1,000 names. Numbers are compared by value: 100,
// 100.0 and 1e2 are equal. A 400 response lists every issue of the request, up to 100.
//
// A name in a body or query that is no field is invalid. The four operations of the
// specification ignore it, unless it differs from a field only in letter case, "_" or "-": a
// caller who writes dryrun must learn that this is not dryRun. A request that only reads must
// not have the header Idempotency-Key.
//
// # Limits
//
// One caller, organization or client address must not be able to take the service away from the others.
// The API limits bodies, the requests that are served at the same time, their duration and the
// time of slow clients, and each has a part of these that it cannot exceed; see [Options]. A
// request beyond such a part is answered with 429, and one beyond a
// server-wide limit with 503. The API limits no rates by default. A
// [limit.Rate] limits the requests of each caller and the failed authentications of each client
// address:
//
//	rate, err := limit.NewRate(limit.RateOptions{Rate: 100, Burst: 1000, FailedRate: 1, FailedBurst: 30})
//	...
//	opts := httpapi.Options{Admission: []limit.Admission{rate}, Failures: rate}
//
// The responses 429 and 503 have the header Retry-After, unless the store is read-only. If the
// limit is a number of requests, a 429 response also has the headers RateLimit and
// RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers-10.
//
// # Errors
//
// An error of the service that the package does not recognize is answered with 500.
// If the error matches asset.ErrUnavailable or [context.DeadlineExceeded], the status
// is 503, and the header Retry-After says when to try again. For asset.ErrOutcomeUnknown, the message
// also says that the request may have been executed. For asset.ErrReadOnly, the status is 503
// without the header, and the message says that the server is read-only. No response includes
// the text of the error. The Logger and the Observer in [Options] receive it.
//
// Many clients read no response before they have sent the whole body. So if a request is refused
// while its body is under way, the API first reads up to 4 MiB of it over HTTP/1, for up to 10
// seconds, or until the client has sent nothing for 2 seconds. This sets the read deadline of the
// connection. The API answers at once if the client expects the status 100, if it announces
// more than 8 MiB, or if too many refused requests wait; see Options.RefusalDelay. It then closes the
// connection.
//
// # Request IDs
//
// Every request has an ID. It is in the response header X-Request-Id, in the log, and
// in the context that the service receives; see [RequestID]. The API uses the ID that
// middleware has set in the response header. Otherwise it uses the ID in the request
// header. A valid ID consists of 1 to 128 ASCII letters, digits and -._~:/+= characters. The API
// ignores invalid IDs.
//
// A request without an ID can have the header traceparent of the W3C Trace Context, version 00. The
// ID then consists of its trace ID, a hyphen and its parent ID, so that it leads to the trace.
// Otherwise the API makes a random ID. The log has the trace ID of each valid header as trace_id.
//
// # Streaming and aborted responses
//
// The changelog, and lists and exports of assets, are streamed. Each response holds at most
// one page in memory. A page has at most 1,000 changes, or 10,000 assets, and 256 KiB of text
// (step.MaxPageBytes), so it takes less than 1 MiB. If the stream fails after its first part
// has been sent, the handler panics with [http.ErrAbortHandler], and net/http closes the
// connection. The client then receives an incomplete response. Middleware that recovers from
// panics must panic again with this value. A client that uses HTTP/1.0 can detect this only by
// the truncated JSON.
//
// # Timeouts and disconnected clients
//
// Options.Timeout limits the authenticator, the admission and the service, each by itself.
// Options.ClientTimeout limits how long a client may take to send or accept a part of a body, and
// Options.MinClientRate how slow it may be on average. The host application limits the time of a
// head, and that between two requests, in its [http.Server]. Without ReadHeaderTimeout and IdleTimeout,
// the server waits for them indefinitely.
//
// An operation does not end when the client disconnects, because a client that has closed
// only its half of the connection still reads the response. It only does not wait for changes any
// more. A client that is gone is
// noticed when the response is sent. This is not an error of the server: RequestInfo has
// the status 499. A deadline of the request's context also limits the operation.
//
// # OpenAPI document
//
// GET /openapi.json, relative to the base, returns an OpenAPI 3.1 document and needs
// no credentials. The server URL in the document is the path of the base, without
// scheme and host.
package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/httpapi/limit"
)

// API serves the operations. It is safe for concurrent use.
type API struct {
	authenticator Authenticator
	options       Options
	operations    []operation
	load          *limit.Load
	// handlers has the handler of each operation by its path.
	handlers map[string]http.Handler
	notFound http.Handler
}

// New returns the public API. It returns an error that matches [ErrOptions] if the authenticator
// is nil, if the guard is nil or does not come from [apguard.New], or if an option is invalid.
func New(guard *apguard.Guard, authenticator Authenticator, opts Options) (*API, error) {
	opts = opts.withDefaults()
	opts.CommandLine = false
	return newAPI(guard, public{guard, opts.Hashes}.operations, newDocument(opts), authenticator, opts)
}

// complete reports whether the guard has all services that the operations use.
func complete(g apguard.Guard) bool {
	return g.Accounts != nil && g.Assets != nil && g.Allowlist != nil && g.Disputes != nil && g.Reports != nil && g.Checks != nil &&
		g.History != nil && g.Feed != nil && g.DisputeQueue != nil && g.Reviews != nil
}

// newAPI returns an API of the operations and of one that returns the document. The options
// have their defaults.
func newAPI(
	guard *apguard.Guard, operations func(Options) []operation, document document, authenticator Authenticator, opts Options,
) (*API, error) {
	switch {
	case guard == nil || !complete(*guard):
		return nil, fmt.Errorf("%w: guard lacks a service; use apguard.New", ErrOptions)
	case authenticator == nil:
		return nil, fmt.Errorf("%w: authenticator is nil", ErrOptions)
	}
	if err := opts.validate(); err != nil {
		return nil, err
	}
	return buildAPI(append(operations(opts), document.operation()), authenticator, opts)
}

// buildAPI returns an API of the operations. The options are valid.
func buildAPI(operations []operation, authenticator Authenticator, opts Options) (*API, error) {
	a := &API{
		authenticator: authenticator,
		options:       opts,
		operations:    operations,
		load: limit.NewLoad(limit.Maxima{
			Requests:  opts.MaxRequests,
			Costly:    opts.MaxCostly,
			Waiting:   opts.MaxWaiting,
			Refused:   max(opts.MaxRequests/4, 1),
			BodyBytes: opts.MaxBodyBytes,
		}),
		handlers: make(map[string]http.Handler),
	}
	for _, op := range a.operations {
		if a.handlers[op.path] != nil {
			return nil, fmt.Errorf("%w: DeprecatedReportsPath is the path of another operation", ErrOptions)
		}
		a.handlers[op.path] = a.allowOrigins(op, a.requestHandler(op, a.serve))
	}
	a.notFound = a.requestHandler(operation{}, func(context.Context, *responseWriter, operation) error {
		return apiError{status: http.StatusNotFound}
	})
	return a, nil
}

// ServeHTTP serves the operations at their paths relative to the base, for use
// with [http.StripPrefix]. Other paths are answered with 404.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler := a.handlerAt("/" + strings.TrimPrefix(r.URL.Path, "/"))
	if handler == nil || hasEscapedSlash(r.URL) {
		handler = a.notFound
	}
	handler.ServeHTTP(w, r)
}

// wildcard is the last segment of the path of an operation that takes any.
const wildcard = "{timestamp}"

// handlerAt returns the handler of the operation with the path, or nil.
func (a *API) handlerAt(path string) http.Handler {
	if handler := a.handlers[path]; handler != nil {
		return handler
	}
	return a.handlers[generalized(path)]
}

// generalized returns a path with the wildcard as its last segment, unless that is empty.
func generalized(path string) string {
	end := strings.LastIndexByte(path, '/') + 1
	if end == len(path) {
		return path
	}
	return path[:end] + wildcard
}

// NotFound returns a handler for requests that the host application's router did not
// send to an operation. The handler does not serve operations and does not know the
// base. If the path of the request ends in the path of an operation that does not
// support the method, it answers with 405. It answers every other request with 404.
// Both responses have the API's error bodies.
func (a *API) NotFound() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler := a.notFound
		if op, found := a.operationUnder(r.URL.Path); found && !op.supports(r.Method) && !hasEscapedSlash(r.URL) {
			handler = a.handlers[op.path]
		}
		handler.ServeHTTP(w, r)
	})
}

// Mux is a router that takes patterns of the form "METHOD /path", such as
// [http.ServeMux] and chi.
type Mux interface {
	Handle(pattern string, handler http.Handler)
}

// Route is an operation and one of its methods, for routers that do not implement
// [Mux].
type Route struct {
	Method string
	// Path is relative to the base and begins with a slash.
	Path string
	// Handler serves every method of the path and answers all others with 405. It may
	// be registered for any method.
	Handler http.Handler
}

// Mount registers every operation below base. The base is "" or a path such as
// "/api/v2". Its segments consist of ASCII letters, digits and -._~ characters. Mount
// adds a missing leading slash and removes trailing slashes.
//
// Mount panics before it registers anything if the base is invalid ("/a//b",
// "/a/../b", "/{x}"). It also panics if the mux refuses a pattern that is registered
// already.
//
// Each path is registered under the nine methods that net/http defines, so that the
// API answers an unsupported method with 405, its own error body and the correct Allow
// header. The mux itself answers other paths below the base and other methods, such as
// PROPFIND. For such a method, ServeMux answers with 405 and lists all nine methods in
// Allow. To let the API answer both, add
//
//	mux.Handle("/api/v2/", http.StripPrefix("/api/v2", api))
//
// ServeMux panics on this pattern if the host application has registered a more
// general pattern for a single method, such as "GET /".
func (a *API) Mount(mux Mux, base string) {
	base = strings.Trim(base, "/")
	if base != "" {
		base = "/" + base
		if !plainPath(base) {
			panic(fmt.Sprintf("httpapi: invalid base %q; use a path such as /api/v2", base))
		}
	}
	for _, op := range a.operations {
		// A pattern without a method conflicts with "GET /" on ServeMux.
		for _, method := range methods() {
			mux.Handle(method+" "+base+op.path, a.handlers[op.path])
		}
	}
}

// Routes returns the operations. An operation with several methods has one route for
// each, and one that pages of other origins may call has one for OPTIONS; see Options.AllowedOrigins.
func (a *API) Routes() []Route {
	var routes []Route
	for _, op := range a.operations {
		for _, method := range op.methods {
			routes = append(routes, Route{Method: method, Path: op.path, Handler: a.handlers[op.path]})
		}
		if a.allowsOrigins(op) {
			routes = append(routes, Route{Method: http.MethodOptions, Path: op.path, Handler: a.handlers[op.path]})
		}
	}
	return routes
}

// methods returns the methods that both ServeMux and chi accept.
func methods() []string {
	return []string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodOptions, http.MethodTrace, http.MethodConnect,
	}
}

// baseOf returns the base in front of the operation at the given path. It uses the
// request target, because handlers may have removed a prefix from the URL. It reports
// false if the target does not end in path.
func baseOf(r *http.Request, path string) (string, bool) {
	requested := r.URL
	if target, err := url.ParseRequestURI(r.RequestURI); err == nil {
		requested = target
	}
	return strings.CutSuffix(requested.Path, path)
}

// hasEscapedSlash reports whether a slash in the path is part of a segment, such as that of
// /asset%2Fcheck. Routers do not take it for a separator.
func hasEscapedSlash(u *url.URL) bool {
	return u.RawPath != "" && strings.Contains(strings.ToLower(u.RawPath), "%2f")
}

// reference returns a relative reference to a path on the same host. Characters
// that are special in a header, in JSON or in a URL template are escaped.
func reference(path string) string {
	// Two slashes at the start would name another host.
	place := url.URL{Path: "/" + strings.TrimLeft(path, "/")}
	return place.EscapedPath()
}

// plainPath reports whether any router can register path: one or more segments of
// unreserved characters (RFC 3986, section 2.3), each after a slash.
func plainPath(path string) bool {
	rest, found := strings.CutPrefix(path, "/")
	if !found {
		return false
	}
	for segment := range strings.SplitSeq(rest, "/") {
		if segment == "" || segment == "." || segment == ".." || strings.ContainsFunc(segment, reserved) {
			return false
		}
	}
	return true
}

func reserved(r rune) bool {
	switch {
	case '0' <= r && r <= '9', 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z':
		return false
	}
	return !strings.ContainsRune("-._~", r)
}
