package account_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/storage/memory"
)

func TestKeyService_Get(t *testing.T) {
	t.Parallel()
	keys, _ := newKeyService(t)
	_, hash := createKey(t, keys)
	got, err := keys.Get(t.Context(), hash)
	require.NoError(t, err)
	require.Equal(t, account.Key{
		Hash: hash, OrganizationID: 1, Name: "Crawler", Scopes: []account.Scope{account.ScopeReports},
		CreatedAt: noon(), ExpiresAt: noon().Add(time.Hour),
	}, got)
}

func TestKeyService_List(t *testing.T) {
	t.Parallel()
	keys, clock := newKeyService(t)
	require.NoError(t, keys.Put(t.Context(), "legacy-0001", account.KeyRequest{OrganizationID: 1}))
	clock.now = noon().Add(time.Second + 17*time.Microsecond)
	_, hash := createKey(t, keys)
	require.NoError(t, keys.Put(t.Context(), "none", account.KeyRequest{}))

	list, err := keys.List(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, account.Key{Hash: account.HashKey("legacy-0001"), OrganizationID: 1, CreatedAt: noon()}, list[0])
	require.Equal(t, hash, list[1].Hash)
	require.Equal(t, noon().Add(time.Second), list[1].CreatedAt)
	list, err = keys.List(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, []account.Key{{Hash: account.HashKey("none"), CreatedAt: noon().Add(time.Second)}}, list)
}

func TestKeyService_With(t *testing.T) {
	t.Parallel()
	store := newRecordingStore(t)
	keys, clock := newKeyServiceOn(store)
	secret, hash := createKey(t, keys)
	with := keys.With(store)
	principal, err := with.With(store).Authenticate(t.Context(), secret)
	require.NoError(t, err)
	require.Equal(t, "acme", principal.OrganizationSlug)
	require.Zero(t, store.calls.Load())
	require.True(t, lastUsedAt(t, keys, hash).IsZero(), "a transaction records no use")

	clock.now = noon().Add(time.Hour)
	_, err = with.Authenticate(t.Context(), secret)
	require.ErrorIs(t, err, account.ErrExpiredKey, "the clock is the same")
}

// updateRecorder is a store that keeps the last update of a key.
type updateRecorder struct {
	account.KeyStore
	last account.KeyUpdate
}

func (r *updateRecorder) UpdateKey(ctx context.Context, hash [32]byte, update func(account.Key) (account.KeyUpdate, error)) (account.Key, error) {
	return r.KeyStore.UpdateKey(ctx, hash, func(old account.Key) (got account.KeyUpdate, err error) {
		r.last, err = update(old)
		return r.last, err
	})
}

func TestKeyOptions_Clock(t *testing.T) {
	t.Parallel()
	first := time.Time{}.Add(time.Millisecond)
	last := time.Date(9999, time.December, 31, 23, 59, 59, 999_000_000, time.UTC)
	for reason, c := range map[string]struct{ now, want time.Time }{
		"whole milliseconds":   {noon(), noon()},
		"finer":                {noon().Add(999 * time.Microsecond), noon()},
		"another time zone":    {noon().In(time.FixedZone("", 3600)), noon()},
		"the zero time":        {time.Time{}, first},
		"the first time":       {first, first},
		"before the year 1":    {time.Unix(-1<<60, 0), first},
		"the last millisecond": {last.Add(time.Millisecond - 1), last},
		"the year 10000":       {last.Add(time.Millisecond), last},
		"long after":           {time.Unix(1<<60, 0), last},
	} {
		store := &updateRecorder{KeyStore: memory.New()}
		keys, clock := newKeyServiceOn(store)
		clock.now = c.now
		secret, err := keys.Create(t.Context(), account.KeyRequest{})
		require.NoError(t, err, reason)
		fresh, err := keys.Rotate(t.Context(), account.HashKey(secret), 0)
		require.NoError(t, err, reason)
		require.Equal(t, c.want, store.last.Key.RevokedAt, reason)
		require.Equal(t, c.want, store.last.Successor.CreatedAt, reason)
		for _, key := range []string{secret, fresh} {
			got, err := keys.Revoke(t.Context(), account.HashKey(key))
			require.NoError(t, err, reason)
			require.Equal(t, c.want, got.CreatedAt, reason)
			require.Equal(t, c.want, got.RevokedAt, reason)
		}
	}
}

// A clock without a valid time makes no key that seems never to have been revoked, or
// that never expires.
func TestKeyService_clockOutOfRange(t *testing.T) {
	t.Parallel()
	for reason, now := range map[string]time.Time{
		"the zero time": {},
		"long before":   time.Unix(-1<<60, 0),
		"long after":    time.Unix(1<<60, 0),
	} {
		keys, clock := newKeyService(t)
		secret, hash := createKey(t, keys)
		_, err := keys.ClearExpiry(t.Context(), hash)
		require.NoError(t, err)
		clock.now = now
		fresh, err := keys.Rotate(t.Context(), hash, 0)
		require.NoError(t, err, reason)
		_, err = keys.Authenticate(t.Context(), secret)
		require.ErrorIs(t, err, account.ErrRevokedKey, reason)
		_, err = keys.Authenticate(t.Context(), fresh)
		require.NoError(t, err, reason)
		revoked, err := keys.Revoke(t.Context(), account.HashKey(fresh))
		require.NoError(t, err, reason)
		require.False(t, revoked.RevokedAt.IsZero(), reason)
		_, err = keys.Authenticate(t.Context(), fresh)
		require.ErrorIs(t, err, account.ErrRevokedKey, reason)
	}
}

// brokenStore is a store whose reads and updates of keys fail.
type brokenStore struct{ account.KeyStore }

func (brokenStore) KeyByHash(context.Context, [32]byte) (account.KeyRecord, error) {
	return account.KeyRecord{}, errBroken
}

func (brokenStore) UpdateKey(context.Context, [32]byte, func(account.Key) (account.KeyUpdate, error)) (account.Key, error) {
	return account.Key{}, errBroken
}

func TestKeyService_storageError(t *testing.T) {
	t.Parallel()
	keys, _ := newKeyServiceOn(brokenStore{memory.New()})
	hash := account.HashKey("key")
	_, err := keys.Get(t.Context(), hash)
	require.Equal(t, errBroken, err)
	_, err = keys.Authenticate(t.Context(), "key")
	require.Equal(t, errBroken, err)
	_, err = keys.Revoke(t.Context(), hash)
	require.Equal(t, errBroken, err)
	secret, err := keys.Rotate(t.Context(), hash, 0)
	require.Equal(t, errBroken, err)
	require.Empty(t, secret, "the key may not be stored")
}
