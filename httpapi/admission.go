package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/apguard/apguard/account"
)

// Admission decides whether a request of an authenticated caller is served now. It is called
// concurrently, after the caller's access was checked and before the body is read.
type Admission interface {
	// Admit returns an error to refuse the request. A [*LimitError] is answered with 429 or
	// 503. Any other error is answered like that of an [Authenticator] that fails.
	//
	// The context is canceled with the cause [context.DeadlineExceeded] when Options.Timeout
	// has passed.
	//
	// If Admit admits the request, the API calls release once, when it is done with the
	// request. release may be nil.
	Admit(ctx context.Context, req AdmissionRequest) (release func(), err error)
}

// AdmissionRequest is a request to be admitted.
type AdmissionRequest struct {
	// Operation is the path of the operation, relative to the base.
	Operation string
	// Caller identifies the caller: the fingerprint of the key or, without one, the IDs of
	// the organization and the user.
	Caller    string
	Principal account.Principal
	// ClientAddr is the address of the client; see Options.ClientAddr.
	ClientAddr netip.Addr
	// Costly is true for requests that may take long or have large replies: for the changelog,
	// for lists and exports of assets, for reports, for whole disputes and reviews of a proposal,
	// and for batches with a body that has more than 4 KiB or an unknown size.
	Costly bool
}

// LimitError refuses a request for some time, because a limit is reached. An [Admission],
// a [Failures] and a store can return it.
type LimitError struct {
	// Status is 429 or 503. Any other value means 429.
	Status int
	// Policy is the name of the limit, of printable ASCII. RequestInfo.Limit has it, and
	// with Quota the response to the client.
	Policy string
	// Quota is the number of requests that the caller may make within Window or, if Window
	// is 0, at the same time. If Quota is 0, a 429 response has no RateLimit headers.
	Quota  int64
	Window time.Duration
	// RetryAfter is the time after which the client may try again. It is rounded up to
	// whole seconds, and at least one.
	RetryAfter time.Duration
}

// Error returns a text with the name of the limit.
func (e *LimitError) Error() string { return fmt.Sprintf("limit %q is reached", e.Policy) }

// apiError returns the response.
func (e *LimitError) apiError() apiError {
	status := http.StatusTooManyRequests
	if e.Status == http.StatusServiceUnavailable {
		status = e.Status
	}
	return apiError{status: status, limit: e, retryAfter: max(e.RetryAfter, time.Second)}
}

// setHeaders sets the headers of draft-ietf-httpapi-ratelimit-headers-10.
func (e *LimitError) setHeaders(header http.Header) {
	if e.Quota <= 0 {
		return
	}
	policy := quotedItem(cmp.Or(e.Policy, "default"))
	if e.Window > 0 {
		header.Set("RateLimit-Policy", fmt.Sprintf("%s;q=%d;w=%d", policy, e.Quota, wholeSeconds(e.Window)))
	} else {
		header.Set("RateLimit-Policy", fmt.Sprintf(`%s;q=%d;qu="concurrent-requests"`, policy, e.Quota))
	}
	header.Set("RateLimit", fmt.Sprintf("%s;r=0;t=%d", policy, wholeSeconds(max(e.RetryAfter, time.Second))))
}

// quotedItem returns text as a String of RFC 9651, without the characters that it cannot
// have.
func quotedItem(text string) string {
	printable := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, text)
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(printable) + `"`
}

// admit asks every Admission. The caller must call releaseAll in any case.
func admit(ctx context.Context, admissions []Admission, req AdmissionRequest) (releases []func(), err error) {
	for _, admission := range admissions {
		release, err := admission.Admit(ctx, req)
		if err != nil {
			return releases, limitOrOpaque(withCause(ctx, err))
		}
		if release != nil {
			releases = append(releases, release)
		}
	}
	return releases, nil
}

func releaseAll(releases []func()) {
	for _, release := range slices.Backward(releases) {
		release()
	}
}

// limitOrOpaque hides what an error of the host application matches, unless it is a limit.
func limitOrOpaque(err error) error {
	var limit *LimitError
	if errors.As(err, &limit) {
		return limit
	}
	return opaqueError{err}
}

// The names of the limits of [Options].
const (
	policyRequests = "requests"
	policyCostly   = "costly-requests"
	policyBodies   = "bodies"
)

// atOnce limits how many requests are served at the same time, and how many of them are costly.
type atOnce struct {
	requests, costly *bound[string]
}

// enter counts a request of a caller, unless it is beyond a limit.
func (l atOnce) enter(caller string, costly bool) error {
	if beyond := l.requests.take(caller, 1); beyond != noExcess {
		return beyond.refusal(policyRequests, l.requests.maxPerCaller)
	}
	if !costly {
		return nil
	}
	if beyond := l.costly.take(caller, 1); beyond != noExcess {
		l.requests.giveBack(caller, 1)
		return beyond.refusal(policyCostly, l.costly.maxPerCaller)
	}
	return nil
}

// leave ends a request that has entered.
func (l atOnce) leave(caller string, costly bool) {
	l.requests.giveBack(caller, 1)
	if costly {
		l.costly.giveBack(caller, 1)
	}
}
