package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

// ErrUnauthenticated says that a request does not tell whom it speaks for, or that
// nobody knows them. It is answered with 401, and the challenge "ApiKey" unless
// the host has set a header WWW-Authenticate before. A [ChallengeError] names
// another.
var ErrUnauthenticated = errors.New("not authenticated")

// ChallengeError is an [ErrUnauthenticated] that tells the client how to
// authenticate here.
type ChallengeError struct {
	// Challenge becomes the reply's header WWW-Authenticate, such as "Bearer"
	// (RFC 9110, section 11.6.1).
	Challenge string
}

// Error names the challenge.
func (e *ChallengeError) Error() string { return ErrUnauthenticated.Error() + ": " + e.Challenge }

// Unwrap returns [ErrUnauthenticated].
func (e *ChallengeError) Unwrap() error { return ErrUnauthenticated }

// Authenticator finds out whom a request speaks for. It is called concurrently,
// and before the body is read; it must leave the body alone.
//
// An error that matches [ErrUnauthenticated] or an [account.KeyError] is answered
// with 401. Any other is a failure of the server: 500, and logged. So is
// a principal with an identifier that is neither 0 nor one of [asset.ValidID].
type Authenticator interface {
	Authenticate(r *http.Request) (account.Principal, error)
}

// APIKeys returns the Authenticator of the specification: it reads the header
// X-API-KEY and looks the key up in accounts. A header that is missing, empty or
// given twice is refused like an unknown key. It returns nil for nil.
func APIKeys(accounts *account.Service) Authenticator {
	if accounts == nil {
		return nil
	}
	return apiKeys{accounts}
}

type apiKeys struct {
	accounts *account.Service
}

func (a apiKeys) Authenticate(r *http.Request) (account.Principal, error) {
	keys := r.Header.Values("X-Api-Key")
	if len(keys) != 1 {
		return account.Principal{}, ErrUnauthenticated
	}
	return a.accounts.Authenticate(r.Context(), keys[0])
}

// authenticate asks the authenticator, and notes what it says. Its error is a
// refusal or a failure.
func (a *API) authenticate(w *reply, r *http.Request) (account.Principal, error) {
	principal, err := a.authenticator.Authenticate(r)
	var (
		key       *account.KeyError
		challenge *ChallengeError
	)
	switch {
	case err == nil && !possible(principal):
		return account.Principal{}, failure{fmt.Errorf("authenticator returned organization %d and user %d: no such ids can be",
			principal.OrganizationID, principal.UserID)}
	case err == nil:
		w.caller(principal)
		return principal, nil
	case errors.As(err, &key):
		w.exchange.Fingerprint, w.exchange.Refused = key.Fingerprint, key.Err
		if key.Err == nil {
			w.exchange.Refused = key
		}
		return account.Principal{}, refusal{status: http.StatusUnauthorized}
	case errors.As(err, &challenge):
		w.Header().Set("WWW-Authenticate", challenge.Challenge)
		return account.Principal{}, refusal{status: http.StatusUnauthorized}
	case errors.Is(err, ErrUnauthenticated):
		return account.Principal{}, refusal{status: http.StatusUnauthorized}
	default:
		return account.Principal{}, failure{err}
	}
}

// possible reports whether there can be such an organization and such a user.
func possible(p account.Principal) bool {
	return (p.OrganizationID == 0 || asset.ValidID(p.OrganizationID)) && (p.UserID == 0 || asset.ValidID(p.UserID))
}

// failure hides what an error matches, so that no cause within it is taken for
// something that the client did.
type failure struct {
	error
}

// clientGone reports whether the request has ended because its client left.
func clientGone(r *http.Request) bool {
	return errors.Is(r.Context().Err(), context.Canceled)
}
