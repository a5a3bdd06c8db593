// Package httpapi serves the Asset Protection Service API, version 2, over HTTP.
//
// [New] returns an [API] for a [Service], such as [*apguard.Guard], and an
// [Authenticator], such as [APIKeys]. There are three ways to serve it:
//
//   - [API.Mount] registers the operations on [http.ServeMux] or chi, next to the
//     routes of the host application.
//   - [API.Routes] lists the operations for any other router.
//   - An API is an [http.Handler] for paths relative to its base.
//
// # Requests
//
// The API makes these checks in order. The first one that fails determines the status:
//
//   - the method (405)
//   - the limit of failed authentications, if there is one (429)
//   - how many credentials are looked up at the same time (429 or 503)
//   - the credentials (401)
//   - the caller's access (403, or 401 for assets of an organization)
//   - Options.Admission (429 or 503)
//   - the content type (415)
//   - the size of the body (413)
//   - the memory of bodies in flight (429 or 503)
//   - how many requests are served at the same time (429 or 503)
//   - the body (400)
//
// A body is one JSON object in UTF-8. It has at most 64 KiB, or for
// POST /organization/assets and POST /asset/check/batch Options.MaxBatchBody. Unknown member names are ignored, and
// duplicate names are invalid. An object has at most 1,000 names. Numbers are compared by value: 100, 100.0 and 1e2 are equal. A
// 400 response lists every issue of the request, up to 100.
//
// # Limits
//
// One caller or client must not be able to take the service away from the others. The API
// limits bodies, the requests that are served at the same time, their duration and the
// time of slow readers; see [Options]. A request beyond a per-caller limit is answered with 429,
// and one beyond a server-wide limit with 503. The API limits no rates by default. A
// [RateLimit] limits the requests of each caller and the failed authentications of each client
// address:
//
//	limit, err := httpapi.NewRateLimit(httpapi.RateLimitOptions{Rate: 100, Burst: 1000, FailedRate: 1, FailedBurst: 30})
//	...
//	opts := httpapi.Options{Admission: []httpapi.Admission{limit}, Failures: limit}
//
// The responses 429 and 503 have the header Retry-After. If the limit is a number of requests,
// a 429 response also has the headers RateLimit and RateLimit-Policy of
// draft-ietf-httpapi-ratelimit-headers-10.
//
// # Errors
//
// An error of the service that the package does not recognize is answered with 500.
// If the error matches storage.ErrUnavailable or [context.DeadlineExceeded], the status
// is 503, and the header Retry-After says when to try again. Neither response includes
// the text of the error. The Logger and the Observer in [Options] receive it.
//
// # Request IDs
//
// Every request has an ID. It is in the response header X-Request-Id, in the log, and
// in the context that the service receives; see [RequestID]. The API uses the ID that
// middleware has set in the response header. Otherwise it uses the ID in the request
// header, or else a new random ID. A valid ID consists of 1 to 128 ASCII letters,
// digits and -._~:/+= characters. The API ignores invalid IDs.
//
// # Streaming and aborted responses
//
// The changelog, and lists and exports of assets, are streamed. Each response holds at most
// one page in memory. A page has at most 1,000 changes, or 10,000 assets, and 256 KiB of text (asset.MaxPageBytes), so it takes less than
// 1 MiB. If the stream fails after its first part has been sent, the handler panics with
// [http.ErrAbortHandler], and net/http closes the connection. The client then
// receives an incomplete response. Middleware that recovers from panics must panic
// again with this value. A client that uses HTTP/1.0 can detect this only by the
// truncated JSON.
//
// # Timeouts and disconnected clients
//
// Options.Timeout limits the authenticator, the admission and the service, each by itself.
// Options.WriteTimeout limits how long a client may take to accept a part of a response, and
// Options.MinWriteRate how slow it may be on average. The host application limits slow
// requests in its [http.Server]. Without ReadHeaderTimeout, ReadTimeout and IdleTimeout, the
// server waits for them indefinitely.
//
// An operation does not end when the client disconnects, because a client that has closed
// only its half of the connection still reads the response. A client that is gone is
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
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/apguard/apguard"
)

