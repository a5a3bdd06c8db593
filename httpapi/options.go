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

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/webhook"
)

// Defaults of [Options].
const (
	DefaultMaxBatchBody          = 4 << 20
	DefaultMaxBodyBytes          = 64 << 20
	DefaultTimeout               = 30 * time.Second
	DefaultMaxRequests           = 512
	DefaultMaxCostly             = 16
	DefaultMaxWaiting            = 256
	DefaultRefusalDelay          = 250 * time.Millisecond
	DefaultClientTimeout         = 30 * time.Second
	DefaultMinClientRate         = 4 << 10
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
	// MaxBatchBody is the maximum size in bytes of the body of POST /organization/assets, POST
	// /organization/assets/remove and POST /asset/check/batch. Other bodies have at most 64 KiB,
	// those of POST /asset/setStatuses and /asset/undo 4 MiB, and files of POST /list/sync 64 MiB.
	// A request with a larger body is answered with 413. 0 means DefaultMaxBatchBody, 4 MiB.
	MaxBatchBody int64
	// MaxBodyBytes, MaxRequests, MaxCostly and MaxWaiting limit what all requests hold at the same
	// time. Of each, a caller holds at most a quarter, all callers of an organization together a half,
	// and all requests of a client address three quarters. Callers without credentials are one
	// organization. Beyond these parts, a request is answered
	// with 429, and beyond the maximum with 503. So several keys or connections do not help a client to
	// take the service away from the others. Keep the maximum of connections of the server well above
	// MaxRequests, a quarter of it, for refused ones, and MaxWaiting together.
	//
	// MaxBodyBytes is the memory of bodies in flight in bytes. A body counts from its first byte until
	// the request is answered, whether it has arrived completely or not. A quarter of it must be at
	// least MaxBatchBody. 0 means DefaultMaxBodyBytes, 64 MiB.
	MaxBodyBytes int64
	// MaxRequests is the number of requests that are served. A request counts from the end of its head to
	// the end of its response. 0 means DefaultMaxRequests, 512.
	MaxRequests int64
	// MaxCostly is the number of costly ones among them: for the changelog and for lists and exports of
	// assets, which are streams, for the feed without waiting, for allowlists, for lists of reports, for operators'
	// syncs, fetches and removals of lists and tests of webhooks, and for batches with a body of more than 4 KiB.
	// A request with a reply of known length is costly until its last part, of at most 32 KiB, is sent: a client that
	// has the reply can send the next one. 0 means DefaultMaxCostly, 16.
	MaxCostly int64
	// MaxWaiting is the number of requests for the feed of changes, or for the queues of operators, that may wait for
	// news. Such a request counts for neither of the two limits above from then on. 0 means DefaultMaxWaiting, 256.
	MaxWaiting int64
	// Hashes has the hash lists of GET /asset/hashes. It must be a view of a feed.Replica of the store of the Guard,
	// which the host runs. If it is nil, the operation is answered with 404.
	Hashes *hashes.Origin
	// PublicHashes makes GET /asset/hashes need no credentials, so that a page whose users have none can
	// check contents. Credentials are ignored. The limits of callers apply to each client address. Everybody
	// can then find out whether an asset that they guess is BLOCKED or ALLOWED.
	PublicHashes bool
	// Stopping is closed when the server stops, such as Done of the context of its life. Requests
	// that wait for changes are then answered without, and later ones do not wait. If it is nil,
	// [http.Server.Shutdown] waits for them, up to 30 seconds.
	Stopping <-chan struct{}
	// Admission can refuse requests of authenticated callers, and those that need no credentials, such as
	// for the OpenAPI document, which have no principal. They are asked in this order.
	// [limit.NewRate] returns one that limits the rate of each caller.
	Admission []limit.Admission
	// Failures limits failed authentication by client address. Beyond it, the credentials of the
	// address are looked up one by one, and invalid ones are answered with 429. Valid ones
	// are accepted when it is their turn, because strangers can share the address of a client with
	// valid credentials. Those that wait longer than Timeout are answered with 503. Nil means no limit. A
	// [limit.Rate] is one.
	Failures limit.Failures
	// RefusalDelay is how long the API waits before it answers with 429, so that a client
	// that repeats refused requests without a pause takes little of the server's time from
	// others. The wait ends when the client disconnects. A delayed request holds nothing of
	// another limit, but its connection stays open. Therefore at most a quarter of MaxRequests are
	// delayed at the same time, and three quarters of these of one client address. Further ones are
	// answered at once. Requests whose body is read although they are refused count as delayed;
	// see the package documentation. 0 means DefaultRefusalDelay, 250 ms. A negative value means no
	// delay.
	RefusalDelay time.Duration
	// ClientAddr returns the address of the client, for the limits, Failures, Admission and
	// RequestInfo. It is called concurrently. Nil means the address of the connection. For
	// servers behind proxies, use [TrustProxies]. If it does not tell the clients apart, as behind a proxy
	// that it does not know or on a Unix socket, all of them share the limits of one address.
	ClientAddr func(*http.Request) netip.Addr
	// Timeout is the time that each of the authenticator (with Failures), all of Admission and
	// the service has for a request. For a stream, it is the time to produce each part of about
	// 32 KiB. If one of them fails after that time, the request is answered with 503. 0 means
	// DefaultTimeout, 30 seconds.
	Timeout time.Duration
	// ClientTimeout is the time that a client has to send each part of a body and to accept each part
	// of a response. A part of a response has about 32 KiB. If a client is slower, its request is
	// answered with 400, or the API closes its connection. For the API, this option replaces the
	// ReadTimeout and the WriteTimeout of [http.Server], which would also interrupt a client that
	// steadily reads a long changelog. 0 means DefaultClientTimeout, 30 seconds.
	ClientTimeout time.Duration
	// MinClientRate is the number of bytes a second that a client must send or accept on average,
	// as soon as that has taken longer than ClientTimeout. If a client is slower, the same happens. 0 means
	// DefaultMinClientRate, 4 KiB.
	MinClientRate int64
	// AllowedOrigins are the origins, such as "https://wallet.example" or that of a browser extension,
	// whose pages may call checks and GET /asset/hashes. Each is written as browsers send it in the header Origin: in
	// lower case, without a path, and without the port of its scheme. Patterns and "null" are
	// invalid. Browsers let every other program call the API anyway, so this protects no data: it
	// decides whose pages may use a key. Empty means none. NewOperator ignores it.
	AllowedOrigins []string
	// DeprecatedReportsPath is the path of the deprecated reports listing, relative to
	// the base. The specification does not define it. The path consists of segments of
	// ASCII letters, digits and -._~ characters, each after a slash. Empty means
	// DefaultDeprecatedReportsPath.
	DeprecatedReportsPath string
	// TestWebhook sends a test message to a webhook endpoint for POST /webhook/test of
	// [NewOperator], as the method Test of a sender of package webhook/deliver does. It is called
	// concurrently, and returns [webhook.ErrNotFound] if there is no such endpoint. If it is nil,
	// there is no such operation. New ignores it.
	TestWebhook func(ctx context.Context, id int64) (webhook.Outcome, error)
	// FetchList fetches the file of a list and syncs the list with it, for POST /list/fetch of [NewOperator], as the method
	// FetchNow of a fetcher of package lists/fetch does. It is called concurrently. If it is nil, the operation is
	// answered with 404. New ignores it.
	FetchList func(ctx context.Context, req lists.SyncRequest) (lists.SyncResult, error)
	// CommandLine says that the requests are commands of a person who can reach the database anyway, in the process
	// of the API. Callers of the operations of [NewOperator] then need no user, and the audit trail has
	// [audit.ChannelCommandLine] for what they do. It must not be set for requests of clients. New ignores it.
	CommandLine bool
	// Challenge is the header WWW-Authenticate of a 401 response (RFC 9110, section
	// 11.6.1), unless the error of the authenticator or middleware has set another one.
	// SecurityScheme describes the credentials in the OpenAPI document. Set both if the
	// authenticator is not [APIKeys]. Empty means "ApiKey", and a scheme with the header
	// X-API-KEY.
	Challenge      string
	SecurityScheme SecurityScheme
}

