package main

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi"
)

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
		return account.Principal{}, fmt.Errorf("%w: %w", httpapi.ErrUnauthenticated, err)
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

// challenge tells how to authenticate. The operations would name X-API-KEY, unless
// the header is there before them. In a reply other than 401 it says that other
// credentials might be answered otherwise (RFC 9110, section 11.6.1).
func challenge(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		next.ServeHTTP(w, r)
	})
}
