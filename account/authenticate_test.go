package account_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/storage/memory"
)

// touched is a store that tells of every use that it is to write.
type touched struct {
	account.Store
	calls atomic.Int64
	// instead is called in the place of the store's own method, if it is set.
	instead func(ctx context.Context, use account.Use) error
}

func (s *touched) TouchKey(ctx context.Context, use account.Use) error {
	s.calls.Add(1)
	if s.instead != nil {
		return s.instead(ctx, use)
	}
	return s.Store.TouchKey(ctx, use)
}

// lastUse returns the LastUsedAt of a key.
func lastUse(t *testing.T, service *account.Service, hash [32]byte) time.Time {
	t.Helper()
	key, err := service.Key(t.Context(), hash)
	require.NoError(t, err)
	return key.LastUsedAt
}

func TestTheLastUseIsWrittenOnceAMinute(t *testing.T) {
	t.Parallel()
	store := &touched{Store: memory.New()}
	service, clock := newServiceAt(t, store)
	secret, hash := newKey(t, service)
	require.True(t, lastUse(t, service, hash).IsZero(), "a new key was never used")
	require.Equal(t, time.Minute, account.LastUsedStep)
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
		{"a use by a clock that was set back", time.Second, time.Minute + time.Millisecond, 2},
	} {
		clock.now = noon().Add(step.after)
		_, err := service.Authenticate(t.Context(), secret)
		require.NoError(t, err)
		require.Equal(t, noon().Add(step.want), lastUse(t, service, hash), step.reason)
		require.Equal(t, step.calls, store.calls.Load(), step.reason)
	}
}

func TestTheUseOfAKeyWithoutAccessIsNotWritten(t *testing.T) {
	t.Parallel()
	for reason, end := range map[string]func(service *account.Service, hash [32]byte) (account.Key, error){
		"revoked": func(service *account.Service, hash [32]byte) (account.Key, error) {
			return service.RevokeKey(t.Context(), hash)
		},
		"expired": func(service *account.Service, hash [32]byte) (account.Key, error) {
			return service.ExpireKey(t.Context(), hash, noon())
		},
	} {
		store := &touched{Store: memory.New()}
		service, _ := newServiceAt(t, store)
		secret, hash := newKey(t, service)
		_, err := end(service, hash)
		require.NoError(t, err)
		_, err = service.Authenticate(t.Context(), secret)
		require.Error(t, err, reason)
		require.True(t, lastUse(t, service, hash).IsZero(), reason)
		require.Zero(t, store.calls.Load(), reason)
	}
}

func TestAUseThatCannotBeWrittenRefusesNobody(t *testing.T) {
	t.Parallel()
	store := &touched{Store: memory.New(), instead: func(context.Context, account.Use) error { return errBroken }}
	service, _ := newServiceAt(t, store)
	secret, hash := newKey(t, service)
	for range 2 {
		principal, err := service.Authenticate(t.Context(), secret)
		require.NoError(t, err)
		require.Equal(t, "acme", principal.OrganizationSlug)
	}
	require.EqualValues(t, 2, store.calls.Load(), "the next use is due too")
	store.instead = nil
	_, err := service.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	require.Equal(t, noon(), lastUse(t, service, hash))
}

// stuck waits until its context ends.
func stuck(ctx context.Context, _ account.Use) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestAUseThatIsNotWrittenKeepsTheCallerForASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service, _ := newServiceAt(t, &touched{Store: memory.New(), instead: stuck})
		secret, _ := newKey(t, service)
		began := time.Now()
		_, err := service.Authenticate(t.Context(), secret)
		require.NoError(t, err)
		require.Equal(t, time.Second, time.Since(began))

		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		began = time.Now()
		_, err = service.Authenticate(ctx, secret)
		require.NoError(t, err)
		require.Equal(t, 10*time.Millisecond, time.Since(began), "no longer than the caller's own context")
	})
}

func TestOneCallerAtATimeWritesTheUseOfAKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &touched{Store: memory.New(), instead: stuck}
		service, _ := newServiceAt(t, store)
		secret, _ := newKey(t, service)
		other, _ := newKey(t, service)
		writer := make(chan error, 1)
		go func() {
			_, err := service.Authenticate(t.Context(), secret)
			writer <- err
		}()
		synctest.Wait()
		began := time.Now()
		for range 3 {
			_, err := service.Authenticate(t.Context(), secret)
			require.NoError(t, err)
		}
		require.Zero(t, time.Since(began), "the others do not wait")
		require.EqualValues(t, 1, store.calls.Load())
		_, err := service.Authenticate(t.Context(), other)
		require.NoError(t, err)
		require.EqualValues(t, 2, store.calls.Load(), "the use of another key is written")
		require.NoError(t, <-writer)
		_, err = service.Authenticate(t.Context(), secret)
		require.NoError(t, err)
		require.EqualValues(t, 3, store.calls.Load(), "once nobody is at it, another caller is")
	})
}

// Two services on one store are two servers: both may see that a use is due, and the
// store takes the one that comes first.
func TestTwoServersKeepOneLastUse(t *testing.T) {
	t.Parallel()
	store := memory.New()
	service, clock := newServiceAt(t, store)
	secret, hash := newKey(t, service)
	late := &touched{Store: store}
	late.instead = func(ctx context.Context, use account.Use) error {
		clock.now = noon().Add(30 * time.Second)
		_, err := service.Authenticate(ctx, secret)
		if err != nil {
			return err
		}
		return store.TouchKey(ctx, use)
	}
	second, _ := newServiceAt(t, late)
	_, err := second.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	require.EqualValues(t, 1, late.calls.Load())
	require.Equal(t, noon().Add(30*time.Second), lastUse(t, service, hash), "the use that came late is not written")
}