// withDefaults returns the options with the defaults of those that are not set.
func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.MaxBatchBody = cmp.Or(o.MaxBatchBody, DefaultMaxBatchBody)
	o.MaxBodyBytes = cmp.Or(o.MaxBodyBytes, DefaultMaxBodyBytes)
	o.MaxRequests = cmp.Or(o.MaxRequests, DefaultMaxRequests)
	o.MaxCostly = cmp.Or(o.MaxCostly, DefaultMaxCostly)
	o.MaxWaiting = cmp.Or(o.MaxWaiting, DefaultMaxWaiting)
	if o.Failures == nil {
		o.Failures = noFailures{}
	}
	if o.ClientAddr == nil {
		o.ClientAddr = remoteAddr
	}
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	o.RefusalDelay = cmp.Or(o.RefusalDelay, DefaultRefusalDelay)
	o.ClientTimeout = cmp.Or(o.ClientTimeout, DefaultClientTimeout)
	o.MinClientRate = cmp.Or(o.MinClientRate, DefaultMinClientRate)
	o.Challenge = cmp.Or(o.Challenge, "ApiKey")
	o.DeprecatedReportsPath = cmp.Or(o.DeprecatedReportsPath, DefaultDeprecatedReportsPath)
	return o
}

// channel returns the way on which requests reach the service.
func (o Options) channel() audit.Channel {
	if o.CommandLine {
		return audit.ChannelCommandLine
	}
	return audit.ChannelAPI
}

