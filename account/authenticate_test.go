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
	fails := func(context.Context, account.Use) error { return errBroken }
	store := &touched{Store: memory.New(), instead: fails}
	service, clock := newServiceAt(t, store)
	secret, hash := newKey(t, service)
	for _, step := range []struct {
		reason string
		at     time.Duration
		heals  bool
		calls  int64
	}{
		{"the first use", 10 * time.Minute, false, 1},
		{"at the same moment", 10 * time.Minute, false, 1},
		{"just before the pause ends", 11*time.Minute - time.Millisecond, false, 1},
		{"a pause after a failure ends", 11 * time.Minute, false, 2},
		{"another failure pauses again", 11*time.Minute + time.Second, false, 2},
		{"a clock that was set back ends the pause", 5 * time.Minute, false, 3},
		{"the pause begins at the moment that it tells", 5*time.Minute + time.Second, false, 3},
		{"the store is well again", 6 * time.Minute, true, 4},
		{"a success leaves no pause behind", 7*time.Minute + time.Millisecond, true, 5},
	} {
		if step.heals {
			store.instead = nil
		}
		clock.now = noon().Add(step.at)
		principal, err := service.Authenticate(t.Context(), secret)
		require.NoError(t, err)
		require.Equal(t, "acme", principal.OrganizationSlug)
		require.Equal(t, step.calls, store.calls.Load(), step.reason)
	}
	require.Equal(t, clock.now, lastUse(t, service, hash))
}

// A use that was written ends what a failure began, also when the clock comes to the
// moment of the failure once more.
func TestAUseThatWasWrittenEndsThePause(t *testing.T) {
	t.Parallel()
	store := &touched{Store: memory.New(), instead: func(context.Context, account.Use) error { return errBroken }}
	service, clock := newServiceAt(t, store)
	secret, hash := newKey(t, service)
	clock.now = noon().Add(10 * time.Minute)
	_, err := service.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	store.instead = nil
	for _, at := range []time.Duration{5 * time.Minute, 10*time.Minute + time.Second} {
		clock.now = noon().Add(at)
		_, err := service.Authenticate(t.Context(), secret)
		require.NoError(t, err)
		require.Equal(t, clock.now, lastUse(t, service, hash))
	}
}

func TestACallerThatGoesAwayPausesNothing(t *testing.T) {
	t.Parallel()
	store := &touched{Store: memory.New()}
	service, _ := newServiceAt(t, store)
	secret, hash := newKey(t, service)
	ctx, cancel := context.WithCancel(t.Context())
	store.instead = func(ctx context.Context, use account.Use) error {
		cancel()
		return stuck(ctx, use)
	}
	_, err := service.Authenticate(ctx, secret)
	require.NoError(t, err)
	store.instead = nil
	_, err = service.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	require.Equal(t, noon(), lastUse(t, service, hash))
}

func TestUsesAreIgnored(t *testing.T) {
	t.Parallel()
	store := &touched{Store: memory.New()}
	writing, _ := newServiceAt(t, store)
	secret, hash := newKey(t, writing)
	service := account.NewService(store, account.Options{Clock: noon, IgnoreUse: true})
	principal, err := service.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	require.Equal(t, "acme", principal.OrganizationSlug)
	require.Zero(t, store.calls.Load())
	require.True(t, lastUse(t, service, hash).IsZero())
}

// stuck waits until its context ends.
func stuck(ctx context.Context, _ account.Use) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestAUseThatIsNotWrittenKeepsOneCallerForASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service, _ := newServiceAt(t, &touched{Store: memory.New(), instead: stuck})
		secret, _ := newKey(t, service)
		other, _ := newKey(t, service)

		ctx, leave := context.WithCancel(t.Context())
		began := time.Now()
		time.AfterFunc(10*time.Millisecond, leave)
		_, err := service.Authenticate(ctx, secret)
		require.NoError(t, err)
		require.Equal(t, 10*time.Millisecond, time.Since(began), "no longer than the caller stays")

		began = time.Now()
		for _, key := range []string{secret, secret, other} {
			_, err = service.Authenticate(t.Context(), key)
			require.NoError(t, err)
		}
		require.Equal(t, time.Second, time.Since(began), "the first alone, as the others do not try")
	})
}

func TestACallerInAHurryLosesItsTimeOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service, _ := newServiceAt(t, &touched{Store: memory.New(), instead: stuck})
		secret, _ := newKey(t, service)
		began := time.Now()
		for range 4 {
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			_, err := service.Authenticate(ctx, secret)
			cancel()
			require.NoError(t, err)
		}
		require.Equal(t, 200*time.Millisecond, time.Since(began))
	})
}

func TestOneCallerAtATimeWritesAUse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var (
			begun   = make(chan struct{})
			release = make(chan struct{})
			store   = &touched{Store: memory.New()}
		)
		store.instead = func(ctx context.Context, use account.Use) error {
			if store.calls.Load() == 1 {
				close(begun)
				<-release
			}
			return store.Store.TouchKey(ctx, use)
		}
		service, _ := newServiceAt(t, store)
		secret, hash := newKey(t, service)
		other, otherHash := newKey(t, service)
		writer := make(chan error, 1)
		go func() {
			_, err := service.Authenticate(t.Context(), secret)
			writer <- err
		}()
		<-begun
		for _, key := range []string{secret, other, secret, other} {
			_, err := service.Authenticate(t.Context(), key)
			require.NoError(t, err, "the others do not wait")
		}
		require.EqualValues(t, 1, store.calls.Load(), "of all keys one use at a time is written")
		close(release)
		require.NoError(t, <-writer)
		require.Equal(t, noon(), lastUse(t, service, hash))
		require.True(t, lastUse(t, service, otherHash).IsZero())
		_, err := service.Authenticate(t.Context(), other)
		require.NoError(t, err)
		require.Equal(t, noon(), lastUse(t, service, otherHash), "once nobody is at it, another caller is")
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
