package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func noon() time.Time {
	return time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)
}

func TestUsable(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		key  account.Key
		want error
	}{
		"a key without an end":                           {account.Key{}, nil},
		"it expires a moment later":                      {account.Key{ExpiresAt: noon().Add(time.Nanosecond)}, nil},
		"it expires at this very moment":                 {account.Key{ExpiresAt: noon()}, account.ErrExpiredKey},
		"it has expired":                                 {account.Key{ExpiresAt: noon().Add(-time.Hour)}, account.ErrExpiredKey},
		"it expires at this moment in another time zone": {account.Key{ExpiresAt: noon().In(time.FixedZone("", 3600))}, account.ErrExpiredKey},
		"it was revoked":                                 {account.Key{RevokedAt: noon().Add(-time.Hour)}, account.ErrRevokedKey},
		"it was revoked by a clock that runs ahead":      {account.Key{RevokedAt: noon().Add(time.Hour)}, account.ErrRevokedKey},
		"it was revoked and has expired":                 {account.Key{RevokedAt: noon(), ExpiresAt: noon()}, account.ErrRevokedKey},
	} {
		require.ErrorIs(t, c.key.Usable(noon()), c.want, reason)
		require.Equal(t, c.want == nil, c.key.Active(noon()), reason)
	}
}

func TestAKeyThatIsPutOverAnother(t *testing.T) {
	t.Parallel()
	var never time.Time
	for reason, c := range map[string]struct{ old, put, want time.Time }{
		"an earlier end":              {noon(), noon().Add(-time.Hour), noon().Add(-time.Hour)},
		"a later end":                 {noon(), noon().Add(time.Hour), noon()},
		"the same end":                {noon(), noon(), noon()},
		"no end":                      {noon(), never, noon()},
		"an end where there was none": {never, noon(), noon()},
		"no end where there was none": {never, never, never},
		"the first moment, which is close to never": {noon(), never.Add(time.Millisecond), never.Add(time.Millisecond)},
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
		got, err := put.Over(old)
		require.NoError(t, err, reason)
		require.Equal(t, want, got, reason)

		unknown := old
		unknown.CreatedAt = never
		got, err = put.Over(unknown)
		require.NoError(t, err, reason)
		require.Equal(t, noon(), got.CreatedAt, "a creation that nobody knows is that of the put")

		old.RevokedAt = noon()
		got, err = put.Over(old)
		require.ErrorIs(t, err, account.ErrRevokedKey, reason)
		require.Zero(t, got, reason)
	}
}

func TestANewKeyIsPutOverNone(t *testing.T) {
	t.Parallel()
	want := account.Key{Hash: [32]byte{1}, Name: "New", CreatedAt: noon(), ExpiresAt: noon().Add(time.Hour)}
	put := want
	put.RevokedAt, put.LastUsedAt = noon(), noon()
	got, err := put.Over(account.Key{})
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestUseApplies(t *testing.T) {
	t.Parallel()
	use := account.Use{At: noon(), LastBefore: noon().Add(-time.Minute)}
	for reason, c := range map[string]struct {
		key  account.Key
		use  account.Use
		want bool
	}{
		"the key was never used":                {account.Key{}, use, true},
		"the last use is older":                 {account.Key{LastUsedAt: noon().Add(-time.Minute - time.Millisecond)}, use, true},
		"the last use is exactly as old":        {account.Key{LastUsedAt: noon().Add(-time.Minute)}, use, false},
		"the last use is later than this one":   {account.Key{LastUsedAt: noon().Add(time.Hour)}, account.Use{At: noon(), LastBefore: noon().AddDate(1, 0, 0)}, false},
		"the last use is of the same moment":    {account.Key{LastUsedAt: noon()}, account.Use{At: noon().Add(time.Microsecond), LastBefore: noon().AddDate(1, 0, 0)}, false},
		"the key was revoked":                   {account.Key{RevokedAt: noon()}, use, false},
		"the key has expired, which it did not": {account.Key{ExpiresAt: noon()}, use, true},
	} {
		require.Equal(t, c.want, c.use.Applies(c.key), reason)
	}
}

func TestTheFingerprintOfAKeyIsThatOfItsHash(t *testing.T) {
	t.Parallel()
	hash := account.HashKey("apg_key")
	require.Equal(t, account.Fingerprint(hash), account.Key{Hash: hash}.Fingerprint())
}
