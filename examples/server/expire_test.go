package main

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// failsOnce is a store that cannot remove ended entries at first.
type failsOnce struct {
	storage.Store
	failed atomic.Bool
}

func (s *failsOnce) ExpireEntries(ctx context.Context, cmd allowlist.ExpireCommand) (allowlist.ExpireResult, error) {
	if !s.failed.Swap(true) {
		return allowlist.ExpireResult{}, errors.New("disk failure")
	}
	return s.Store.ExpireEntries(ctx, cmd)
}

func TestExpireEntries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := new(lockedBuffer)
		guard := apguard.New(&failsOnce{Store: memory.New()}, apguard.Options{})
		_, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
			OrganizationID: 1,
			Items:          []allowlist.Item{{Content: "https://a.example", ExpiresAt: time.Now().Add(90 * time.Second)}},
		})
		require.NoError(t, err)
		stop := expireEntries(t.Context(), guard, expiryInterval, slog.New(slog.NewTextHandler(log, nil)))
		status := func() string {
			synctest.Wait()
			a, err := guard.Asset(t.Context(), "https://a.example")
			require.NoError(t, err)
			return string(a.Status)
		}
		require.Equal(t, "ALLOWED", status())
		require.Contains(t, log.String(), "disk failure")
		time.Sleep(time.Minute)
		require.Equal(t, "ALLOWED", status(), "after a minute")
		time.Sleep(time.Minute)
		require.Equal(t, "UNKNOWN", status(), "after two minutes")
		require.Contains(t, log.String(), "count=1")
		stop()
	})
}
