package account_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

func TestUser_Validate(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		user account.User
		want []string
	}{
		"the smallest":                      {account.User{ID: 1}, nil},
		"the largest ID":                    {account.User{ID: asset.MaxID, FullName: "Ada", Email: "ada@acme.example"}, nil},
		"the zero value":                    {account.User{}, []string{"id: must be from 1 to 2^53-1"}},
		"an ID above 2^53-1":                {account.User{ID: 1 << 53}, []string{"id: must be from 1 to 2^53-1"}},
		"a name with NUL":                   {account.User{ID: 1, FullName: "\x00"}, []string{"fullName: must be valid UTF-8 without NUL"}},
		"an e-mail address that is no text": {account.User{ID: 1, Email: "\xff"}, []string{"email: must be valid UTF-8 without NUL"}},
	} {
		requireIssues(t, reason, c.want, c.user.Validate())
	}
}

func TestService_PutUser(t *testing.T) {
	t.Parallel()
	service, store := newService(t)
	keys, _ := newKeyServiceOn(store)
	secret, err := keys.Create(t.Context(), account.KeyRequest{UserID: 7})
	require.NoError(t, err)
	require.NoError(t, service.PutUser(t.Context(), account.User{ID: 7, Email: "new@acme.example"}))
	principal, err := keys.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	require.Equal(t, "new@acme.example", principal.Email)
	require.ErrorIs(t, service.PutUser(t.Context(), account.User{}), asset.ErrInvalid)
}
