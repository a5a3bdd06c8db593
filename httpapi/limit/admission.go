package limit

import (
	"context"
	"net/netip"

	"github.com/apguard/apguard/account"
)

// Admission decides whether a request of an authenticated caller, or one that needs no credentials, is
// served now. It is called concurrently, after the caller's access was checked and before the body is
// read.
type Admission interface {
	// Admit returns an error to refuse the request. An [*Error] is answered with 429 or 503.
	// Any other error is answered like that of an httpapi.Authenticator that fails.
	//
	// The context is canceled with the cause [context.DeadlineExceeded] when
	// httpapi.Options.Timeout has passed.
	//
	// If Admit admits the request, release is called once, when the request is done. release
	// may be nil.
	Admit(ctx context.Context, req Request) (release func(), err error)
}

// Request is a request to be admitted.
type Request struct {
	// Operation is the path of the operation, relative to the base.
	Operation string
	// Method is the HTTP method, which tells two operations at one path apart.
	Method string
	// Caller identifies the caller: the fingerprint of the key or, without one, the IDs of
	// the organization and the user. For an operation that needs no credentials, it is that of
	// its [Network].
	Caller    string
	Principal account.Principal
	// ClientAddr is the address of the client; see httpapi.Options.ClientAddr.
	ClientAddr netip.Addr
	// Costly is true for requests that may take long or have large replies: for the changelog,
	// for allowlists, for lists and exports of assets, for reports, for whole disputes and reviews
	// of a proposal, for syncs, fetches and removals of lists, for tests of webhooks, and for batches with a
	// body that has more than 4 KiB or an unknown size.
	Costly bool
}
