package account_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/storage/memory"
)

func newService(t *testing.T) *account.Service {
	t.Helper()
	service := account.NewService(memory.New(), account.Options{})
	require.NoError(t, service.PutOrganization(t.Context(), account.Organization{ID: 1, Slug: "acme", Name: "Acme"}))
	require.NoError(t, service.PutUser(t.Context(), account.User{ID: 1<<53 - 1}), "the largest identifier")
	require.NoError(t, service.PutUser(t.Context(), account.User{ID: 7, FullName: "Ada", Email: "ada@acme.example"}))
	return service
}

func TestAKeySpeaksForItsOrganizationAndUserAsTheyAreNow(t *testing.T) {
	t.Parallel()
	service := newService(t)
	scopes := []account.Scope{account.ScopeDispute, account.ScopeReports}
	key, err := service.CreateKey(t.Context(), account.KeyRequest{OrganizationID: 1, UserID: 7, Scopes: scopes})
	require.NoError(t, err)

	got, err := service.Authenticate(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, account.Principal{OrganizationID: 1, OrganizationSlug: "acme", UserID: 7, Email: "ada@acme.example", Scopes: scopes, Fingerprint: account.Fingerprint(account.HashKey(key))}, got)

	require.NoError(t, service.PutOrganization(t.Context(), account.Organization{ID: 1, Slug: "acme-inc"}))
	require.NoError(t, service.PutUser(t.Context(), account.User{ID: 7, Email: "ada@inc.example"}))
	got, err = service.Authenticate(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, "acme-inc", got.OrganizationSlug)
	require.Equal(t, "ada@inc.example", got.Email)
}

func TestAKeyMaySpeakForNobody(t *testing.T) {
	t.Parallel()
	service := newService(t)
	key, err := service.CreateKey(t.Context(), account.KeyRequest{Scopes: []account.Scope{account.ScopeChangelog}})
	require.NoError(t, err)
	got, err := service.Authenticate(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, account.Principal{
		Scopes:      []account.Scope{account.ScopeChangelog},
		Fingerprint: account.Fingerprint(account.HashKey(key)),
	}, got)
}

func TestKeysAreListedOldestFirst(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC)
	service := account.NewService(memory.New(), account.Options{Clock: func() time.Time {
		now = now.Add(time.Second + 17*time.Microsecond)
		return now
	}})
	require.NoError(t, service.PutOrganization(t.Context(), account.Organization{ID: 1, Slug: "acme", Name: "Acme"}))
	require.NoError(t, service.PutKey(t.Context(), "legacy-0001", account.KeyRequest{OrganizationID: 1, Scopes: account.Scopes()}))
	made, err := service.CreateKey(t.Context(), account.KeyRequest{OrganizationID: 1})
	require.NoError(t, err)
	_, err = service.CreateKey(t.Context(), account.KeyRequest{})
	require.NoError(t, err)

	keys, err := service.Keys(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, []account.Key{
		{Hash: account.HashKey("legacy-0001"), OrganizationID: 1, Scopes: account.Scopes(), CreatedAt: time.Date(2025, 1, 5, 12, 0, 1, 0, time.UTC)},
		{Hash: account.HashKey(made), OrganizationID: 1, CreatedAt: time.Date(2025, 1, 5, 12, 0, 2, 0, time.UTC)},
	}, keys)
	principal, err := service.Authenticate(t.Context(), "legacy-0001")
	require.NoError(t, err)
	require.Equal(t, "acme", principal.OrganizationSlug)
	require.ErrorIs(t, service.PutKey(t.Context(), "two words", account.KeyRequest{}), account.ErrInvalid)
}

func TestOrganization(t *testing.T) {
	t.Parallel()
	service := newService(t)
	got, err := service.Organization(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, account.Organization{ID: 1, Slug: "acme", Name: "Acme"}, got)
	_, err = service.Organization(t.Context(), 2)
	require.ErrorIs(t, err, account.ErrNotFound)
}

