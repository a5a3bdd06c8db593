package account_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/storage/memory"
)

// clock is a service's clock that the test sets.
type clock struct{ now time.Time }

// newServiceAt returns a service with organization 1 at noon.
func newServiceAt(t *testing.T, store account.Store) (*account.Service, *clock) {
	t.Helper()
	c := &clock{now: noon()}
	service := account.NewService(store, account.Options{Clock: func() time.Time { return c.now }})
	require.NoError(t, service.PutOrganization(t.Context(), account.Organization{ID: 1, Slug: "acme"}))
	return service, c
}

// newKey creates a key that expires in an hour.
func newKey(t *testing.T, service *account.Service) (string, [32]byte) {
	t.Helper()
	secret, err := service.CreateKey(t.Context(), account.KeyRequest{
		OrganizationID: 1, Name: "Crawler", Scopes: []account.Scope{account.ScopeReports}, ExpiresAt: noon().Add(time.Hour),
	})
	require.NoError(t, err)
	return secret, account.HashKey(secret)
}

// refusedKey demands a KeyError that names the key.
func refusedKey(t *testing.T, hash [32]byte, want, err error) {
	t.Helper()
	var refused *account.KeyError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, account.KeyError{Fingerprint: account.Fingerprint(hash), Err: want}, *refused)
	require.ErrorIs(t, err, want)
}

func TestAKeyIsReadBackByItsHash(t *testing.T) {
	t.Parallel()
	service, _ := newServiceAt(t, memory.New())
	_, hash := newKey(t, service)
	got, err := service.Key(t.Context(), hash)
	require.NoError(t, err)
	require.Equal(t, account.Key{
		Hash: hash, OrganizationID: 1, Name: "Crawler", Scopes: []account.Scope{account.ScopeReports},
		CreatedAt: noon(), ExpiresAt: noon().Add(time.Hour),
	}, got)
}

func TestAnExpiryIsCutToWholeMillisecondsInUTC(t *testing.T) {
	t.Parallel()
	service, _ := newServiceAt(t, memory.New())
	require.NoError(t, service.PutKey(t.Context(), "key", account.KeyRequest{
		ExpiresAt: noon().Add(time.Microsecond).In(time.FixedZone("", 3600)),
	}))
	got, err := service.Key(t.Context(), account.HashKey("key"))
	require.NoError(t, err)
	require.Equal(t, noon(), got.ExpiresAt)
}

func TestNamesAndExpiriesOfKeys(t *testing.T) {
	t.Parallel()
	service, _ := newServiceAt(t, memory.New())
	last := time.Date(9999, time.December, 31, 23, 59, 59, 999_999_999, time.UTC)
	for reason, c := range map[string]struct {
		req         account.KeyRequest
		create, put error
	}{
		"the longest name":                                    {account.KeyRequest{Name: strings.Repeat("n", 255)}, nil, nil},
		"a name that is too long":                             {account.KeyRequest{Name: strings.Repeat("n", 256)}, account.ErrInvalid, account.ErrInvalid},
		"a name with NUL":                                     {account.KeyRequest{Name: "\x00"}, account.ErrInvalid, account.ErrInvalid},
		"a name that is no UTF-8":                             {account.KeyRequest{Name: "\xff"}, account.ErrInvalid, account.ErrInvalid},
		"it expires in a millisecond":                         {account.KeyRequest{ExpiresAt: noon().Add(time.Millisecond)}, nil, nil},
		"it expires now":                                      {account.KeyRequest{ExpiresAt: noon()}, account.ErrInvalid, nil},
		"it expires in less than a millisecond":               {account.KeyRequest{ExpiresAt: noon().Add(time.Microsecond)}, account.ErrInvalid, nil},
		"it has expired":                                      {account.KeyRequest{ExpiresAt: noon().AddDate(-1, 0, 0)}, account.ErrInvalid, nil},
		"it expires at the last moment":                       {account.KeyRequest{ExpiresAt: last}, nil, nil},
		"it expires after the last moment":                    {account.KeyRequest{ExpiresAt: last.Add(1)}, account.ErrInvalid, account.ErrInvalid},
		"it expired before the first moment":                  {account.KeyRequest{ExpiresAt: time.Time{}.Add(-1)}, account.ErrInvalid, account.ErrInvalid},
		"it expired in what would be cut to never":            {account.KeyRequest{ExpiresAt: time.Time{}.Add(1)}, account.ErrInvalid, account.ErrInvalid},
		"it expires in a year that no calendar writes":        {account.KeyRequest{ExpiresAt: time.Unix(1<<60, 0)}, account.ErrInvalid, account.ErrInvalid},
		"it expired in a year before all that calendars have": {account.KeyRequest{ExpiresAt: time.Unix(-1<<60, 0)}, account.ErrInvalid, account.ErrInvalid},
	} {
		_, err := service.CreateKey(t.Context(), c.req)
		require.ErrorIs(t, err, c.create, "create: "+reason)
		require.ErrorIs(t, service.PutKey(t.Context(), "key", c.req), c.put, "put: "+reason)
	}
}

