package main

import (
	"errors"
	"net/http"
	"strings"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi"
)

// challenge tells a client how to authenticate.
const challenge = "Bearer"

// caller returns who sent a request, for the desk's pages and for the operations.
// The error is errNobody, or a failure of the database.
func (d desk) caller(r *http.Request) (person, error) {
	headers := r.Header.Values("Authorization")
	if len(headers) != 1 {
		return person{}, errNobody
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return person{}, errNobody
	}
	return d.personByToken(r.Context(), token)
}

// Authenticate implements [httpapi.Authenticator]: the operations know the desk's
// people, and no X-API-KEY.
func (d desk) Authenticate(r *http.Request) (account.Principal, error) {
	p, err := d.caller(r)
	switch {
	case errors.Is(err, errNobody):
		return account.Principal{}, &httpapi.ChallengeError{Challenge: challenge}
	case err != nil:
		return account.Principal{}, err // answered with 500, and logged
	}
	return account.Principal{
		OrganizationID:   p.team.id,
		OrganizationSlug: p.team.slug,
		UserID:           p.id,
		Email:            p.email,
		Scopes:           p.role.scopes(),
	}, nil
}
