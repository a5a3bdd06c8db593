// Package client calls the operations of the Asset Protection Service API over HTTP.
//
//	c, err := client.New("https://apguard.example.com/api/v2", client.Options{Key: os.Getenv("APGUARD_KEY")})
//	...
//	verdict, err := c.Check(ctx, "https://login.bad.example.com/x")
//
// A Client needs an API key with the scope of the operation: "check" for [Client.Check],
// [Client.CheckBatch] and [Client.Hashes], "allowlist", "dispute", "reports" and "report:write" for the operations of
// an organization, and "changelog" for the others.
//
// An [Operator] calls the operations of the operators' API, which a server has at another base URL. It needs a key with
// the scope "operator:read" to read, "operator:write" to decide, or "operator:admin" to administer accounts, to erase
// persons and to prune. Everything else is the same for both.
//
// # Repeated requests
//
// A request that the server refuses with 429 or 503, or with 409 because the same request is being
// executed, is sent again after the time that the server asks for. A request whose connection breaks
// off, or that is answered with 502 or 504, is sent again too. [Options] limits this. A request that
// changes something has an Idempotency-Key, so that repeating it changes nothing twice. To continue
// after a restart of the program, store a key of your own before the call, and give it in the request.
//
// Some operations of an [Operator] take no such key. They are not sent again once they may have been executed; the
// error then matches [ErrOutcomeUnknown].
//
// # Errors
//
// An error about a response, or about a request that got none, is an [*Error]. It matches the sentinel
// errors of this package, and the error of the context.
//
// # Responses
//
// No response takes more memory than [MaxBody], or [MaxItem] for each item of a stream, whatever the
// server sends. A response that is incomplete, or is not what the operation returns, is an error that
// matches [ErrResponse].
//
// Lists and the changelog are sequences. They read while the loop body runs, and they end at the first
// error. The loop must end for the connection to be released.
package client

import (
	"errors"
	"net/http"
	"time"
)

// The defaults of [Options].
const (
	DefaultTimeout   = 30 * time.Second
	DefaultRetries   = 4
	DefaultRetryTime = time.Minute
)

// ErrOptions reports that the base URL or an option of [New] or [NewOperator] is invalid. No such error contains the
// key, or a part of the URL.
var ErrOptions = errors.New("invalid option")

// Options are the optional settings of a [Client] or an [Operator]. The zero value is valid.
type Options struct {
	// Key is the API key. It is empty if HTTPClient adds other credentials.
	Key string
	// HTTPClient sends the requests. Its CheckRedirect is not called, because redirects are not
	// followed: they could carry the key to another host. If it is nil, the Client has its own.
	HTTPClient *http.Client
	// Timeout is how long the server may send nothing, before a response and within one. If it is
	// not positive, it is [DefaultTimeout]. Deadlines of whole calls are those of their contexts.
	Timeout time.Duration
	// Retries is how often a request is sent again, at most. Zero means [DefaultRetries], and a
	// negative number none.
	Retries int
	// RetryTime limits how long a call takes until it is sent for the last time. If the server asks
	// for a longer wait, the call fails at once. If it is not positive, it is [DefaultRetryTime].
	RetryTime time.Duration
}

// Client calls the operations of the public API. [New] returns one. It is safe for concurrent use.
type Client struct {
	*sender
}

// New returns a Client of the server with the operations below the base URL, such as
// https://apguard.example.com/api/v2. It returns an error that matches [ErrOptions] if the URL or the
// key is invalid. It connects to nothing.
func New(baseURL string, opts Options) (*Client, error) {
	sender, err := newSender(baseURL, opts)
	if err != nil {
		return nil, err
	}
	return &Client{sender}, nil
}

// String returns the base URL. It does not contain the key.
func (c *Client) String() string { return "client of " + c.base.String() }

// GoString returns the same as String.
func (c *Client) GoString() string { return c.String() }
