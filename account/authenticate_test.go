package account_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

// recordingStore counts the uses that it is to record.
type recordingStore struct {
	account.KeyStore
	calls atomic.Int64
	// instead replaces the store's own method, if it is set.
	instead func(ctx context.Context, use account.KeyUse) error
}

func (s *recordingStore) RecordKeyUse(ctx context.Context, use account.KeyUse) error {
	s.calls.Add(1)
	if s.instead != nil {
		return s.instead(ctx, use)
	}
	return s.KeyStore.RecordKeyUse(ctx, use)
}

// newRecordingStore returns a store with organization 1.
func newRecordingStore(t *testing.T) *recordingStore {
	t.Helper()
	_, store := newService(t)
	return &recordingStore{KeyStore: store}
}

// lastUsedAt returns the LastUsedAt of a key.
func lastUsedAt(t *testing.T, keys *account.KeyService, hash [32]byte) time.Time {
	t.Helper()
	key, err := keys.Get(t.Context(), hash)
	require.NoError(t, err)
	return key.LastUsedAt
}

func TestKeyService_AuthenticateHash(t *testing.T) {
	t.Parallel()
	keys, _ := newKeyServiceOn(newRecordingStore(t))
	secret, hash := createKey(t, keys)
	want, err := keys.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	got, err := keys.AuthenticateHash(t.Context(), hash)
	require.NoError(t, err)
	require.Equal(t, want, got)
	_, err = keys.AuthenticateHash(t.Context(), [32]byte{})
	require.ErrorIs(t, err, account.ErrUnknownKey)
	_, err = keys.Revoke(t.Context(), hash)
	require.NoError(t, err)
	_, err = keys.AuthenticateHash(t.Context(), hash)
	require.ErrorIs(t, err, account.ErrRevokedKey)
}

func TestKeyService_Authenticate_recordsUse(t *testing.T) {
	t.Parallel()
	store := newRecordingStore(t)
	keys, clock := newKeyServiceOn(store)
	secret, hash := createKey(t, keys)
	require.True(t, lastUsedAt(t, keys, hash).IsZero(), "a new key was never used")
	require.Equal(t, time.Minute, account.LastUsedInterval)
	for _, step := range []struct {
		reason string
		after  time.Duration
		want   time.Duration
		calls  int64
	}{
		{"the first use", time.Microsecond, 0, 1},
		{"a use soon after", 30 * time.Second, 0, 1},
		{"a use when the last one is a minute old", time.Minute, 0, 1},
		{"a use when it is older", time.Minute + time.Millisecond, time.Minute + time.Millisecond, 2},
		{"the clock was set back", time.Second, time.Minute + time.Millisecond, 2},
	} {
		clock.now = noon().Add(step.after)
		_, err := keys.Authenticate(t.Context(), secret)
		require.NoError(t, err)
		require.Equal(t, noon().Add(step.want), lastUsedAt(t, keys, hash), step.reason)
		require.Equal(t, step.calls, store.calls.Load(), step.reason)
	}
}

func TestKeyService_Authenticate_recordsNoUseWithoutAccess(t *testing.T) {
	t.Parallel()
	for reason, end := range map[string]func(keys *account.KeyService, hash [32]byte) (account.Key, error){
		"revoked": func(keys *account.KeyService, hash [32]byte) (account.Key, error) {
			return keys.Revoke(t.Context(), hash)
		},
		"expired": func(keys *account.KeyService, hash [32]byte) (account.Key, error) {
			return keys.SetExpiry(t.Context(), hash, noon())
		},
	} {
		store := newRecordingStore(t)
		keys, _ := newKeyServiceOn(store)
		secret, hash := createKey(t, keys)
		_, err := end(keys, hash)
		require.NoError(t, err)
		_, err = keys.Authenticate(t.Context(), secret)
		require.Error(t, err, reason)
		require.True(t, lastUsedAt(t, keys, hash).IsZero(), reason)
		require.Zero(t, store.calls.Load(), reason)
	}
}

