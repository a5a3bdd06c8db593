package main

import (
	"errors"
	"net/http"
	"strings"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi"
)

// challenge is the WWW-Authenticate header of a 401.
const challenge = "Bearer"

// caller returns the user who sent a request to the desk or to the operations.
// The error is errUnknownToken or a failure of the database.
func (d desk) caller(r *http.Request) (user, error) {
	headers := r.Header.Values("Authorization")
	if len(headers) != 1 {
		return user{}, errUnknownToken
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return user{}, errUnknownToken
	}
	return d.userByToken(r.Context(), token)
}

// Authenticate implements [httpapi.Authenticator]. The operations accept the desk's tokens
// instead of API keys.
func (d desk) Authenticate(r *http.Request) (account.Principal, error) {
	p, err := d.caller(r)
	switch {
	case errors.Is(err, errUnknownToken):
		return account.Principal{}, httpapi.ErrUnauthenticated
	case err != nil:
		return account.Principal{}, err // the API answers 500 and logs it
	}
	return account.Principal{
		OrganizationID:   p.team.id,
		OrganizationSlug: p.team.slug,
		UserID:           p.id,
		Email:            p.email,
		Scopes:           p.role.scopes(),
	}, nil
}
