package account_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
)

func TestRotation(t *testing.T) {
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
		"a key without an end":                      {noon(), never, noon(), time.Hour, noon().Add(time.Hour), never},
		"the shortest grace":                        {noon(), never, noon(), time.Millisecond, noon().Add(time.Millisecond), never},
		"a life of ten days":                        {noon(), noon().Add(10 * day), noon().Add(7 * day), day, noon().Add(8 * day), noon().Add(17 * day)},
		"grace beyond the end of the old key":       {noon(), noon().Add(10 * day), noon().Add(7 * day), 30 * day, noon().Add(10 * day), noon().Add(17 * day)},
		"a moment finer than a millisecond":         {noon(), never, noon().Add(time.Microsecond), time.Hour, noon().Add(time.Hour), never},
		"a moment in another time zone":             {noon(), never, noon().In(time.FixedZone("", 3600)), time.Hour, noon().Add(time.Hour), never},
		"the longest grace":                         {noon(), never, noon(), math.MaxInt64, noon().Add(math.MaxInt64).Truncate(time.Millisecond), never},
		"grace beyond the end of time":              {noon(), never, last.Add(-time.Hour), 2 * time.Hour, last, never},
		"a life that is longer than a duration":     {noon(), noon().AddDate(800, 0, 0), noon().AddDate(400, 0, 0), day, noon().AddDate(400, 0, 1), noon().AddDate(1200, 0, 0)},
		"a life beyond the end of time":             {noon(), last, noon().Add(day), day, noon().Add(2 * day), last},
		"a creation that nobody knows":              {never, noon().Add(day), noon(), time.Hour, noon().Add(time.Hour), noon().Add(day)},
		"a clock that was set back after creation":  {noon().Add(5 * day), noon().Add(day), noon(), time.Hour, noon().Add(time.Hour), noon().Add(day)},
		"a moment beyond what stores keep":          {noon(), never, time.Date(20_000, 1, 1, 0, 0, 0, 0, time.UTC), time.Hour, last, never},
		"a moment before what stores keep":          {noon(), never, never, time.Millisecond, never.Add(2 * time.Millisecond), never},
		"an end that the clock has not come to yet": {noon(), noon().Add(day), noon().Add(day - time.Millisecond), time.Hour, noon().Add(day), noon().Add(2*day - time.Millisecond)},
	} {
		old := account.Key{
			Hash: [32]byte{1}, OrganizationID: 2, UserID: 3, Name: "Crawler", Scopes: []account.Scope{account.ScopeReports},
			CreatedAt: c.created, ExpiresAt: c.expires, LastUsedAt: noon(),
		}
		ended, fresh, err := account.Rotation{Hash: old.Hash, NewHash: [32]byte{9}, At: c.at, Grace: c.grace}.Of(old)
		require.NoError(t, err, reason)

		wantOld := old
		wantOld.ExpiresAt = c.wantOld
		require.Equal(t, wantOld, ended, reason)
		require.Equal(t, account.Key{
			Hash: [32]byte{9}, OrganizationID: 2, UserID: 3, Name: "Crawler", Scopes: old.Scopes,
			CreatedAt: fresh.CreatedAt, ExpiresAt: c.wantNew,
		}, fresh, reason)
		require.WithinRange(t, fresh.CreatedAt, never.Add(time.Millisecond), last, reason)
		fresh.Scopes[0] = "changed"
		require.Equal(t, account.ScopeReports, old.Scopes[0], "the keys share nothing")
	}
}

// Without a grace period the old key ends for every clock, and its expiry stays.
func TestRotationWithoutGraceRevokes(t *testing.T) {
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
		"a key without an end":             {never, noon(), 0, noon()},
		"a key with an end":                {noon().Add(day), noon(), 0, noon()},
		"grace of less than a millisecond": {noon().Add(day), noon(), time.Millisecond - 1, noon()},
		"less than no grace":               {never, noon(), -time.Hour, noon()},
		"a moment finer than a millisecond, in another time zone": {
			never, noon().Add(time.Microsecond).In(time.FixedZone("", 3600)), 0, noon(),
		},
		"a clock that tells no time": {never, never, 0, never.Add(time.Millisecond)},
	} {
		old := account.Key{Hash: [32]byte{1}, CreatedAt: noon(), ExpiresAt: c.expires}
		r := account.Rotation{Hash: old.Hash, NewHash: [32]byte{9}, At: c.at, Grace: c.grace}
		ended, fresh, err := r.Of(old)
		require.NoError(t, err, reason)
		want := old
		want.RevokedAt = c.wantRevoked
		require.Equal(t, want, ended, reason)
		require.True(t, fresh.RevokedAt.IsZero(), reason)

		_, _, err = r.Of(ended)
		require.ErrorIs(t, err, account.ErrRevokedKey, reason)
	}
}

func TestRotationRefuses(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		old  account.Key
		want error
	}{
		"a revoked key":             {account.Key{RevokedAt: noon()}, account.ErrRevokedKey},
		"a key that has expired":    {account.Key{ExpiresAt: noon()}, account.ErrExpiredKey},
		"a revoked key, beside all": {account.Key{RevokedAt: noon(), ExpiresAt: noon()}, account.ErrRevokedKey},
	} {
		ended, fresh, err := account.Rotation{At: noon(), Grace: time.Hour}.Of(c.old)
		require.ErrorIs(t, err, c.want, reason)
		require.Zero(t, ended, reason)
		require.Zero(t, fresh, reason)
	}
}

// A rotation only ever brings the old key's end nearer, or revokes it, and gives the
// new key an end that is not before that of the old one, in the range that stores
// keep.
func TestTheLawsOfRotation(t *testing.T) {
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
		ended, fresh, err := r.Of(old)
		if !old.Active(r.At) {
			require.ErrorIs(t, err, account.ErrExpiredKey)
			return
		}
		require.NoError(t, err)
		if r.Grace < time.Millisecond {
			require.Equal(t, r.At, ended.RevokedAt)
			require.Equal(t, old.ExpiresAt, ended.ExpiresAt)
		} else {
			require.Zero(t, ended.RevokedAt)
			require.WithinRange(t, ended.ExpiresAt, r.At, last)
		}
		require.Equal(t, old.ExpiresAt.IsZero(), fresh.ExpiresAt.IsZero(), "a key for ever is followed by one for ever")
		require.True(t, fresh.Active(r.At))
		if old.ExpiresAt.IsZero() {
			return
		}
		require.False(t, ended.ExpiresAt.After(old.ExpiresAt))
		require.WithinRange(t, fresh.ExpiresAt, old.ExpiresAt, last)
		lived := old.ExpiresAt.UnixMilli() - old.CreatedAt.UnixMilli()
		if !old.CreatedAt.IsZero() && !old.CreatedAt.After(r.At) && fresh.ExpiresAt.Before(last) {
			require.Equal(t, lived, fresh.ExpiresAt.UnixMilli()-fresh.CreatedAt.UnixMilli(), "it lives as long")
		}
	})
}
