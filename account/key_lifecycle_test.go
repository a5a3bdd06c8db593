package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func TestKey_Usable(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		key  account.Key
		want error
	}{
		"a key without an expiry":                      {account.Key{}, nil},
		"it expires a nanosecond later":                {account.Key{ExpiresAt: noon().Add(time.Nanosecond)}, nil},
		"it expires at this time":                      {account.Key{ExpiresAt: noon()}, account.ErrExpiredKey},
		"it has expired":                               {account.Key{ExpiresAt: noon().Add(-time.Hour)}, account.ErrExpiredKey},
		"it expires at this time in another time zone": {account.Key{ExpiresAt: noon().In(time.FixedZone("", 3600))}, account.ErrExpiredKey},
		"it was revoked":                               {account.Key{RevokedAt: noon().Add(-time.Hour)}, account.ErrRevokedKey},
		"it was revoked by a clock that is ahead":      {account.Key{RevokedAt: noon().Add(time.Hour)}, account.ErrRevokedKey},
		"it was revoked and has expired":               {account.Key{RevokedAt: noon(), ExpiresAt: noon()}, account.ErrRevokedKey},
	} {
		require.ErrorIs(t, c.key.Usable(noon()), c.want, reason)
	}
}

func TestKeyService_Revoke(t *testing.T) {
	t.Parallel()
	keys, clock := newKeyService(t)
	require.NoError(t, keys.Put(t.Context(), "key", account.KeyRequest{OrganizationID: 1}))
	hash := account.HashKey("key")

	first, err := keys.Revoke(t.Context(), hash)
	require.NoError(t, err)
	require.Equal(t, noon(), first.RevokedAt)
	clock.now = noon().Add(time.Minute)
	again, err := keys.Revoke(t.Context(), hash)
	require.NoError(t, err)
	require.Equal(t, first, again, "the first revocation stands")

	_, err = keys.Authenticate(t.Context(), "key")
	requireKeyError(t, hash, account.ErrRevokedKey, err)
	require.EqualError(t, err, "revoked API key "+account.Fingerprint(hash))
	requireKeyError(t, hash, account.ErrRevokedKey, keys.Put(t.Context(), "key", account.KeyRequest{}))
	_, err = keys.SetExpiry(t.Context(), hash, noon().Add(time.Hour))
	requireKeyError(t, hash, account.ErrRevokedKey, err)
	_, err = keys.ClearExpiry(t.Context(), hash)
	requireKeyError(t, hash, account.ErrRevokedKey, err)
	_, err = keys.Rotate(t.Context(), hash, 0)
	requireKeyError(t, hash, account.ErrRevokedKey, err)

	got, err := keys.Get(t.Context(), hash)
	require.NoError(t, err)
	require.Equal(t, first, got)
	list, err := keys.List(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, []account.Key{first}, list)
}

func TestKeyService_SetExpiry(t *testing.T) {
	t.Parallel()
	keys, clock := newKeyService(t)
	secret, hash := createKey(t, keys)
	clock.now = noon().Add(time.Hour - time.Nanosecond)
	_, err := keys.Authenticate(t.Context(), secret)
	require.NoError(t, err)

	clock.now = noon().Add(time.Hour)
	_, err = keys.Authenticate(t.Context(), secret)
	requireKeyError(t, hash, account.ErrExpiredKey, err)
	require.EqualError(t, err, "expired API key "+account.Fingerprint(hash))
	_, err = keys.Rotate(t.Context(), hash, time.Hour)
	requireKeyError(t, hash, account.ErrExpiredKey, err)

	_, err = keys.SetExpiry(t.Context(), hash, time.Time{})
	requireIssues(t, "the zero time", []string{"expiresAt: is required"}, err)
	_, err = keys.Authenticate(t.Context(), secret)
	require.ErrorIs(t, err, account.ErrExpiredKey, "an unset time must not extend the lifetime")

	got, err := keys.SetExpiry(t.Context(), hash, clock.now.Add(time.Hour))
	require.NoError(t, err)
	require.Equal(t, clock.now.Add(time.Hour), got.ExpiresAt)
	_, err = keys.Authenticate(t.Context(), secret)
	require.NoError(t, err, "an expired key can get a new expiry")

	got, err = keys.SetExpiry(t.Context(), hash, noon().Add(time.Microsecond).In(time.FixedZone("", 3600)))
	require.NoError(t, err)
	require.Equal(t, noon(), got.ExpiresAt)
	_, err = keys.Authenticate(t.Context(), secret)
	require.ErrorIs(t, err, account.ErrExpiredKey, "a time in the past takes effect at once")

	for _, wrong := range []time.Time{time.Time{}.Add(1), time.Time{}.Add(-1), time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)} {
		_, err = keys.SetExpiry(t.Context(), hash, wrong)
		requireIssues(t, wrong.String(), []string{"expiresAt: must be in the years 1 to 9999, in UTC"}, err)
	}
}

func TestKeyService_ClearExpiry(t *testing.T) {
	t.Parallel()
	keys, clock := newKeyService(t)
	secret, hash := createKey(t, keys)
	clock.now = noon().Add(time.Hour)
	_, err := keys.Authenticate(t.Context(), secret)
	require.ErrorIs(t, err, account.ErrExpiredKey)
	got, err := keys.ClearExpiry(t.Context(), hash)
	require.NoError(t, err)
	require.True(t, got.ExpiresAt.IsZero())
	_, err = keys.Authenticate(t.Context(), secret)
	require.NoError(t, err, "also of an expired key")
}

func TestKeyService_unknownKey(t *testing.T) {
	t.Parallel()
	keys, _ := newKeyService(t)
	hash := account.HashKey("unknown")
	_, err := keys.Get(t.Context(), hash)
	requireKeyError(t, hash, account.ErrUnknownKey, err)
	_, err = keys.Revoke(t.Context(), hash)
	requireKeyError(t, hash, account.ErrUnknownKey, err)
	_, err = keys.SetExpiry(t.Context(), hash, noon())
	requireKeyError(t, hash, account.ErrUnknownKey, err)
	_, err = keys.ClearExpiry(t.Context(), hash)
	requireKeyError(t, hash, account.ErrUnknownKey, err)
	_, err = keys.Rotate(t.Context(), hash, 0)
	requireKeyError(t, hash, account.ErrUnknownKey, err)
}
