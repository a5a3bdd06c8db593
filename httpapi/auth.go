package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi/limit"
)

// ErrUnauthenticated reports that credentials are missing or invalid. The API answers
// it with 401 and Options.Challenge, unless middleware has already set the
// WWW-Authenticate header. To send another challenge, return a [ChallengeError].
var ErrUnauthenticated = errors.New("not authenticated")

// ChallengeError is an [ErrUnauthenticated] with a challenge for the client.
type ChallengeError struct {
	// Challenge is the WWW-Authenticate header of the response, such as "Bearer"
	// (RFC 9110, section 11.6.1).
	Challenge string
}

// Error returns a text that includes the challenge.
func (e *ChallengeError) Error() string { return ErrUnauthenticated.Error() + ": " + e.Challenge }

// Unwrap returns [ErrUnauthenticated].
func (e *ChallengeError) Unwrap() error { return ErrUnauthenticated }

// Authenticator returns the principal that a request acts for. Authenticate is
// called concurrently and before the body is read. It must not read the body.
//
// An error that matches [ErrUnauthenticated] or is an [*account.KeyError] is answered
// with 401. An error that matches [asset.ErrUnavailable] or [context.DeadlineExceeded]
// is answered with 503 and logged, and any other error with 500. So is a principal with
// an invalid OrganizationID or UserID: each must be 0 or satisfy [asset.ValidID].
//
// The context of the request is canceled with the cause [context.DeadlineExceeded] when
// Options.Timeout has passed. It is not canceled when the client disconnects.
type Authenticator interface {
	Authenticate(r *http.Request) (account.Principal, error)
}

// keyHeader is the header of a key, as net/http writes it.
const keyHeader = "X-Api-Key"

// APIKeys returns the Authenticator of the specification. It authenticates with the
// key in the X-API-KEY header. A missing, empty or repeated header is answered like
// an unknown key. If keys is nil, APIKeys returns nil.
func APIKeys(keys *account.KeyService) Authenticator {
	if keys == nil {
		return nil
	}
	return apiKeys{keys}
}

type apiKeys struct {
	keys *account.KeyService
}

func (a apiKeys) Authenticate(r *http.Request) (account.Principal, error) {
	values := r.Header[keyHeader]
	if len(values) != 1 {
		return account.Principal{}, ErrUnauthenticated
	}
	return a.keys.Authenticate(r.Context(), values[0])
}

// checkAccess returns an apiError that says what the principal lacks, unless it may call the operation. commandLine is
// Options.CommandLine.
func (op operation) checkAccess(p account.Principal, commandLine bool) error {
	if op.anonymous {
		return nil
	}
	var issues asset.Issues
	issues.Check(op.anyScope || p.Has(op.scope), "", "your key lacks the scope "+string(op.scope))
	issues.Check(!op.organization || p.HasOrganization(), "", "your key has no organization")
	issues.Check(!op.user || p.HasUser() || commandLine, "", "your key has no user")
	switch {
	case len(issues) == 0:
		return nil
	case op.noAccess != 0:
		return apiError{status: op.noAccess}
	default:
		return apiError{status: http.StatusForbidden, issues: issues}
	}
}

// callerOf returns the name under which the use of resources by a principal is counted.
func callerOf(p account.Principal) string {
	if p.Fingerprint != "" {
		return p.Fingerprint
	}
	return strconv.FormatInt(p.OrganizationID, 10) + "/" + strconv.FormatInt(p.UserID, 10)
}

// holder names those for whom the use of resources is counted: the caller and the organization.
type holder struct {
	name         string
	organization int64
}

// identify returns the principal of a request and for whom it counts. An anonymous operation has no
// principal. The error is that of authenticate.
func (a *API) identify(w *responseWriter, r *http.Request, op operation) (account.Principal, holder, error) {
	if op.anonymous {
		return account.Principal{}, holder{limit.Network(w.info.ClientAddr).String(), limit.Anonymous}, nil
	}
	principal, err := a.authenticate(w, r)
	return principal, holder{callerOf(principal), principal.OrganizationID}, err
}

// authenticate returns the principal of a request and records it. The error is an
// apiError, a [*limit.Error] or an opaqueError.
func (a *API) authenticate(w *responseWriter, r *http.Request) (account.Principal, error) {
	ctx := r.Context()
	var exceeded *limit.Error
	if err := a.options.Failures.Allow(ctx, w.info.ClientAddr); err != nil && !errors.As(err, &exceeded) {
		return account.Principal{}, opaqueError{limit.Cause(ctx, err)}
	}
	if exceeded != nil {
		end, err := a.load.BeginLookUp(ctx, w.info.ClientAddr)
		if err != nil {
			return account.Principal{}, err
		}
		defer end()
	}
	principal, err := a.authenticator.Authenticate(r)
	switch {
	case err != nil:
		return account.Principal{}, a.authenticationFailed(w, r, limit.Cause(ctx, err), exceeded)
	case !validPrincipal(principal):
		err = fmt.Errorf("authenticator returned an invalid ID: organization %d and user %d", principal.OrganizationID, principal.UserID)
		return account.Principal{}, opaqueError{err}
	}
	w.info.OrganizationID, w.info.UserID, w.info.Fingerprint = principal.OrganizationID, principal.UserID, principal.Fingerprint
	return principal, nil
}

// authenticationFailed records the error of an authenticator and returns that of the response,
// which is the limit that the client has exceeded, if any.
func (a *API) authenticationFailed(w *responseWriter, r *http.Request, err error, exceeded *limit.Error) error {
	var (
		key       *account.KeyError
		challenge *ChallengeError
	)
	isKey := errors.As(err, &key)
	switch {
	case !isKey && !errors.Is(err, ErrUnauthenticated):
		return opaqueError{err}
	case isKey:
		w.info.Fingerprint, w.info.Refused = key.Fingerprint, key.Err
		if key.Err == nil {
			w.info.Refused = key
		}
	}
	if exceeded != nil {
		return exceeded
	}
	if !isKey && errors.As(err, &challenge) {
		w.Header().Set("WWW-Authenticate", challenge.Challenge)
	}
	a.options.Failures.Failed(r.Context(), w.info.ClientAddr)
	return apiError{status: http.StatusUnauthorized}
}

// validPrincipal reports whether the IDs are valid or 0.
func validPrincipal(p account.Principal) bool {
	return (p.OrganizationID == 0 || asset.ValidID(p.OrganizationID)) && (p.UserID == 0 || asset.ValidID(p.UserID))
}

// opaqueError hides what an error matches, so that the failure of an authenticator is
// not mistaken for an error of the service, such as asset.ErrNotFound. It still tells that
// something is unavailable.
type opaqueError struct {
	error
}

// Is implements the interface of errors.Is.
func (e opaqueError) Is(target error) bool {
	return (target == asset.ErrUnavailable || target == context.DeadlineExceeded) && errors.Is(e.error, target)
}