// Defaults of [Options].
const (
	DefaultMaxBatchBody          = 4 << 20
	DefaultMaxBodyBytes          = 64 << 20
	DefaultMaxBodyBytesPerCaller = 16 << 20
	DefaultTimeout               = 30 * time.Second
	DefaultMaxRequests           = 512
	DefaultMaxRequestsPerCaller  = 128
	DefaultMaxCostly             = 16
	DefaultMaxCostlyPerCaller    = 4
	DefaultRefusalDelay          = 250 * time.Millisecond
	DefaultWriteTimeout          = 30 * time.Second
	DefaultMinWriteRate          = 4 << 10
	DefaultDeprecatedReportsPath = "/public/getOrganizationReports"
)

// ErrOptions reports that the arguments of [New] are invalid.
var ErrOptions = errors.New("invalid httpapi options")

// Options are the optional settings of an [API]. The zero value is valid.
type Options struct {
	// Logger receives one record for each request, with the message "request" and the
	// fields of its [RequestInfo]. The level is Info if RequestInfo.Err is nil.
	// Otherwise it is Error if the response is incomplete or has a 5xx status. It is
	// Warn if the operation succeeded nevertheless, for example without the external
	// list. API keys are logged by fingerprint only. Nil disables logging.
	Logger *slog.Logger
	// Observer receives the RequestInfo of each request. It may be nil.
	Observer Observer
	// MaxBatchBody is the maximum size in bytes of the body of POST /organization/assets and
	// POST /asset/check/batch. Other bodies have at most 64 KiB. A request with a larger body is answered with 413.
	// 0 means DefaultMaxBatchBody, 4 MiB.
	MaxBatchBody int64
	// MaxBodyBytes and MaxBodyBytesPerCaller limit the memory in bytes of all bodies in
	// flight, and of those of one caller. A body counts from its first byte until the request
	// is answered, whether it has arrived completely or not. A request that would exceed the
	// per-caller limit is answered with 429, and beyond the server-wide limit with 503. 0 means
	// DefaultMaxBodyBytes, 64 MiB, and DefaultMaxBodyBytesPerCaller, 16 MiB. Neither may be
	// less than MaxBatchBody.
	MaxBodyBytes          int64
	MaxBodyBytesPerCaller int64
	// MaxRequests and MaxRequestsPerCaller limit how many requests are served at the same
	// time, so that they do not pile up while the store is slow. A request counts from the
	// end of its body. Beyond the per-caller limit, it is answered with 429, and
	// beyond the server-wide limit with 503. Looking up credentials has the same limits, with the
	// client address as the caller. 0 means DefaultMaxRequests, 512, and
	// DefaultMaxRequestsPerCaller, 128.
	MaxRequests          int64
	MaxRequestsPerCaller int64
	// MaxCostly and MaxCostlyPerCaller limit costly requests in the same way: for the changelog
	// and for lists and exports of assets, which are streams, for reports, and for batches with a
	// body of more than 4 KiB. 0 means
	// DefaultMaxCostly, 16, and DefaultMaxCostlyPerCaller, 4.
	MaxCostly          int64
	MaxCostlyPerCaller int64
	// Admission can refuse requests of authenticated callers. They are asked in this order.
	// [NewRateLimit] returns one that limits the rate of each caller.
	Admission []Admission
	// Failures limits failed authentication by client address. Nil means no limit. A
	// [RateLimit] is one.
	Failures Failures
	// RefusalDelay is how long the API waits before it answers with 429, so that a client
	// that repeats refused requests without a pause takes little of the server's time from
	// others. The wait ends when the client disconnects. A delayed request holds no place of
	// another limit, but its connection stays open. Therefore at most MaxRequests requests are
	// delayed at the same time, and of one client address MaxRequestsPerCaller. Further ones are
	// answered at once. 0 means DefaultRefusalDelay, 250 ms. A negative value means no delay.
	RefusalDelay time.Duration
	// ClientAddr returns the address of the client, for Failures, Admission and
	// RequestInfo. It is called concurrently. Nil means the address of the connection. For
	// servers behind proxies, use [TrustProxies].
	ClientAddr func(*http.Request) netip.Addr
	// Timeout is the time that each of the authenticator (with Failures), all of Admission and
	// the service has for a request. For a stream, it is the time to produce each part of about
	// 32 KiB. If one of them fails after that time, the request is answered with 503. 0 means
	// DefaultTimeout, 30 seconds.
	Timeout time.Duration
	// WriteTimeout is the time that a client has to accept each part of a response. A
	// part has about 32 KiB. If a client is slower, the API closes its connection. For
	// the API's responses, this option replaces the WriteTimeout of [http.Server], which
	// would also interrupt a client that steadily reads a long changelog. If a request
	// is rejected before its body was read, net/http first reads up to 256 KiB of the
	// body, within the same time. 0 means DefaultWriteTimeout, 30 seconds.
	WriteTimeout time.Duration
	// MinWriteRate is the number of bytes a second that a client must accept on average,
	// as soon as sending has taken longer than WriteTimeout. If a client is slower, the API
	// closes its connection. 0 means DefaultMinWriteRate, 4 KiB.
	MinWriteRate int64
	// DeprecatedReportsPath is the path of the deprecated reports listing, relative to
	// the base. The specification does not define it. The path consists of segments of
	// ASCII letters, digits and -._~ characters, each after a slash. Empty means
	// DefaultDeprecatedReportsPath.
	DeprecatedReportsPath string
	// Challenge is the header WWW-Authenticate of a 401 response (RFC 9110, section
	// 11.6.1), unless the error of the authenticator or middleware has set another one.
	// SecurityScheme describes the credentials in the OpenAPI document. Set both if the
	// authenticator is not [APIKeys]. Empty means "ApiKey", and a scheme with the header
	// X-API-KEY.
	Challenge      string
	SecurityScheme SecurityScheme
}

