package account_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

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

// readingStore counts how often keys are read.
type readingStore struct {
	account.KeyStore
	reads atomic.Int64
	// afterRead is called before the read record is returned, if it is set.
	afterRead func()
}

func (s *readingStore) KeyByHash(ctx context.Context, hash [32]byte) (account.KeyRecord, error) {
	s.reads.Add(1)
	record, err := s.KeyStore.KeyByHash(ctx, hash)
	if s.afterRead != nil {
		s.afterRead()
	}
	return record, err
}

// requireReads requires that a successful call reads the key this often.
func requireReads(t *testing.T, store *readingStore, keys *account.KeyService, secret string, want int64, reason string) {
	t.Helper()
	before := store.reads.Load()
	_, err := keys.Authenticate(t.Context(), secret)
	require.NoError(t, err, reason)
	require.Equal(t, want, store.reads.Load()-before, reason)
}

func TestKeyCache(t *testing.T) {
	t.Parallel()
	require.Equal(t, time.Second, account.KeyCacheTTL)
	synctest.Test(t, func(t *testing.T) {
		_, memory := newService(t)
		store := &readingStore{KeyStore: memory}
		keys, clock := newKeyServiceOn(store)
		secret, hash := createKey(t, keys)
		other, _ := createKey(t, keys)
		for _, step := range []struct {
			reason string
			sleep  time.Duration
			now    time.Time
			secret string
			reads  int64
		}{
			{"the first call", 0, noon(), secret, 1},
			{"the second call", 0, noon(), secret, 0},
			{"a minute later on the clock of the service", 0, noon().Add(time.Minute), secret, 0},
			{"that clock was set back", 0, noon().Add(-time.Hour), secret, 0},
			{"another key", account.KeyCacheTTL / 2, noon(), other, 1},
			{"just before the end", account.KeyCacheTTL/2 - 1, noon(), secret, 0},
			{"at the end", 1, noon(), secret, 1},
			{"the other key, which was read later", 0, noon(), other, 1},
			{"long after", time.Hour, noon(), secret, 1},
		} {
			time.Sleep(step.sleep)
			clock.now = step.now
			requireReads(t, store, keys, step.secret, step.reads, step.reason)
		}

		clock.now = noon().Add(time.Hour - time.Millisecond)
		requireReads(t, store, keys, secret, 0, "just before the key expires")
		clock.now = noon().Add(time.Hour)
		_, err := keys.Authenticate(t.Context(), secret)
		requireKeyError(t, hash, account.ErrExpiredKey, err)

		clock.now = noon()
		requireReads(t, store, keys, secret, 0, "the key is usable again when the clock is set back")
	})
}

func TestKeyCache_unknownKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, store := newService(t)
		keys, _ := newKeyServiceOn(store)
		elsewhere, _ := newKeyServiceOn(store)
		_, err := keys.Authenticate(t.Context(), "legacy-0001")
		require.ErrorIs(t, err, account.ErrUnknownKey)
		require.NoError(t, elsewhere.Put(t.Context(), "legacy-0001", account.KeyRequest{OrganizationID: 1}))
		principal, err := keys.Authenticate(t.Context(), "legacy-0001")
		require.NoError(t, err, "a new key grants access at once")
		require.Equal(t, "acme", principal.OrganizationSlug)
	})
}

func TestKeyCache_full(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, memory := newService(t)
		store := &readingStore{KeyStore: memory}
		keys := account.NewKeyService(store, account.KeyOptions{Clock: noon})
		secret := func(i int) string { return fmt.Sprintf("legacy-%d", i) }
		for i := range account.MaxCached + 1 {
			require.NoError(t, keys.Put(t.Context(), secret(i), account.KeyRequest{}))
		}
		for i := range account.MaxCached + 1 {
			requireReads(t, store, keys, secret(i), 1, "the first call")
		}
		requireReads(t, store, keys, secret(0), 0, "the first key")
		requireReads(t, store, keys, secret(account.MaxCached-1), 0, "the last key that fits")
		requireReads(t, store, keys, secret(account.MaxCached), 1, "a key too many")
		time.Sleep(account.KeyCacheTTL)
		requireReads(t, store, keys, secret(account.MaxCached), 1, "later")
		requireReads(t, store, keys, secret(account.MaxCached), 0, "there is room again")
	})
}

