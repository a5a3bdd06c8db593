package account_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func TestService_SignInUser(t *testing.T) {
	t.Parallel()
	service, _ := newService(t)
	for _, user := range []account.User{
		{ID: 8, Email: "two@acme.example"}, {ID: 9, Email: "Two@ACME.example"},
		{ID: 10, Email: "left@acme.example", Deactivated: true},
		{ID: 11, Email: "new@acme.example", Deactivated: true}, {ID: 12, Email: "new@acme.example"},
		{ID: 13, Email: "bot@acme.example", Automation: true}, {ID: 14}, {ID: 16, Email: "kim@acme.example"}, {ID: 15, Email: "not an address"},
	} {
		require.NoError(t, service.PutUser(t.Context(), user))
	}
	for reason, c := range map[string]struct {
		email string
		want  int64
	}{
		"the address of one user":                        {"ada@acme.example", 7},
		"another letter case":                            {"ADA@acme.Example", 7},
		"an address that a colleague who has left had":   {"new@acme.example", 12},
		"the address of nobody":                          {"eve@acme.example", 0},
		"the address of two users":                       {"two@acme.example", 0},
		"the address of somebody who has left":           {"left@acme.example", 0},
		"the address of a program":                       {"bot@acme.example", 0},
		"no address, as a user has":                      {"", 0},
		"white space, as a user has":                     {" ", 0},
		"a malformed address, which a user has":          {"not an address", 0},
		"several addresses":                              {"ada@acme.example,eve@acme.example", 0},
		"a name before the address":                      {"Ada <ada@acme.example>", 0},
		"a letter that Unicode folds to one of ASCII":    {"\u212aim@acme.example", 0},
		"an address that is too long":                    {strings.Repeat("a", 10_000) + "@acme.example", 0},
		"an address with a character that is not stored": {"ada\x00@acme.example", 0},
	} {
		user, err := service.SignInUser(t.Context(), c.email)
		if c.want == 0 {
			require.ErrorIs(t, err, account.ErrUserNotFound, reason)
			require.Zero(t, user, reason)
			continue
		}
		require.NoError(t, err, reason)
		require.Equal(t, c.want, user.ID, reason)
	}
}

func TestKeyService_SignInKey(t *testing.T) {
	t.Parallel()
	named := account.KeyRequest{UserID: 7, Name: account.SignInKeyName, Scopes: account.OperatorScopes()}
	other := func(change func(*account.KeyRequest)) account.KeyRequest {
		req := named
		change(&req)
		return req
	}
	for reason, c := range map[string]struct {
		keys []account.KeyRequest // one a minute
		want int                  // its number, from 1, or 0 for none
	}{
		"no key":                          {nil, 0},
		"a key with the name":             {[]account.KeyRequest{named}, 1},
		"the newest of two":               {[]account.KeyRequest{named, named}, 2},
		"a key with another name":         {[]account.KeyRequest{other(func(r *account.KeyRequest) { r.Name = "Sign-In" })}, 0},
		"a key without a name":            {[]account.KeyRequest{other(func(r *account.KeyRequest) { r.Name = "" })}, 0},
		"a key of another user":           {[]account.KeyRequest{other(func(r *account.KeyRequest) { r.UserID = 8 })}, 0},
		"a key without a user":            {[]account.KeyRequest{other(func(r *account.KeyRequest) { r.UserID = 0 })}, 0},
		"a key of an organization":        {[]account.KeyRequest{other(func(r *account.KeyRequest) { r.OrganizationID = 1 })}, 0},
		"the newest one has expired":      {[]account.KeyRequest{named, other(func(r *account.KeyRequest) { r.ExpiresAt = noon().Add(150 * time.Second) })}, 1},
		"a newer key has another name":    {[]account.KeyRequest{named, other(func(r *account.KeyRequest) { r.Name = "admin" })}, 1},
		"a key that grants nothing is it": {[]account.KeyRequest{named, other(func(r *account.KeyRequest) { r.Scopes = nil })}, 2},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			service, store := newService(t)
			require.NoError(t, service.PutUser(t.Context(), account.User{ID: 8}))
			keys, at := newKeyServiceOn(store)
			hashes := make([][32]byte, 0, len(c.keys))
			for _, req := range c.keys {
				at.now = at.now.Add(time.Minute)
				secret, err := keys.Create(t.Context(), req)
				require.NoError(t, err)
				hashes = append(hashes, account.HashKey(secret))
			}
			at.now = noon().Add(10 * time.Minute)
			_, err := keys.SignInKey(t.Context(), 0)
			require.ErrorIs(t, err, account.ErrUnknownKey, "nobody")
			key, err := keys.SignInKey(t.Context(), 7)
			if c.want == 0 {
				require.ErrorIs(t, err, account.ErrUnknownKey)
				require.Zero(t, key)
				return
			}
			require.NoError(t, err)
			require.Equal(t, hashes[c.want-1], key.Hash)
			for range c.keys {
				_, err = keys.Revoke(t.Context(), key.Hash)
				require.NoError(t, err)
				if key, err = keys.SignInKey(t.Context(), 7); err != nil {
					break
				}
			}
			require.ErrorIs(t, err, account.ErrUnknownKey, "all are revoked")
		})
	}
}
