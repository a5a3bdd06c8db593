package apguard_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// failsOnce is a store that cannot remove ended entries at first.
type failsOnce struct {
	storage.Store
	failed bool
}

var errDisk = errors.New("disk failure")

func (s *failsOnce) ExpireEntries(ctx context.Context, cmd allowlist.ExpireCommand) (int, error) {
	if !s.failed {
		s.failed = true
		return 0, errDisk
	}
	return s.Store.ExpireEntries(ctx, cmd)
}

func TestGuard_Run(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var reported []error
		guard := apguard.New(&failsOnce{Store: accounttest.Organizations(t, memory.New(), 1)}, apguard.Options{OnError: func(err error) { reported = append(reported, err) }})
		_, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
			OrganizationID: 1,
			Items:          []allowlist.Item{{Content: "https://a.example", ExpiresAt: time.Now().Add(90 * time.Second)}},
		})
		require.NoError(t, err)
		_, err = guard.Assets.SetStatus(t.Context(), asset.SetStatusRequest{
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://b.example"}, Status: asset.StatusBlocked,
			ExpiresAt: time.Now().Add(90 * time.Second),
		})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- guard.Run(ctx) }()
		requireStatuses := func(a, b asset.Status, reason string) {
			synctest.Wait()
			for content, want := range map[string]asset.Status{"https://a.example": a, "https://b.example": b} {
				found, err := guard.Asset(ctx, content)
				require.NoError(t, err)
				require.Equal(t, want, found.Status, "%s, %s", content, reason)
			}
		}
		requireStatuses(asset.StatusAllowed, asset.StatusBlocked, "at first")
		require.Equal(t, []error{errDisk}, reported, "it goes on after an error")
		time.Sleep(time.Minute)
		requireStatuses(asset.StatusAllowed, asset.StatusBlocked, "after a minute")
		time.Sleep(time.Minute)
		requireStatuses(asset.StatusUnknown, asset.StatusUnknown, "after two minutes")
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
		require.Len(t, reported, 1)
	})
}

// unpublished is a store that fails to publish changes at the first three calls.
type unpublished struct {
	storage.Store
	calls atomic.Int64
}

func (s *unpublished) PublishChanges(context.Context, int) (bool, error) {
	if s.calls.Add(1) <= 3 {
		return false, errDisk
	}
	return false, nil
}

func TestGuard_Run_PublishesChanges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &unpublished{Store: memory.New()}
		var reported []error
		guard := apguard.New(store, apguard.Options{OnError: func(err error) { reported = append(reported, err) }})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- guard.Run(ctx) }()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.EqualValues(t, 3, store.calls.Load(), "once a second after an error")
		require.Equal(t, []error{errDisk}, reported, "an error that repeats is reported once")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.EqualValues(t, 3+1+20, store.calls.Load(), "20 times a second")
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
		require.Len(t, reported, 1)
	})
}

// The record of a key is removed as soon as no clock can need it.
func TestGuard_Run_Records(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &countingRecords{Store: accounttest.Organizations(t, memory.New(), 1)}
		var ahead atomic.Int64
		clock := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		guard := apguard.New(store, apguard.Options{Interval: time.Hour, Clock: clock})
		for _, key := range []string{"a", "b"} {
			_, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
				OrganizationID: 1, Items: []allowlist.Item{{Content: "https://a.example"}}, Idempotency: idempotency.Key{Text: key},
			})
			require.NoError(t, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _ = guard.Run(ctx) }()
		synctest.Wait()
		ahead.Store(int64(2*idempotency.Lifetime - time.Hour))
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Zero(t, store.removed.Load())
		time.Sleep(time.Hour)
		synctest.Wait()
		require.EqualValues(t, 2, store.removed.Load())
	})
}

// countingRecords counts the records of idempotency keys that are removed.
type countingRecords struct {
	storage.Store
	removed atomic.Int64
}

func (s *countingRecords) PruneIdempotency(ctx context.Context, before time.Time, limit int) (int, error) {
	n, err := s.Store.PruneIdempotency(ctx, before, limit)
	s.removed.Add(int64(n))
	return n, err
}

func TestGuard_Run_unimplemented(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var reported []error
		guard := apguard.New(storage.Unimplemented{}, apguard.Options{OnError: func(err error) { reported = append(reported, err) }})
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
		defer cancel()
		require.ErrorIs(t, guard.Run(ctx), context.DeadlineExceeded)
		require.Empty(t, reported)
	})
}