// validate returns an error that matches [ErrOptions], or nil. The options have their defaults.
func (o Options) validate() error {
	switch {
	case o.MaxBatchBody < 0:
		return fmt.Errorf("%w: negative MaxBatchBody", ErrOptions)
	case o.MaxBodyBytes/4 < max(o.MaxBatchBody, maxBody):
		return fmt.Errorf("%w: a quarter of MaxBodyBytes is less than the maximum of one body", ErrOptions)
	case min(o.MaxRequests, o.MaxCostly, o.MaxWaiting) < 0:
		return fmt.Errorf("%w: negative maximum of requests", ErrOptions)
	case slices.Contains(o.Admission, nil):
		return fmt.Errorf("%w: nil Admission", ErrOptions)
	case o.Timeout < 0:
		return fmt.Errorf("%w: negative Timeout", ErrOptions)
	case o.ClientTimeout < 0:
		return fmt.Errorf("%w: negative ClientTimeout", ErrOptions)
	case o.MinClientRate < 0:
		return fmt.Errorf("%w: negative MinClientRate", ErrOptions)
	case slices.ContainsFunc(o.AllowedOrigins, func(origin string) bool { return !validOrigin(origin) }):
		return fmt.Errorf("%w: invalid origin in AllowedOrigins; use one such as https://wallet.example", ErrOptions)
	case strings.ContainsFunc(o.Challenge, func(r rune) bool { return r < ' ' || r > '~' }):
		return fmt.Errorf("%w: Challenge must be printable ASCII", ErrOptions)
	case !plainPath(o.DeprecatedReportsPath):
		return fmt.Errorf("%w: invalid DeprecatedReportsPath; use a path such as %s", ErrOptions, DefaultDeprecatedReportsPath)
	case o.SecurityScheme != (SecurityScheme{}):
		if err := o.SecurityScheme.validate(); err != nil {
			return fmt.Errorf("%w: invalid SecurityScheme: %w", ErrOptions, err)
		}
	}
	return nil
}
