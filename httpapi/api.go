// Package httpapi serves the Asset Protection Service API, version 2, over HTTP.
//
// [New] makes an [API] of a guard and an [Authenticator]; [APIKeys] is the one of
// the specification. [API.Mount] puts the operations on a router that the host
// already has, beside its own routes. [API.Routes] lists them for routers that
// Mount does not know, and an API is an [http.Handler] itself.
//
// The package translates between HTTP and the service's packages and holds no
// rule of the service. What it does decide is what a request and a reply look
// like: a body is one JSON object in UTF-8 without repeated names, numbers are
// taken by their value, names that no field has are ignored, and all that is
// wrong with a request is told at once.
//
// GET /openapi.json below the base returns an OpenAPI 3.1 document of the API and
// needs no key. It has the base at which it was asked for, as a path without a host,
// and the DeprecatedReportsPath of [Options].
//
// The server is the host's, and so are its limits on clients that send slowly:
// without ReadHeaderTimeout, ReadTimeout and IdleTimeout an [http.Server] waits for
// them for ever.
//
// Every request has a name, which is in the header X-Request-Id of its reply, in
// the context that the service gets ([RequestID]) and in the log. The log has one
// line for each request, and an [Observer] gets the same facts for metrics.
//
// A changelog that fails after a part of it has been sent ends in a panic with
// [http.ErrAbortHandler], which makes net/http break the connection, so that no
// client takes the part for the whole; over HTTP/1.0, which some proxies speak to
// their backends, it is the JSON without an end that tells. A stream has at most a
// page of a thousand changes in memory: 8 MiB, if each content is as long as can be.
// Middleware that recovers from panics must let this one through.
package httpapi

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/apguard/apguard"
)

// The values of [Options] that are left zero.
const (
	DefaultMaxBody               = 16 << 20
	DefaultWriteTimeout          = 30 * time.Second
	DefaultDeprecatedReportsPath = "/public/getOrganizationReports"
)

// ErrOptions matches every error of [New].
var ErrOptions = errors.New("invalid httpapi options")

// Options are the optional parts of an [API]. The zero value works.
type Options struct {
	// Logger gets one line for each request, "request", with what an [Exchange]
	// tells: of level Error when the server failed, of level Warn when it could
	// answer all the same, else of level Info. Of API keys it gets the fingerprint.
	// Nil means silence.
	Logger *slog.Logger
	// Observer is told of each request. Nil means nobody is.
	Observer Observer
	// MaxBody is the largest number of bytes that the body of a request may have.
	// 0 means DefaultMaxBody.
	MaxBody int64
	// WriteTimeout is how long a client may take to accept a part of a reply, which
	// is at most 32 KiB or little more; a client that takes longer is cut off. For
	// the API's replies it stands in place of the WriteTimeout of the [http.Server],
	// which would cut off a long changelog although its client reads on. A request
	// that is refused before its body was read has as long to send up to 256 KiB of
	// it, which net/http reads before it replies. 0 means DefaultWriteTimeout.
	WriteTimeout time.Duration
	// DeprecatedReportsPath is the path of the deprecated listing of reports,
	// relative to the base, which the specification does not name. Empty means
	// DefaultDeprecatedReportsPath. It is made of slashes and of ASCII letters,
	// digits and -._~ between them.
	DeprecatedReportsPath string
}

// API serves the operations. It is safe for concurrent use.
type API struct {
	guard         *apguard.Guard
	authenticator Authenticator
	logger        *slog.Logger
	observer      Observer
	maxBody       int64
	writeTimeout  time.Duration
	document      document
	operations    []operation
	byPath        map[string]http.Handler
}

// New returns an API. The error matches [ErrOptions]: the guard, one of its
// services or the authenticator is missing, or an option is not what it must be.
// A guard needs no Accounts here.
func New(guard *apguard.Guard, authenticator Authenticator, opts Options) (*API, error) {
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	if opts.MaxBody == 0 {
		opts.MaxBody = DefaultMaxBody
	}
	if opts.WriteTimeout == 0 {
		opts.WriteTimeout = DefaultWriteTimeout
	}
	if opts.DeprecatedReportsPath == "" {
		opts.DeprecatedReportsPath = DefaultDeprecatedReportsPath
	}
	switch {
	case guard == nil:
		return nil, fmt.Errorf("%w: guard is nil", ErrOptions)
	case guard.Assets == nil || guard.Allowlist == nil || guard.Disputes == nil || guard.Reports == nil:
		return nil, fmt.Errorf("%w: guard lacks a service; apguard.New makes one with all", ErrOptions)
	case authenticator == nil:
		return nil, fmt.Errorf("%w: authenticator is nil", ErrOptions)
	case opts.MaxBody < 0:
		return nil, fmt.Errorf("%w: MaxBody is negative", ErrOptions)
	case opts.WriteTimeout < 0:
		return nil, fmt.Errorf("%w: WriteTimeout is negative", ErrOptions)
	case !plainPath(opts.DeprecatedReportsPath):
		return nil, fmt.Errorf("%w: DeprecatedReportsPath must be a path such as %s", ErrOptions, DefaultDeprecatedReportsPath)
	}
	a := &API{
		guard:         guard,
		authenticator: authenticator,
		logger:        opts.Logger,
		observer:      opts.Observer,
		maxBody:       opts.MaxBody,
		writeTimeout:  opts.WriteTimeout,
		document:      newDocument(opts.DeprecatedReportsPath),
		operations:    operations(opts.DeprecatedReportsPath),
		byPath:        make(map[string]http.Handler),
	}
	for _, op := range a.operations {
		if a.byPath[op.path] != nil {
			return nil, fmt.Errorf("%w: DeprecatedReportsPath is the path of another operation", ErrOptions)
		}
		a.byPath[op.path] = a.handler(op)
	}
	return a, nil
}

// ServeHTTP serves the operations at their paths relative to the base, so that
// [http.StripPrefix] can put them anywhere. Any other path is answered as
// [API.NotFound] does.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler := a.byPath["/"+strings.TrimPrefix(r.URL.Path, "/")]
	if handler == nil {
		handler = a.NotFound()
	}
	handler.ServeHTTP(w, r)
}

// NotFound returns a handler that answers every request with 404 and the
// standard body. A host may use it for the paths below the base that are no
// operation.
func (a *API) NotFound() http.Handler {
	return a.answer("", func(w *reply) {
		w.refuse(refusal{status: http.StatusNotFound, message: "No such operation"}, standardBody)
	})
}

// plainPath reports whether path can be registered with any router: "/" and a
// segment of unreserved characters (RFC 3986, section 2.3), once or more.
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