// A caller may change the principal that it got.
func TestKeyCache_principal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		keys, _ := newKeyService(t)
		secret, _ := createKey(t, keys)
		for range 3 {
			principal, err := keys.Authenticate(t.Context(), secret)
			require.NoError(t, err)
			require.Equal(t, []account.Scope{account.ScopeReports}, principal.Scopes)
			principal.Scopes[0] = account.ScopeAllowlist
		}
	})
}

// The use of a key whose cached LastUsedAt is old is recorded once.
func TestKeyCache_lastUsedAt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newRecordingStore(t)
		keys, clock := newKeyServiceOn(store)
		secret, hash := createKey(t, keys)
		for i := range int64(3) {
			clock.now = noon().Add(time.Duration(i) * 2 * account.LastUsedInterval)
			for range 3 {
				_, err := keys.Authenticate(t.Context(), secret)
				require.NoError(t, err)
			}
			require.Equal(t, i+1, store.calls.Load())
			require.Equal(t, clock.now, lastUsedAt(t, keys, hash))
		}
	})
}

// keyWrites take access away from a key, or change it.
var keyWrites = map[string]func(ctx context.Context, keys *account.KeyService, secret string) error{
	"Revoke": func(ctx context.Context, keys *account.KeyService, secret string) error {
		_, err := keys.Revoke(ctx, account.HashKey(secret))
		return err
	},
	"Rotate": func(ctx context.Context, keys *account.KeyService, secret string) error {
		_, err := keys.Rotate(ctx, account.HashKey(secret), 0)
		return err
	},
	"SetExpiry": func(ctx context.Context, keys *account.KeyService, secret string) error {
		_, err := keys.SetExpiry(ctx, account.HashKey(secret), noon())
		return err
	},
	"ClearExpiry": func(ctx context.Context, keys *account.KeyService, secret string) error {
		_, err := keys.ClearExpiry(ctx, account.HashKey(secret))
		return err
	},
	"Put": func(ctx context.Context, keys *account.KeyService, secret string) error {
		return keys.Put(ctx, secret, account.KeyRequest{OrganizationID: 1})
	},
}

// A write holds for the next call, even if another call has read the key before the write
// and returns after it.
func TestKeyCache_writeDuringRead(t *testing.T) {
	t.Parallel()
	for name, write := range keyWrites {
		for through, with := range map[string]bool{"the service": false, "a transaction": true} {
			t.Run(name+" through "+through, func(t *testing.T) {
				t.Parallel()
				_, memory := newService(t)
				store := &readingStore{KeyStore: memory}
				keys, _ := newKeyServiceOn(store)
				writer := keys
				if with {
					writer = keys.With(memory)
				}
				secret, _ := createKey(t, keys)
				store.afterRead = sync.OnceFunc(func() { require.NoError(t, write(t.Context(), writer, secret)) })
				_, err := keys.Authenticate(t.Context(), secret)
				require.NoError(t, err, "the key as it was read")

				exact, _ := newKeyServiceOn(memory)
				want, wantErr := exact.Authenticate(t.Context(), secret)
				got, err := keys.Authenticate(t.Context(), secret)
				require.Equal(t, wantErr, err)
				require.Equal(t, want, got)
			})
		}
	}
}

// A call that begins after a revocation has returned never succeeds, while others read the
// key from the store.
func TestKeyCache_revokedConcurrently(t *testing.T) {
	t.Parallel()
	_, memory := newService(t)
	keys, _ := newKeyServiceOn(&readingStore{KeyStore: memory, afterRead: func() {
		for range rand.N(10) {
			runtime.Gosched()
		}
	}})
	for range 200 {
		secret, hash := createKey(t, keys)
		var (
			revoked        atomic.Bool
			began, readers sync.WaitGroup
		)
		began.Add(4)
		for range 4 {
			readers.Go(func() {
				_, _ = keys.Authenticate(t.Context(), secret)
				began.Done()
				for after := false; !after; runtime.Gosched() {
					after = revoked.Load()
					if _, err := keys.Authenticate(t.Context(), secret); after {
						assert.ErrorIs(t, err, account.ErrRevokedKey)
					}
				}
			})
		}
		began.Wait()
		require.NoError(t, keys.Put(t.Context(), "another", account.KeyRequest{}))
		runtime.Gosched() // the readers read the key again
		_, err := keys.Revoke(t.Context(), hash)
		require.NoError(t, err)
		revoked.Store(true)
		readers.Wait()
	}
}

// keyState is a key as a store had it.
type keyState struct {
	record account.KeyRecord
	err    error
	// until is when the next state replaced it.
	until time.Time
}

