package account_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
)

func TestKeyRequest_Validate(t *testing.T) {
	t.Parallel()
	const outOfRange = "expiresAt: must be in the years 1 to 9999, in UTC"
	last := time.Date(9999, time.December, 31, 23, 59, 59, 999_999_999, time.UTC)
	for reason, c := range map[string]struct {
		req  account.KeyRequest
		want []string
	}{
		"the zero value":             {account.KeyRequest{}, nil},
		"every field":                {account.KeyRequest{OrganizationID: 1, UserID: asset.MaxID, Name: "n", Scopes: account.Scopes(), ExpiresAt: noon()}, nil},
		"a negative organization":    {account.KeyRequest{OrganizationID: -1}, []string{"organizationId: must be from 1 to 2^53-1"}},
		"a user above 2^53-1":        {account.KeyRequest{UserID: 1 << 53}, []string{"userId: must be from 1 to 2^53-1"}},
		"the longest name":           {account.KeyRequest{Name: strings.Repeat("n", 255)}, nil},
		"a name that is too long":    {account.KeyRequest{Name: strings.Repeat("n", 256)}, []string{"name: must be at most 255 bytes long"}},
		"a name with NUL":            {account.KeyRequest{Name: "\x00"}, []string{"name: must be valid UTF-8 without NUL"}},
		"a name that is no UTF-8":    {account.KeyRequest{Name: "\xff"}, []string{"name: must be valid UTF-8 without NUL"}},
		"an unknown scope":           {account.KeyRequest{Scopes: []account.Scope{"reports", "everything"}}, []string{"scopes[1]: must be changelog, dispute, allowlist, reports, report:write, check, operator:read, operator:write or operator:admin"}},
		"it has expired":             {account.KeyRequest{ExpiresAt: noon().AddDate(-1000, 0, 0)}, nil},
		"the last expiry":            {account.KeyRequest{ExpiresAt: last}, nil},
		"after the last expiry":      {account.KeyRequest{ExpiresAt: last.Add(1)}, []string{outOfRange}},
		"before the year 1":          {account.KeyRequest{ExpiresAt: time.Time{}.Add(-1)}, []string{outOfRange}},
		"truncated to the zero time": {account.KeyRequest{ExpiresAt: time.Time{}.Add(1)}, []string{outOfRange}},
		"long after every calendar":  {account.KeyRequest{ExpiresAt: time.Unix(1<<60, 0)}, []string{outOfRange}},
		"long before every calendar": {account.KeyRequest{ExpiresAt: time.Unix(-1<<60, 0)}, []string{outOfRange}},
	} {
		requireIssues(t, reason, c.want, c.req.Validate())
		keys, _ := newKeyServiceOn(memory.New())
		if c.want != nil {
			requireIssues(t, reason, c.want, keys.Put(t.Context(), "key", c.req))
			_, err := keys.Create(t.Context(), c.req)
			requireIssues(t, reason, c.want, err)
		}
	}
}

func TestKeyRequest_Key(t *testing.T) {
	t.Parallel()
	scopes := []account.Scope{account.ScopeReports, account.ScopeDispute, account.ScopeReports, account.ScopeDispute}
	zone := time.FixedZone("", 3600)
	req := account.KeyRequest{OrganizationID: 1, UserID: 7, Name: "Crawler", Scopes: scopes, ExpiresAt: noon().Add(time.Microsecond).In(zone)}
	want := account.Key{
		Hash: account.HashKey("secret"), OrganizationID: 1, UserID: 7, Name: "Crawler",
		Scopes: []account.Scope{account.ScopeReports, account.ScopeDispute}, CreatedAt: noon(), ExpiresAt: noon(),
	}
	got := req.Key("secret", noon().Add(time.Microsecond).In(zone))
	require.Equal(t, want, got)
	got.Scopes[0] = "changed"
	require.Equal(t, account.ScopeReports, scopes[0], "the slices are not shared")
	require.Equal(t, account.Key{Hash: account.HashKey("secret")}, account.KeyRequest{}.Key("secret", time.Time{}))
}

func TestKeyService_Create(t *testing.T) {
	t.Parallel()
	keys, _ := newKeyService(t)
	scopes := []account.Scope{account.ScopeDispute, account.ScopeReports, account.ScopeDispute}
	secret, err := keys.Create(t.Context(), account.KeyRequest{OrganizationID: 1, UserID: 7, Scopes: scopes})
	require.NoError(t, err)
	got, err := keys.Get(t.Context(), account.HashKey(secret))
	require.NoError(t, err)
	require.Equal(t, account.Key{
		Hash: account.HashKey(secret), OrganizationID: 1, UserID: 7, CreatedAt: noon(),
		Scopes: []account.Scope{account.ScopeDispute, account.ScopeReports},
	}, got)
	other, err := keys.Create(t.Context(), account.KeyRequest{ExpiresAt: noon().Add(time.Millisecond)})
	require.NoError(t, err)
	require.NotEqual(t, secret, other)
}

func TestKeyService_Create_error(t *testing.T) {
	t.Parallel()
	keys, _ := newKeyService(t)
	for reason, c := range map[string]struct {
		req  account.KeyRequest
		want error
	}{
		"an unknown organization": {account.KeyRequest{OrganizationID: 2}, account.ErrOrganizationNotFound},
		"an unknown user":         {account.KeyRequest{OrganizationID: 1, UserID: 8}, account.ErrUserNotFound},
		"invalid input":           {account.KeyRequest{OrganizationID: -1}, asset.ErrInvalid},
	} {
		secret, err := keys.Create(t.Context(), c.req)
		require.ErrorIs(t, err, c.want, reason)
		require.Empty(t, secret, reason)
	}
	for reason, expiresAt := range map[string]time.Time{
		"it expires now":                        noon(),
		"it expires in less than a millisecond": noon().Add(time.Microsecond),
		"it has expired":                        noon().AddDate(-1, 0, 0),
	} {
		secret, err := keys.Create(t.Context(), account.KeyRequest{ExpiresAt: expiresAt})
		requireIssues(t, reason, []string{"expiresAt: must be in the future"}, err)
		require.Empty(t, secret, reason)
		require.NoError(t, keys.Put(t.Context(), reason[:2], account.KeyRequest{ExpiresAt: expiresAt}), reason)
	}
}

