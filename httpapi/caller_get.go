package httpapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/internal/request"
)

// callerPath is the path of the operation that tells callers who they are.
const callerPath = "/caller/get"

// caller is who sends a request.
type caller struct {
	principal account.Principal
	// key, user and organization are zero if the store does not have them.
	key          account.Key
	user         account.User
	organization account.Organization
}

type callerResponse struct {
	// Fingerprint is null for a caller without an API key.
	Fingerprint *string `json:"fingerprint"`
	// Name and ExpiresAt are those of the key.
	Name         *string               `json:"name"`
	ExpiresAt    *string               `json:"expiresAt"`
	Scopes       []account.Scope       `json:"scopes"`
	User         *callerUser           `json:"user"`
	Organization *organizationResponse `json:"organization"`
}

type callerUser struct {
	ID       int64   `json:"id"`
	FullName *string `json:"fullName"`
	Email    *string `json:"email"`
}

// getCaller returns the operation that describes the caller. Both APIs have it, and it needs no scope.
func getCaller(guard *apguard.Guard) operation {
	return operation{
		methods:  []string{http.MethodGet, http.MethodHead},
		path:     callerPath,
		anyScope: true,
		handle: answerJSON(request.Call.GetCaller, func(ctx context.Context, p account.Principal) (caller, error) {
			return readCaller(ctx, guard, p)
		}, newCallerResponse),
	}
}

// readCaller reads what the store has about a caller. A host application may authenticate in
// another way, or keep its users and organizations elsewhere, so all of it may be missing.
func readCaller(ctx context.Context, guard *apguard.Guard, p account.Principal) (c caller, err error) {
	c.principal = p
	if c.key, err = guard.Keys.Find(ctx, p.Fingerprint); err != nil && !errors.Is(err, account.ErrUnknownKey) && !errors.Is(err, account.ErrAmbiguousKey) {
		return caller{}, err
	}
	if p.HasUser() {
		if c.user, err = guard.Accounts.User(ctx, p.UserID); err != nil && !errors.Is(err, account.ErrUserNotFound) {
			return caller{}, err
		}
	}
	if p.HasOrganization() {
		c.organization, err = guard.Accounts.Organization(ctx, p.OrganizationID)
		if err != nil && !errors.Is(err, account.ErrOrganizationNotFound) {
			return caller{}, err
		}
	}
	return c, nil
}

func newCallerResponse(c caller) callerResponse {
	p := c.principal
	response := callerResponse{
		Fingerprint: known(p.Fingerprint),
		Name:        known(c.key.Name),
		ExpiresAt:   knownTime(c.key.ExpiresAt),
		Scopes:      p.Scopes,
	}
	if p.HasUser() {
		response.User = &callerUser{p.UserID, known(c.user.FullName), known(p.Email)}
	}
	if p.HasOrganization() {
		response.Organization = &organizationResponse{p.OrganizationID, p.OrganizationSlug, c.organization.Name}
	}
	return response
}