func TestCreateKeyRefuses(t *testing.T) {
	t.Parallel()
	service := newService(t)
	cases := map[string]struct {
		req  account.KeyRequest
		want error
	}{
		"an organization that the store does not have": {account.KeyRequest{OrganizationID: 2}, account.ErrNotFound},
		"a user that the store does not have":          {account.KeyRequest{UserID: 8}, account.ErrNotFound},
		"an organization that cannot be":               {account.KeyRequest{OrganizationID: -1}, account.ErrInvalid},
		"a user that cannot be":                        {account.KeyRequest{UserID: 1 << 53}, account.ErrInvalid},
		"a scope that does not exist":                  {account.KeyRequest{Scopes: []account.Scope{"everything"}}, account.ErrInvalid},
	}
	for reason, c := range cases {
		key, err := service.CreateKey(t.Context(), c.req)
		require.ErrorIs(t, err, c.want, reason)
		require.Empty(t, key, reason)
	}
}

func TestAuthenticateRefuses(t *testing.T) {
	t.Parallel()
	service := newService(t)
	for reason, key := range map[string]string{
		"no key":                   "",
		"a key that nobody made":   account.NewKey(),
		"a text that is never one": "apg_\x00",
	} {
		_, err := service.Authenticate(t.Context(), key)
		require.ErrorIs(t, err, account.ErrUnknownKey, reason)
		var refused *account.KeyError
		require.ErrorAs(t, err, &refused, reason)
		want := ""
		if account.ValidKey(key) {
			want = account.Fingerprint(account.HashKey(key))
		}
		require.Equal(t, want, refused.Fingerprint, reason)
		require.Equal(t, strings.TrimSpace("unknown API key "+want), err.Error(), reason)
	}
}

func TestGroups(t *testing.T) {
	t.Parallel()
	service := newService(t)
	given, err := service.PutGroup(t.Context(), account.Group{ID: 40, OrganizationID: 1, Name: "Sites"})
	require.NoError(t, err)
	made, err := service.PutGroup(t.Context(), account.Group{OrganizationID: 1, Name: "Wallets"})
	require.NoError(t, err)
	require.Greater(t, made.ID, given.ID)

	renamed, err := service.PutGroup(t.Context(), account.Group{ID: 40, OrganizationID: 1, Name: "Web sites"})
	require.NoError(t, err)
	_, err = service.PutGroup(t.Context(), account.Group{ID: 40, OrganizationID: 2, Name: "Stolen"})
	require.ErrorIs(t, err, account.ErrConflict)

	groups, err := service.Groups(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, []account.Group{renamed, made}, groups)
	groups, err = service.Groups(t.Context(), 2)
	require.NoError(t, err)
	require.Empty(t, groups)
}

func TestPutRefuses(t *testing.T) {
	t.Parallel()
	service := newService(t)
	organization := func(o account.Organization) error { return service.PutOrganization(t.Context(), o) }
	user := func(u account.User) error { return service.PutUser(t.Context(), u) }
	group := func(g account.Group) error { _, err := service.PutGroup(t.Context(), g); return err }
	cases := map[string]struct {
		err  error
		want error
	}{
		"another organization has the slug":   {organization(account.Organization{ID: 2, Slug: "acme"}), account.ErrConflict},
		"an organization without identifier":  {organization(account.Organization{Slug: "x"}), account.ErrInvalid},
		"an organization with a blank slug":   {organization(account.Organization{ID: 2, Slug: " "}), account.ErrInvalid},
		"a slug of 256 bytes":                 {organization(account.Organization{ID: 2, Slug: strings.Repeat("a", 256)}), account.ErrInvalid},
		"a slug with NUL":                     {organization(account.Organization{ID: 2, Slug: "a\x00"}), account.ErrInvalid},
		"an organization's name is no UTF-8":  {organization(account.Organization{ID: 2, Slug: "x", Name: "\xff"}), account.ErrInvalid},
		"a user without identifier":           {user(account.User{}), account.ErrInvalid},
		"a user above the largest identifier": {user(account.User{ID: 1 << 53}), account.ErrInvalid},
		"a user's name with NUL":              {user(account.User{ID: 1, FullName: "\x00"}), account.ErrInvalid},
		"a user's e-mail that is no UTF-8":    {user(account.User{ID: 1, Email: "\xff"}), account.ErrInvalid},
		"a group with a negative identifier":  {group(account.Group{ID: -1, OrganizationID: 1}), account.ErrInvalid},
		"a group of no organization":          {group(account.Group{}), account.ErrInvalid},
		"a group's name with NUL":             {group(account.Group{OrganizationID: 1, Name: "\x00"}), account.ErrInvalid},
	}
	for reason, c := range cases {
		require.ErrorIs(t, c.err, c.want, reason)
	}
}
