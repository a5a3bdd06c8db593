package account_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
)

func TestRotation_Apply(t *testing.T) {
	t.Parallel()
	var (
		never time.Time
		last  = time.Date(9999, time.December, 31, 23, 59, 59, 999_000_000, time.UTC)
		day   = 24 * time.Hour
	)
	for reason, c := range map[string]struct {
		created, expires time.Time
		at               time.Time
		grace            time.Duration
		wantOld, wantNew time.Time
	}{
		"a key without an expiry":                      {noon(), never, noon(), time.Hour, noon().Add(time.Hour), never},
		"the shortest grace":                           {noon(), never, noon(), time.Millisecond, noon().Add(time.Millisecond), never},
		"a lifetime of ten days":                       {noon(), noon().Add(10 * day), noon().Add(7 * day), day, noon().Add(8 * day), noon().Add(17 * day)},
		"grace beyond the expiry of the old key":       {noon(), noon().Add(10 * day), noon().Add(7 * day), 30 * day, noon().Add(10 * day), noon().Add(17 * day)},
		"the longest grace":                            {noon(), never, noon(), math.MaxInt64, noon().Add(math.MaxInt64).Truncate(time.Millisecond), never},
		"grace beyond the year 9999":                   {noon(), never, last.Add(-time.Hour), 2 * time.Hour, last, never},
		"a lifetime longer than a time.Duration":       {noon(), noon().AddDate(800, 0, 0), noon().AddDate(400, 0, 0), day, noon().AddDate(400, 0, 1), noon().AddDate(1200, 0, 0)},
		"a lifetime beyond the year 9999":              {noon(), last, noon().Add(day), day, noon().Add(2 * day), last},
		"an unknown creation time":                     {never, noon().Add(day), noon(), time.Hour, noon().Add(time.Hour), noon().Add(day)},
		"a clock that was set back after the creation": {noon().Add(5 * day), noon().Add(day), noon(), time.Hour, noon().Add(time.Hour), noon().Add(day)},
		"a millisecond before the expiry":              {noon(), noon().Add(day), noon().Add(day - time.Millisecond), time.Hour, noon().Add(day), noon().Add(2*day - time.Millisecond)},
	} {
		old := account.Key{
			Hash: [32]byte{1}, OrganizationID: 2, UserID: 3, Name: "Crawler", Scopes: []account.Scope{account.ScopeReports},
			CreatedAt: c.created, ExpiresAt: c.expires, LastUsedAt: noon(),
		}
		got, err := account.Rotation{NewHash: [32]byte{9}, At: c.at, Grace: c.grace}.Apply(old)
		require.NoError(t, err, reason)
		fresh := *got.Successor

		wantOld := old
		wantOld.ExpiresAt = c.wantOld
		require.Equal(t, wantOld, got.Key, reason)
		require.Equal(t, account.Key{
			Hash: [32]byte{9}, OrganizationID: 2, UserID: 3, Name: "Crawler", Scopes: old.Scopes,
			CreatedAt: fresh.CreatedAt, ExpiresAt: c.wantNew,
		}, fresh, reason)
		require.WithinRange(t, fresh.CreatedAt, never.Add(time.Millisecond), last, reason)
		fresh.Scopes[0] = "changed"
		require.Equal(t, account.ScopeReports, old.Scopes[0], "the slices are not shared")
	}
}

func TestRotation_Apply_withoutGrace(t *testing.T) {
	t.Parallel()
	var (
		never time.Time
		day   = 24 * time.Hour
	)
	for reason, c := range map[string]struct {
		expires     time.Time
		at          time.Time
		grace       time.Duration
		wantRevoked time.Time
	}{
		"a key without an expiry":          {never, noon(), 0, noon()},
		"a key with an expiry":             {noon().Add(day), noon(), 0, noon()},
		"grace of less than a millisecond": {noon().Add(day), noon(), time.Millisecond - 1, noon()},
		"negative grace":                   {never, noon(), -time.Hour, noon()},
	} {
		old := account.Key{Hash: [32]byte{1}, CreatedAt: noon(), ExpiresAt: c.expires}
		r := account.Rotation{NewHash: [32]byte{9}, At: c.at, Grace: c.grace}
		got, err := r.Apply(old)
		require.NoError(t, err, reason)
		want := old
		want.RevokedAt = c.wantRevoked
		require.Equal(t, want, got.Key, reason)
		require.True(t, got.Successor.RevokedAt.IsZero(), reason)

		_, err = r.Apply(got.Key)
		require.ErrorIs(t, err, account.ErrRevokedKey, reason)
	}
}