func TestKeyService_Authenticate_recordFails(t *testing.T) {
	t.Parallel()
	fails := func(context.Context, account.KeyUse) error { return errBroken }
	store := newRecordingStore(t)
	store.instead = fails
	keys, clock := newKeyServiceOn(store)
	secret, hash := createKey(t, keys)
	for _, step := range []struct {
		reason string
		at     time.Duration
		heals  bool
		calls  int64
	}{
		{"the first use", 10 * time.Minute, false, 1},
		{"at the same time", 10 * time.Minute, false, 1},
		{"just before the pause ends", 11*time.Minute - time.Millisecond, false, 1},
		{"a pause after a failure ends", 11 * time.Minute, false, 2},
		{"another failure pauses again", 11*time.Minute + time.Second, false, 2},
		{"a clock that was set back ends the pause", 5 * time.Minute, false, 3},
		{"the pause begins at that time", 5*time.Minute + time.Second, false, 3},
		{"the store works again", 6 * time.Minute, true, 4},
		{"a success ends the pause", 7*time.Minute + time.Millisecond, true, 5},
	} {
		if step.heals {
			store.instead = nil
		}
		clock.now = noon().Add(step.at)
		principal, err := keys.Authenticate(t.Context(), secret)
		require.NoError(t, err)
		require.Equal(t, "acme", principal.OrganizationSlug)
		require.Equal(t, step.calls, store.calls.Load(), step.reason)
	}
	require.Equal(t, clock.now, lastUsedAt(t, keys, hash))
}

// A recorded use ends the pause after a failure, also when the clock passes the time of
// that failure again.
func TestKeyService_Authenticate_recordSucceedsAfterFailure(t *testing.T) {
	t.Parallel()
	store := newRecordingStore(t)
	store.instead = func(context.Context, account.KeyUse) error { return errBroken }
	keys, clock := newKeyServiceOn(store)
	secret, hash := createKey(t, keys)
	clock.now = noon().Add(10 * time.Minute)
	_, err := keys.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	store.instead = nil
	for _, at := range []time.Duration{5 * time.Minute, 10*time.Minute + time.Second} {
		clock.now = noon().Add(at)
		_, err := keys.Authenticate(t.Context(), secret)
		require.NoError(t, err)
		require.Equal(t, clock.now, lastUsedAt(t, keys, hash))
	}
}

func TestKeyService_Authenticate_canceled(t *testing.T) {
	t.Parallel()
	store := newRecordingStore(t)
	keys, _ := newKeyServiceOn(store)
	secret, hash := createKey(t, keys)
	ctx, cancel := context.WithCancel(t.Context())
	store.instead = func(ctx context.Context, use account.KeyUse) error {
		cancel()
		return stuck(ctx, use)
	}
	_, err := keys.Authenticate(ctx, secret)
	require.NoError(t, err)
	store.instead = nil
	_, err = keys.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	require.Equal(t, noon(), lastUsedAt(t, keys, hash))
}

// stuck waits until its context ends.
func stuck(ctx context.Context, _ account.KeyUse) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestKeyService_Authenticate_recordTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newRecordingStore(t)
		store.instead = stuck
		keys, _ := newKeyServiceOn(store)
		secret, _ := createKey(t, keys)
		other, _ := createKey(t, keys)

		ctx, leave := context.WithCancel(t.Context())
		began := time.Now()
		time.AfterFunc(10*time.Millisecond, leave)
		_, err := keys.Authenticate(ctx, secret)
		require.NoError(t, err)
		require.Equal(t, 10*time.Millisecond, time.Since(began), "no longer than the caller waits")

		began = time.Now()
		for _, key := range []string{secret, secret, other} {
			_, err = keys.Authenticate(t.Context(), key)
			require.NoError(t, err)
		}
		require.Equal(t, time.Second, time.Since(began), "only the first call waits")
	})
}

func TestKeyService_Authenticate_shortDeadline(t *testing.T) {
	t.Parallel()
	for reason, limited := range map[string]func(context.Context) (context.Context, context.CancelFunc){
		"a deadline": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 200*time.Millisecond)
		},
		"a cancellation because of a deadline": func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancelCause(ctx)
			timer := time.AfterFunc(200*time.Millisecond, func() { cancel(context.DeadlineExceeded) })
			return ctx, func() { timer.Stop() }
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := newRecordingStore(t)
				store.instead = stuck
				keys, _ := newKeyServiceOn(store)
				secret, _ := createKey(t, keys)
				began := time.Now()
				for range 4 {
					ctx, cancel := limited(t.Context())
					_, err := keys.Authenticate(ctx, secret)
					cancel()
					require.NoError(t, err)
				}
				require.Equal(t, 200*time.Millisecond, time.Since(began))
			})
		})
	}
}