// API serves the operations. It is safe for concurrent use.
type API struct {
	service       Service
	authenticator Authenticator
	options       Options
	document      document
	operations    []operation
	// bodies limits the bytes of the bodies in flight.
	bodies *bound[string]
	// authenticating limits the requests whose credentials are being looked up.
	authenticating *bound[netip.Addr]
	// delayed limits the refused requests that wait for their answer.
	delayed *bound[netip.Addr]
	atOnce  atOnce
	// handlers has the handler of each operation by its path.
	handlers map[string]http.Handler
	notFound http.Handler
}

// New returns an API. It returns an error that matches [ErrOptions] if the service or
// the authenticator is nil, if an [*apguard.Guard] lacks a service that the
// operations need, or if an option is invalid.
func New(service Service, authenticator Authenticator, opts Options) (*API, error) {
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	opts.MaxBatchBody = cmp.Or(opts.MaxBatchBody, DefaultMaxBatchBody)
	opts.MaxBodyBytes = cmp.Or(opts.MaxBodyBytes, DefaultMaxBodyBytes)
	opts.MaxBodyBytesPerCaller = cmp.Or(opts.MaxBodyBytesPerCaller, DefaultMaxBodyBytesPerCaller)
	opts.MaxRequests = cmp.Or(opts.MaxRequests, DefaultMaxRequests)
	opts.MaxRequestsPerCaller = cmp.Or(opts.MaxRequestsPerCaller, DefaultMaxRequestsPerCaller)
	opts.MaxCostly = cmp.Or(opts.MaxCostly, DefaultMaxCostly)
	opts.MaxCostlyPerCaller = cmp.Or(opts.MaxCostlyPerCaller, DefaultMaxCostlyPerCaller)
	if opts.Failures == nil {
		opts.Failures = noFailures{}
	}
	if opts.ClientAddr == nil {
		opts.ClientAddr = remoteAddr
	}
	opts.Timeout = cmp.Or(opts.Timeout, DefaultTimeout)
	opts.RefusalDelay = cmp.Or(opts.RefusalDelay, DefaultRefusalDelay)
	opts.WriteTimeout = cmp.Or(opts.WriteTimeout, DefaultWriteTimeout)
	opts.MinWriteRate = cmp.Or(opts.MinWriteRate, DefaultMinWriteRate)
	opts.Challenge = cmp.Or(opts.Challenge, "ApiKey")
	opts.DeprecatedReportsPath = cmp.Or(opts.DeprecatedReportsPath, DefaultDeprecatedReportsPath)
	guard, isGuard := service.(*apguard.Guard)
	switch {
	case service == nil || isGuard && guard == nil:
		return nil, fmt.Errorf("%w: service is nil", ErrOptions)
	case isGuard && (guard.Assets == nil || guard.Feed == nil || guard.Allowlist == nil || guard.Disputes == nil || guard.Reports == nil || guard.Checks == nil):
		return nil, fmt.Errorf("%w: guard lacks a service; use apguard.New", ErrOptions)
	case authenticator == nil:
		return nil, fmt.Errorf("%w: authenticator is nil", ErrOptions)
	case opts.MaxBatchBody < 0:
		return nil, fmt.Errorf("%w: negative MaxBatchBody", ErrOptions)
	case min(opts.MaxBodyBytes, opts.MaxBodyBytesPerCaller) < max(opts.MaxBatchBody, maxBody):
		return nil, fmt.Errorf("%w: MaxBodyBytes or MaxBodyBytesPerCaller is less than the maximum of one body", ErrOptions)
	case min(opts.MaxRequests, opts.MaxRequestsPerCaller, opts.MaxCostly, opts.MaxCostlyPerCaller) < 0:
		return nil, fmt.Errorf("%w: negative maximum of requests", ErrOptions)
	case slices.Contains(opts.Admission, nil):
		return nil, fmt.Errorf("%w: nil Admission", ErrOptions)
	case opts.Timeout < 0:
		return nil, fmt.Errorf("%w: negative Timeout", ErrOptions)
	case opts.WriteTimeout < 0:
		return nil, fmt.Errorf("%w: negative WriteTimeout", ErrOptions)
	case opts.MinWriteRate < 0:
		return nil, fmt.Errorf("%w: negative MinWriteRate", ErrOptions)
	case strings.ContainsFunc(opts.Challenge, func(r rune) bool { return r < ' ' || r > '~' }):
		return nil, fmt.Errorf("%w: Challenge must be printable ASCII", ErrOptions)
	case !plainPath(opts.DeprecatedReportsPath):
		return nil, fmt.Errorf("%w: invalid DeprecatedReportsPath; use a path such as %s", ErrOptions, DefaultDeprecatedReportsPath)
	case opts.SecurityScheme != (SecurityScheme{}):
		if err := opts.SecurityScheme.validate(); err != nil {
			return nil, fmt.Errorf("%w: invalid SecurityScheme: %w", ErrOptions, err)
		}
	}
	a := &API{
		service:        service,
		authenticator:  authenticator,
		options:        opts,
		document:       newDocument(opts),
		operations:     operations(opts),
		bodies:         newBound[string](opts.MaxBodyBytes, opts.MaxBodyBytesPerCaller),
		authenticating: newBound[netip.Addr](opts.MaxRequests, opts.MaxRequestsPerCaller),
		delayed:        newBound[netip.Addr](opts.MaxRequests, opts.MaxRequestsPerCaller),
		atOnce: atOnce{
			requests: newBound[string](opts.MaxRequests, opts.MaxRequestsPerCaller),
			costly:   newBound[string](opts.MaxCostly, opts.MaxCostlyPerCaller),
		},
		handlers: make(map[string]http.Handler),
	}
	for _, op := range a.operations {
		if a.handlers[op.path] != nil {
			return nil, fmt.Errorf("%w: DeprecatedReportsPath is the path of another operation", ErrOptions)
		}
		a.handlers[op.path] = a.operationHandler(op)
	}
	a.notFound = a.requestHandler("", func(_ context.Context, w *responseWriter) {
		w.writeError(apiError{status: http.StatusNotFound}, standardBody)
	})
	return a, nil
}

// ServeHTTP serves the operations at their paths relative to the base, for use
// with [http.StripPrefix]. Other paths are answered with 404.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler := a.handlers["/"+strings.TrimPrefix(r.URL.Path, "/")]
	if handler == nil {
		handler = a.notFound
	}
	handler.ServeHTTP(w, r)
}

// NotFound returns a handler for requests that the host application's router did not
// send to an operation. The handler does not serve operations and does not know the
// base. If the path of the request ends in the path of an operation that does not
// support the method, it answers with 405. It answers every other request with 404.
// Both responses have the API's error bodies.
func (a *API) NotFound() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler := a.notFound
		if op, found := a.operationUnder(r.URL.Path); found && !op.supports(r.Method) {
			handler = a.handlers[op.path]
		}
		handler.ServeHTTP(w, r)
	})
}