func TestARevokedKeyGivesNoAccessAndStaysRevoked(t *testing.T) {
	t.Parallel()
	service, clock := newServiceAt(t, memory.New())
	require.NoError(t, service.PutKey(t.Context(), "key", account.KeyRequest{OrganizationID: 1}))
	hash := account.HashKey("key")

	first, err := service.RevokeKey(t.Context(), hash)
	require.NoError(t, err)
	require.Equal(t, noon(), first.RevokedAt)
	clock.now = noon().Add(time.Minute)
	again, err := service.RevokeKey(t.Context(), hash)
	require.NoError(t, err)
	require.Equal(t, first, again)

	_, err = service.Authenticate(t.Context(), "key")
	refusedKey(t, hash, account.ErrRevokedKey, err)
	require.EqualError(t, err, "revoked API key "+account.Fingerprint(hash))
	refusedKey(t, hash, account.ErrRevokedKey, service.PutKey(t.Context(), "key", account.KeyRequest{}))
	_, err = service.ExpireKey(t.Context(), hash, noon().Add(time.Hour))
	refusedKey(t, hash, account.ErrRevokedKey, err)
	_, err = service.KeepKey(t.Context(), hash)
	refusedKey(t, hash, account.ErrRevokedKey, err)
	_, err = service.RotateKey(t.Context(), hash, 0)
	refusedKey(t, hash, account.ErrRevokedKey, err)

	got, err := service.Key(t.Context(), hash)
	require.NoError(t, err)
	require.Equal(t, first, got)
	keys, err := service.Keys(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, []account.Key{first}, keys)
}

