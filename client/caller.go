package client

import (
	"context"
	"time"

	"github.com/apguard/apguard/account"
)

// Caller is who a client is for the server.
type Caller struct {
	// Fingerprint identifies the API key. It is empty if the server authenticates in another way.
	Fingerprint string `json:"fingerprint"`
	// Name is the label of the key, which may be empty.
	Name string `json:"name"`
	// ExpiresAt is when the key expires. It is zero if it does not.
	ExpiresAt time.Time `json:"expiresAt"`
	// Scopes are the groups of operations that the caller may use.
	Scopes []account.Scope `json:"scopes"`
	// User and Organization are those for which the key acts. They are zero for none.
	User         CallerUser        `json:"user"`
	Organization NamedOrganization `json:"organization"`
}

// CallerUser is the user of a caller.
type CallerUser struct {
	ID       int64  `json:"id"`
	FullName string `json:"fullName"`
	Email    string `json:"email"`
}

func (c *Caller) validate() error {
	if c.Scopes == nil {
		return responseError("the caller has no list of scopes")
	}
	return nil
}

// Caller returns who the client is for the server. Every key may ask.
func (c *Client) Caller(ctx context.Context) (Caller, error) { return c.caller(ctx) }

// Caller returns who the client is for the server. Every key may ask.
func (o *Operator) Caller(ctx context.Context) (Caller, error) { return o.caller(ctx) }

func (s *sender) caller(ctx context.Context) (Caller, error) {
	return getPage[Caller](ctx, s, "/caller/get", nil)
}
