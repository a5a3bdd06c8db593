package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage"
)

// TestCrash_Expire kills servers at random moments while decisions end. Nothing is half done then: each asset has the
// status that the decisions on it give it, and the next server goes on.
func TestCrash_Expire(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	hosts := testsize.Of(0, 2000, 4000) // their decisions end in several steps
	kills := testsize.Of(0, 5, 20)
	for name, newDB := range crashingDatabases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := newDB(t)
			kill := func(after time.Duration) {
				s, process := startProcess(t, "-db", db)
				time.AfterFunc(after, func() { _ = process.Kill() })
				require.Error(t, s.stop())
			}
			kill(0) // it creates the tables
			require.NoError(t, subprocess(t, "lists", "add", "-db", db, "-name", "feed", "-format", "jsonl").Run())
			partial := 0
			for range kills {
				left := heldOnExpiry(t, db)
				if left > 0 && left < hosts {
					partial++
				}
				if left == 0 {
					holdUntilPast(t, db, hosts)
				}
				kill(rand.N(maxSyncDelay))
			}
			for heldOnExpiry(t, db) > 0 {
				kill(maxSyncDelay)
			}
			t.Logf("%d kills left a part of the decisions", partial)
		})
	}
}

// holdUntilPast makes the operators and the list each hold BLOCKED on half of the hosts, with an end that is past by now.
func holdUntilPast(t *testing.T, db string, hosts int) {
	t.Helper()
	now := time.Now()
	end := now.Add(-time.Minute)
	var file strings.Builder
	req := asset.SetStatusesRequest{}
	withStore(t, db, func(store storage.Store) {
		guard := apguard.New(store, apguard.Options{Clock: func() time.Time { return now.Add(-time.Hour) }})
		for i := range hosts / 2 {
			fmt.Fprintf(&file, "{\"content\":\"l%d.example.com\",\"expiresAt\":%q}\n", i, end.Format(time.RFC3339))
			identity := asset.Identity{Type: asset.TypePage, Canonical: fmt.Sprintf("o%d.example.com", i)}
			req.Items = append(req.Items, asset.StatusItem{Identity: identity, Status: asset.StatusBlocked, ExpiresAt: end})
			if len(req.Items) == asset.MaxItems {
				_, err := guard.Assets.SetStatuses(t.Context(), req)
				require.NoError(t, err)
				req.Items = nil
			}
		}
		result, err := guard.Lists.Sync(t.Context(), lists.SyncRequest{Name: "feed", File: strings.NewReader(file.String()), Confirm: true})
		require.NoError(t, err)
		require.Equal(t, hosts/2, result.Added)
	})
}

// heldOnExpiry returns the number of assets on which something is held, and requires that each asset has the status that this
// gives it, by its last change.
func heldOnExpiry(t *testing.T, db string) int {
	t.Helper()
	held := 0
	withStore(t, db, func(store storage.Store) {
		guard := apguard.New(store, apguard.Options{})
		for listed, err := range guard.Assets.All(t.Context(), asset.Filter{}, 0) {
			require.NoError(t, err)
			// A database server may still execute the last step, but it shows all of it or nothing.
			on, err := store.Held(t.Context(), listed.Identity, time.Now())
			require.NoError(t, err)
			_, _, changes := on.Settle(time.Now(), asset.Origin{})
			require.False(t, changes, "%s is %s", listed.Canonical, on.Status)
			if on.Status == asset.StatusBlocked {
				held++
			}
		}
	})
	return held
}