func TestAKeyExpires(t *testing.T) {
	t.Parallel()
	service, clock := newServiceAt(t, memory.New())
	secret, hash := newKey(t, service)
	clock.now = noon().Add(time.Hour - time.Nanosecond)
	_, err := service.Authenticate(t.Context(), secret)
	require.NoError(t, err)

	clock.now = noon().Add(time.Hour)
	_, err = service.Authenticate(t.Context(), secret)
	refusedKey(t, hash, account.ErrExpiredKey, err)
	require.EqualError(t, err, "expired API key "+account.Fingerprint(hash))
	_, err = service.RotateKey(t.Context(), hash, time.Hour)
	refusedKey(t, hash, account.ErrExpiredKey, err)

	_, err = service.ExpireKey(t.Context(), hash, time.Time{})
	require.ErrorIs(t, err, account.ErrInvalid)
	require.EqualError(t, err, "invalid account data: key expiry must be set")
	_, err = service.Authenticate(t.Context(), secret)
	require.ErrorIs(t, err, account.ErrExpiredKey, "a time that nobody has set brings no key back")

	got, err := service.KeepKey(t.Context(), hash)
	require.NoError(t, err)
	require.True(t, got.ExpiresAt.IsZero())
	_, err = service.Authenticate(t.Context(), secret)
	require.NoError(t, err, "a key that has expired can be kept")

	got, err = service.ExpireKey(t.Context(), hash, clock.now.Add(time.Hour))
	require.NoError(t, err)
	require.Equal(t, clock.now.Add(time.Hour), got.ExpiresAt)
	_, err = service.Authenticate(t.Context(), secret)
	require.NoError(t, err, "a key can be given a new end")

	got, err = service.ExpireKey(t.Context(), hash, noon().Add(time.Microsecond).In(time.FixedZone("", 3600)))
	require.NoError(t, err)
	require.Equal(t, noon(), got.ExpiresAt)
	_, err = service.Authenticate(t.Context(), secret)
	require.ErrorIs(t, err, account.ErrExpiredKey, "a moment that has passed ends the key at once")

	for _, wrong := range []time.Time{time.Time{}.Add(1), time.Time{}.Add(-1), time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)} {
		_, err = service.ExpireKey(t.Context(), hash, wrong)
		require.ErrorIs(t, err, account.ErrInvalid)
		require.EqualError(t, err, "invalid account data: key expiry must be in the years 1 to 9999, in UTC")
	}
}

func TestAKeyIsRotated(t *testing.T) {
	t.Parallel()
	service, clock := newServiceAt(t, memory.New())
	secret, hash := newKey(t, service)
	clock.now = noon().Add(10 * time.Minute)
	fresh, err := service.RotateKey(t.Context(), hash, 5*time.Minute)
	require.NoError(t, err)
	require.NotEqual(t, secret, fresh)

	want := account.Key{
		Hash: account.HashKey(fresh), OrganizationID: 1, Name: "Crawler", Scopes: []account.Scope{account.ScopeReports},
		CreatedAt: clock.now, ExpiresAt: clock.now.Add(time.Hour),
	}
	got, err := service.Key(t.Context(), want.Hash)
	require.NoError(t, err)
	require.Equal(t, want, got)

	clock.now = noon().Add(15*time.Minute - time.Nanosecond)
	for _, key := range []string{secret, fresh} {
		principal, err := service.Authenticate(t.Context(), key)
		require.NoError(t, err)
		require.Equal(t, "acme", principal.OrganizationSlug)
	}
	clock.now = noon().Add(15 * time.Minute)
	_, err = service.Authenticate(t.Context(), secret)
	require.ErrorIs(t, err, account.ErrExpiredKey)
	_, err = service.Authenticate(t.Context(), fresh)
	require.NoError(t, err)
}

// A host that puts its keys at each start does not bring one back that was rotated,
// with or without a grace period.
func TestAKeyIsRotatedForGood(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		grace    time.Duration
		put, use error
	}{
		"without grace": {0, account.ErrRevokedKey, account.ErrRevokedKey},
		"with grace":    {time.Minute, nil, account.ErrExpiredKey},
	} {
		service, clock := newServiceAt(t, memory.New())
		hash := account.HashKey("key")
		require.NoError(t, service.PutKey(t.Context(), "key", account.KeyRequest{OrganizationID: 1}))
		_, err := service.RotateKey(t.Context(), hash, c.grace)
		require.NoError(t, err)
		for range 2 {
			require.ErrorIs(t, service.PutKey(t.Context(), "key", account.KeyRequest{OrganizationID: 1}), c.put, reason)
			clock.now = noon().Add(time.Hour)
			_, err = service.Authenticate(t.Context(), "key")
			refusedKey(t, hash, c.use, err)
		}
		clock.now = noon().Add(-time.Hour)
		_, err = service.Authenticate(t.Context(), "key")
		require.Equal(t, c.grace == 0, errors.Is(err, account.ErrRevokedKey), "what was revoked needs no clock")
	}
}