func TestRotation_Apply_error(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		old  account.Key
		want error
	}{
		"a revoked key":                          {account.Key{RevokedAt: noon()}, account.ErrRevokedKey},
		"a key that has expired":                 {account.Key{ExpiresAt: noon()}, account.ErrExpiredKey},
		"a key that was revoked and has expired": {account.Key{RevokedAt: noon(), ExpiresAt: noon()}, account.ErrRevokedKey},
	} {
		got, err := account.Rotation{At: noon(), Grace: time.Hour}.Apply(c.old)
		require.ErrorIs(t, err, c.want, reason)
		require.Zero(t, got, reason)
	}
}

// A rotation never extends the lifetime of the old key, and its successor does not expire
// before it.
func TestRotation_Apply_laws(t *testing.T) {
	t.Parallel()
	first, last := time.Time{}.Add(time.Millisecond), time.Date(9999, time.December, 31, 23, 59, 59, 999_000_000, time.UTC)
	moment := rapid.Custom(func(t *rapid.T) time.Time {
		return time.UnixMilli(rapid.Int64Range(first.UnixMilli(), last.UnixMilli()).Draw(t, "milliseconds")).UTC()
	})
	orNever := rapid.OneOf(rapid.Just(time.Time{}), moment)
	rapid.Check(t, func(t *rapid.T) {
		old := account.Key{CreatedAt: orNever.Draw(t, "created"), ExpiresAt: orNever.Draw(t, "expires")}
		r := account.Rotation{
			NewHash: [32]byte{1},
			At:      moment.Draw(t, "at"),
			Grace:   time.Duration(rapid.OneOf(rapid.Int64Range(0, int64(2*time.Millisecond)), rapid.Int64Range(0, math.MaxInt64)).Draw(t, "grace")),
		}
		got, err := r.Apply(old)
		if old.Usable(r.At) != nil {
			require.ErrorIs(t, err, account.ErrExpiredKey)
			return
		}
		require.NoError(t, err)
		ended, fresh := got.Key, *got.Successor
		if r.Grace < time.Millisecond {
			require.Equal(t, r.At, ended.RevokedAt)
			require.Equal(t, old.ExpiresAt, ended.ExpiresAt)
		} else {
			require.Zero(t, ended.RevokedAt)
			require.WithinRange(t, ended.ExpiresAt, r.At, last)
		}
		require.Equal(t, old.ExpiresAt.IsZero(), fresh.ExpiresAt.IsZero(), "a key without an expiry has a successor without one")
		require.NoError(t, fresh.Usable(r.At))
		if old.ExpiresAt.IsZero() {
			return
		}
		require.False(t, ended.ExpiresAt.After(old.ExpiresAt))
		require.WithinRange(t, fresh.ExpiresAt, old.ExpiresAt, last)
		lived := old.ExpiresAt.UnixMilli() - old.CreatedAt.UnixMilli()
		if !old.CreatedAt.IsZero() && !old.CreatedAt.After(r.At) && fresh.ExpiresAt.Before(last) {
			require.Equal(t, lived, fresh.ExpiresAt.UnixMilli()-fresh.CreatedAt.UnixMilli(), "the lifetime is the same")
		}
	})
}

func TestKeyService_Rotate(t *testing.T) {
	t.Parallel()
	keys, clock := newKeyService(t)
	secret, hash := createKey(t, keys)
	clock.now = noon().Add(10 * time.Minute)
	fresh, err := keys.Rotate(t.Context(), hash, 5*time.Minute)
	require.NoError(t, err)
	require.NotEqual(t, secret, fresh)

	want := account.Key{
		Hash: account.HashKey(fresh), OrganizationID: 1, Name: "Crawler", Scopes: []account.Scope{account.ScopeReports},
		CreatedAt: clock.now, ExpiresAt: clock.now.Add(time.Hour),
	}
	got, err := keys.Get(t.Context(), want.Hash)
	require.NoError(t, err)
	require.Equal(t, want, got)

	clock.now = noon().Add(15*time.Minute - time.Nanosecond)
	for _, key := range []string{secret, fresh} {
		principal, err := keys.Authenticate(t.Context(), key)
		require.NoError(t, err)
		require.Equal(t, "acme", principal.OrganizationSlug)
	}
	clock.now = noon().Add(15 * time.Minute)
	_, err = keys.Authenticate(t.Context(), secret)
	require.ErrorIs(t, err, account.ErrExpiredKey)
	_, err = keys.Authenticate(t.Context(), fresh)
	require.NoError(t, err)
}

func TestKeyService_Rotate_negativeGrace(t *testing.T) {
	t.Parallel()
	keys, _ := newKeyService(t)
	_, hash := createKey(t, keys)
	secret, err := keys.Rotate(t.Context(), hash, -1)
	requireIssues(t, "negative", []string{"grace: must not be negative"}, err)
	require.Empty(t, secret)
	list, err := keys.List(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, list, 1)
}