func TestKeyService_Authenticate_concurrent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var (
			begun   = make(chan struct{})
			release = make(chan struct{})
			store   = newRecordingStore(t)
		)
		store.instead = func(ctx context.Context, use account.KeyUse) error {
			if store.calls.Load() == 1 {
				close(begun)
				<-release
			}
			return store.KeyStore.RecordKeyUse(ctx, use)
		}
		keys, _ := newKeyServiceOn(store)
		secret, hash := createKey(t, keys)
		other, otherHash := createKey(t, keys)
		writer := make(chan error, 1)
		go func() {
			_, err := keys.Authenticate(t.Context(), secret)
			writer <- err
		}()
		<-begun
		for _, key := range []string{secret, other, secret, other} {
			_, err := keys.Authenticate(t.Context(), key)
			require.NoError(t, err, "the others do not wait")
		}
		require.EqualValues(t, 1, store.calls.Load(), "one use at a time is recorded, of all keys")
		close(release)
		require.NoError(t, <-writer)
		require.Equal(t, noon(), lastUsedAt(t, keys, hash))
		require.True(t, lastUsedAt(t, keys, otherHash).IsZero())
		_, err := keys.Authenticate(t.Context(), other)
		require.NoError(t, err)
		require.Equal(t, noon(), lastUsedAt(t, keys, otherHash), "the next call records")
	})
}

// Two services on one store are like two servers: both may find that a use is due, and the
// store records the first.
func TestKeyService_Authenticate_twoServers(t *testing.T) {
	t.Parallel()
	_, store := newService(t)
	keys, clock := newKeyServiceOn(store)
	secret, hash := createKey(t, keys)
	late := &recordingStore{KeyStore: store}
	late.instead = func(ctx context.Context, use account.KeyUse) error {
		clock.now = noon().Add(30 * time.Second)
		_, err := keys.Authenticate(ctx, secret)
		if err != nil {
			return err
		}
		return store.RecordKeyUse(ctx, use)
	}
	second, _ := newKeyServiceOn(late)
	_, err := second.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	require.EqualValues(t, 1, late.calls.Load())
	require.Equal(t, noon().Add(30*time.Second), lastUsedAt(t, keys, hash), "the later call is ignored")
}

func TestKeyUse_Applies(t *testing.T) {
	t.Parallel()
	use := account.KeyUse{At: noon(), LastBefore: noon().Add(-time.Minute)}
	for reason, c := range map[string]struct {
		key  account.Key
		use  account.KeyUse
		want bool
	}{
		"the key was never used":                  {account.Key{}, use, true},
		"the last use is older":                   {account.Key{LastUsedAt: noon().Add(-time.Minute - time.Millisecond)}, use, true},
		"the last use is exactly as old":          {account.Key{LastUsedAt: noon().Add(-time.Minute)}, use, false},
		"the last use is later than this one":     {account.Key{LastUsedAt: noon().Add(time.Hour)}, account.KeyUse{At: noon(), LastBefore: noon().AddDate(1, 0, 0)}, false},
		"the last use is of the same millisecond": {account.Key{LastUsedAt: noon()}, account.KeyUse{At: noon().Add(time.Microsecond), LastBefore: noon().AddDate(1, 0, 0)}, false},
		"the key was revoked":                     {account.Key{RevokedAt: noon()}, use, false},
		"the key has expired in the meantime":     {account.Key{ExpiresAt: noon()}, use, true},
	} {
		require.Equal(t, c.want, c.use.Applies(c.key), reason)
	}
}

func TestKeyService_Authenticate(t *testing.T) {
	t.Parallel()
	_, store := newService(t)
	keys, _ := newKeyServiceOn(store)
	scopes := []account.Scope{account.ScopeDispute, account.ScopeReports}
	key, err := keys.Create(t.Context(), account.KeyRequest{OrganizationID: 1, UserID: 7, Scopes: scopes})
	require.NoError(t, err)

	want := account.Principal{
		OrganizationID: 1, OrganizationSlug: "acme", UserID: 7, Email: "ada@acme.example",
		Scopes: scopes, Fingerprint: account.Fingerprint(account.HashKey(key)),
	}
	got, err := keys.Authenticate(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, want, got)

	key, err = keys.Create(t.Context(), account.KeyRequest{Scopes: []account.Scope{account.ScopeChangelog}})
	require.NoError(t, err)
	got, err = keys.Authenticate(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, account.Principal{
		Scopes:      []account.Scope{account.ScopeChangelog},
		Fingerprint: account.Fingerprint(account.HashKey(key)),
	}, got, "a key without an organization and a user")
}

func TestKeyService_Authenticate_unknownKey(t *testing.T) {
	t.Parallel()
	keys, _ := newKeyService(t)
	for reason, key := range map[string]string{
		"no key":         "",
		"another key":    account.GenerateKey(),
		"an invalid key": "apg_\x00",
	} {
		_, err := keys.Authenticate(t.Context(), key)
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