func TestRotateKeyRefuses(t *testing.T) {
	t.Parallel()
	service, _ := newServiceAt(t, memory.New())
	_, hash := newKey(t, service)
	secret, err := service.RotateKey(t.Context(), hash, -1)
	require.ErrorIs(t, err, account.ErrInvalid)
	require.Empty(t, secret)
	keys, err := service.Keys(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, keys, 1)
}

func TestAKeyThatNobodyMade(t *testing.T) {
	t.Parallel()
	service, _ := newServiceAt(t, memory.New())
	hash := account.HashKey("nobody's")
	_, err := service.Key(t.Context(), hash)
	refusedKey(t, hash, account.ErrUnknownKey, err)
	_, err = service.RevokeKey(t.Context(), hash)
	refusedKey(t, hash, account.ErrUnknownKey, err)
	_, err = service.ExpireKey(t.Context(), hash, noon())
	refusedKey(t, hash, account.ErrUnknownKey, err)
	_, err = service.KeepKey(t.Context(), hash)
	refusedKey(t, hash, account.ErrUnknownKey, err)
	_, err = service.RotateKey(t.Context(), hash, 0)
	refusedKey(t, hash, account.ErrUnknownKey, err)
}

func TestKeysOfNoOrganization(t *testing.T) {
	t.Parallel()
	service, _ := newServiceAt(t, memory.New())
	newKey(t, service)
	require.NoError(t, service.PutKey(t.Context(), "nobody's", account.KeyRequest{}))
	keys, err := service.Keys(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, []account.Key{{Hash: account.HashKey("nobody's"), CreatedAt: noon()}}, keys)
}

// A clock that tells no time makes no key that seems never to have been revoked, or
// to live for ever.
func TestAClockBeyondWhatStoresKeep(t *testing.T) {
	t.Parallel()
	for reason, now := range map[string]time.Time{
		"the zero time": {},
		"long before":   time.Unix(-1<<60, 0),
		"long after":    time.Unix(1<<60, 0),
	} {
		service, clock := newServiceAt(t, memory.New())
		secret, hash := newKey(t, service)
		_, err := service.KeepKey(t.Context(), hash)
		require.NoError(t, err)
		clock.now = now
		fresh, err := service.RotateKey(t.Context(), hash, 0)
		require.NoError(t, err, reason)
		_, err = service.Authenticate(t.Context(), secret)
		require.ErrorIs(t, err, account.ErrRevokedKey, reason)
		_, err = service.Authenticate(t.Context(), fresh)
		require.NoError(t, err, reason)
		revoked, err := service.RevokeKey(t.Context(), account.HashKey(fresh))
		require.NoError(t, err, reason)
		require.False(t, revoked.RevokedAt.IsZero(), reason)
		_, err = service.Authenticate(t.Context(), fresh)
		require.ErrorIs(t, err, account.ErrRevokedKey, reason)
	}
}

// broken is a store whose steps on keys fail.
type broken struct{ account.Store }

var errBroken = errors.New("store is broken")

func (broken) GrantByKey(context.Context, [32]byte) (account.Grant, error) {
	return account.Grant{}, errBroken
}

func (broken) RotateKey(context.Context, account.Rotation) error { return errBroken }

func TestAFailureOfTheStoreSaysNothingAboutAKey(t *testing.T) {
	t.Parallel()
	service, _ := newServiceAt(t, broken{memory.New()})
	_, hash := newKey(t, service)
	_, err := service.Key(t.Context(), hash)
	require.Equal(t, errBroken, err)
	_, err = service.Authenticate(t.Context(), "key")
	require.Equal(t, errBroken, err)
	secret, err := service.RotateKey(t.Context(), hash, 0)
	require.Equal(t, errBroken, err)
	require.Empty(t, secret, "nobody must use a key that may not be stored")
}