// answer returns the result of Authenticate in this state.
func (s keyState) answer(secret string, now time.Time) (account.Principal, error) {
	err := s.err
	if err == nil {
		err = s.record.Key.Usable(now)
	}
	if err != nil {
		return account.Principal{}, &account.KeyError{Fingerprint: account.Fingerprint(account.HashKey(secret)), Err: err}
	}
	return s.record.Principal(), nil
}

// Authenticate answers as if it read each key from the store, or as it would have answered
// at most KeyCacheTTL ago if the key has not been written through the service since.
func TestKeyCache_model(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rapid.Check(struct{ testing.TB }{t}, func(r *rapid.T) { // a bubble has no deadline
			m := newCacheMachine(t)
			r.Repeat(map[string]func(*rapid.T){
				"authenticate": m.authenticate,
				"write":        m.write,
				"rename":       m.rename,
				"wait": func(r *rapid.T) {
					time.Sleep(account.KeyCacheTTL * time.Duration(rapid.IntRange(1, 6).Draw(r, "quarters")) / 4)
				},
				"set clock": func(r *rapid.T) {
					m.clock.now = noon().Add(time.Duration(rapid.IntRange(-2, 2).Draw(r, "minutes")) * time.Minute)
				},
			})
		})
	})
}

type cacheMachine struct {
	*testing.T
	service *account.Service
	store   account.KeyStore
	keys    *account.KeyService
	clock   *clock
	// states are those in which Authenticate may answer. The last one is the current.
	states map[string][]keyState
}

func newCacheMachine(t *testing.T) *cacheMachine {
	t.Helper()
	service, store := newService(t)
	keys, clock := newKeyServiceOn(store)
	m := &cacheMachine{T: t, service: service, store: store, keys: keys, clock: clock, states: map[string][]keyState{}}
	for _, secret := range machineSecrets() {
		m.states[secret] = []keyState{{err: account.ErrUnknownKey}}
	}
	require.NoError(t, keys.Put(t.Context(), "key-1", account.KeyRequest{OrganizationID: 1, UserID: 7, Scopes: account.Scopes()}))
	m.written(true, "key-1")
	return m
}

func machineSecrets() []string { return []string{"key-1", "key-2", "key-3", "key-4"} }

func (m *cacheMachine) anySecret(r *rapid.T) string {
	return rapid.SampledFrom(machineSecrets()).Draw(r, "secret")
}

// written adds the states after a write. A write through the service ends those before.
func (m *cacheMachine) written(through bool, written string) {
	for secret, states := range m.states {
		states[len(states)-1].until = time.Now()
		record, err := m.store.KeyByHash(m.Context(), account.HashKey(secret))
		if through && secret == written {
			states = nil
		}
		m.states[secret] = append(states, keyState{record: record, err: err})
	}
}

func (m *cacheMachine) write(r *rapid.T) {
	secret := m.anySecret(r)
	elsewhere, _ := newKeyServiceOn(m.store)
	by := rapid.SampledFrom([]string{"service", "transaction", "elsewhere"}).Draw(r, "by")
	keys := map[string]*account.KeyService{"service": m.keys, "transaction": m.keys.With(m.store), "elsewhere": elsewhere}[by]
	name := rapid.SampledFrom([]string{"Put", "Put", "SetExpiry", "ClearExpiry", "Revoke", "Rotate"}).Draw(r, "method")
	_ = keyWrites[name](m.Context(), keys, secret) // refused if the key is unknown or revoked
	m.written(by != "elsewhere", secret)
}

func (m *cacheMachine) rename(r *rapid.T) {
	slug := rapid.SampledFrom([]string{"acme", "globex"}).Draw(r, "slug")
	require.NoError(r, m.service.PutOrganization(m.Context(), account.Organization{ID: 1, Slug: slug}))
	m.written(false, "")
}

func (m *cacheMachine) authenticate(r *rapid.T) {
	secret := m.anySecret(r)
	got, gotErr := m.keys.Authenticate(m.Context(), secret)
	states := m.states[secret]
	for i, state := range states {
		current := i == len(states)-1
		if !current && (state.err != nil || time.Since(state.until) >= account.KeyCacheTTL) {
			continue
		}
		want, wantErr := state.answer(secret, m.clock.now)
		if fmt.Sprint(want, wantErr) == fmt.Sprint(got, gotErr) {
			return
		}
	}
	require.Fail(r, "unexpected answer", "%s: %v, %v; states %+v", secret, got, gotErr, states)
}