func TestKeyService_Put(t *testing.T) {
	t.Parallel()
	keys, clock := newKeyService(t)
	require.NoError(t, keys.Put(t.Context(), "legacy-0001", account.KeyRequest{OrganizationID: 1, Scopes: account.Scopes()}))
	principal, err := keys.Authenticate(t.Context(), "legacy-0001")
	require.NoError(t, err)
	require.Equal(t, "acme", principal.OrganizationSlug)

	clock.now = noon().Add(time.Hour)
	require.NoError(t, keys.Put(t.Context(), "legacy-0001", account.KeyRequest{UserID: 7, Name: "New"}))
	got, err := keys.Get(t.Context(), account.HashKey("legacy-0001"))
	require.NoError(t, err)
	require.Equal(t, account.Key{Hash: account.HashKey("legacy-0001"), UserID: 7, Name: "New", CreatedAt: noon(), LastUsedAt: noon()}, got)

	require.ErrorIs(t, keys.Put(t.Context(), "key", account.KeyRequest{OrganizationID: 2}), account.ErrOrganizationNotFound)
	require.ErrorIs(t, keys.Put(t.Context(), "key", account.KeyRequest{UserID: 8}), account.ErrUserNotFound)
	requireIssues(t, "all issues at once", []string{
		"key: must be 1 to 256 visible ASCII characters", "userId: must be from 1 to 2^53-1",
	}, keys.Put(t.Context(), "two words", account.KeyRequest{UserID: -1}))
}

// A host that puts its keys at each start does not bring back a rotated key.
func TestKeyService_Put_rotated(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		grace    time.Duration
		put, use error
	}{
		"without grace": {0, account.ErrRevokedKey, account.ErrRevokedKey},
		"with grace":    {time.Minute, nil, account.ErrExpiredKey},
	} {
		keys, clock := newKeyService(t)
		hash := account.HashKey("key")
		require.NoError(t, keys.Put(t.Context(), "key", account.KeyRequest{OrganizationID: 1}))
		_, err := keys.Rotate(t.Context(), hash, c.grace)
		require.NoError(t, err)
		for range 2 {
			require.ErrorIs(t, keys.Put(t.Context(), "key", account.KeyRequest{OrganizationID: 1}), c.put, reason)
			clock.now = noon().Add(time.Hour)
			_, err = keys.Authenticate(t.Context(), "key")
			requireKeyError(t, hash, c.use, err)
		}
		clock.now = noon().Add(-time.Hour)
		_, err = keys.Authenticate(t.Context(), "key")
		require.Equal(t, c.grace == 0, errors.Is(err, account.ErrRevokedKey), "a revocation does not depend on the clock")
	}
}

func TestKey_Merge(t *testing.T) {
	t.Parallel()
	var never time.Time
	for reason, c := range map[string]struct{ old, put, want time.Time }{
		"an earlier expiry":                 {noon(), noon().Add(-time.Hour), noon().Add(-time.Hour)},
		"a later expiry":                    {noon(), noon().Add(time.Hour), noon()},
		"the same expiry":                   {noon(), noon(), noon()},
		"no expiry":                         {noon(), never, noon()},
		"an expiry where there was none":    {never, noon(), noon()},
		"no expiry where there was none":    {never, never, never},
		"the first time that can be stored": {noon(), never.Add(time.Millisecond), never.Add(time.Millisecond)},
	} {
		old := account.Key{
			Hash: [32]byte{1}, OrganizationID: 2, UserID: 3, Name: "Old", Scopes: account.Scopes(),
			CreatedAt: noon().Add(-time.Hour), ExpiresAt: c.old, LastUsedAt: noon(),
		}
		put := account.Key{
			Hash: [32]byte{1}, UserID: 4, Name: "New", CreatedAt: noon(), ExpiresAt: c.put,
			RevokedAt: noon(), LastUsedAt: noon().Add(time.Hour),
		}
		want := put
		want.CreatedAt, want.ExpiresAt, want.RevokedAt, want.LastUsedAt = old.CreatedAt, c.want, never, noon()
		got, err := put.Merge(old)
		require.NoError(t, err, reason)
		require.Equal(t, want, got, reason)

		unknown := old
		unknown.CreatedAt = never
		got, err = put.Merge(unknown)
		require.NoError(t, err, reason)
		require.Equal(t, noon(), got.CreatedAt, "an unknown creation time is replaced")

		old.RevokedAt = noon()
		got, err = put.Merge(old)
		require.ErrorIs(t, err, account.ErrRevokedKey, reason)
		require.Zero(t, got, reason)
	}
}

func TestKey_Merge_new(t *testing.T) {
	t.Parallel()
	want := account.Key{Hash: [32]byte{1}, Name: "New", CreatedAt: noon(), ExpiresAt: noon().Add(time.Hour)}
	put := want
	put.RevokedAt, put.LastUsedAt = noon(), noon()
	got, err := put.Merge(account.Key{})
	require.NoError(t, err)
	require.Equal(t, want, got)
}
