package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage"
)

// crashHosts is the number of hosts of a list, which a sync decides or withdraws in several steps.
const crashHosts = 10_000

// maxSyncDelay is the maximum time between the start of a sync and its kill.
const maxSyncDelay = 400 * time.Millisecond

// TestCrash_Sync kills syncs of a list at random moments. Nothing is half done then: each asset has the status that
// the list holds, and the next sync completes the list.
func TestCrash_Sync(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	for name, newDB := range crashingDatabases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := newDB(t)
			files := [2]string{crashList(t, 0), crashList(t, crashHosts/2)}
			sync := func(file string) []string {
				return []string{"lists", "sync", "-db", db, "-name", "feed", "-confirm", file}
			}
			s, process := startProcess(t, "-db", db) // it creates the tables
			require.NoError(t, process.Kill())
			require.Error(t, s.stop())
			require.NoError(t, subprocess(t, "lists", "add", "-db", db, "-name", "feed", "-format", "domains").Run())
			partial := 0
			for i := range testsize.Of(1, 5, 20) {
				cmd := subprocess(t, sync(files[i%2])...)
				require.NoError(t, cmd.Start())
				time.AfterFunc(rand.N(maxSyncDelay), func() { _ = cmd.Process.Kill() })
				_ = cmd.Wait() // it was killed, or was faster
				if n := heldOnCrash(t, db); n != 0 && n != crashHosts {
					partial++
				}
			}
			require.NoError(t, subprocess(t, sync(files[0])...).Run())
			require.Equal(t, crashHosts, heldOnCrash(t, db))
			withStore(t, db, func(store storage.Store) {
				list, err := apguard.New(store, apguard.Options{}).Lists.Get(t.Context(), "feed")
				require.NoError(t, err)
				require.Equal(t, int64(crashHosts), list.Entries)
			})
			t.Logf("%d kills left a part of a list", partial)
		})
	}
}

// crashList writes a list of the hosts from first on.
func crashList(t *testing.T, first int) string {
	t.Helper()
	var b strings.Builder
	for i := first; i < first+crashHosts; i++ {
		fmt.Fprintf(&b, "h%d.example.com\n", i)
	}
	path := filepath.Join(t.TempDir(), "list.txt")
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	return path
}

// heldOnCrash returns the number of entries of the list, and requires that these and no other assets are BLOCKED, each by
// its last change.
func heldOnCrash(t *testing.T, db string) int {
	t.Helper()
	held, blocked := make(map[int64]bool), make(map[int64]bool)
	changed := make(map[int64]int)
	withStore(t, db, func(store storage.Store) {
		guard := apguard.New(store, apguard.Options{})
		// A database server may still execute the last step. This waits for it, and lets no later one begin.
		list, err := store.PutList(t.Context(), "feed", func(old lists.List, _ int) (lists.List, audit.Entry, error) {
			old.Begun++
			return old, audit.Entry{}, nil
		})
		require.NoError(t, err)
		for after := int64(0); ; {
			page, err := store.ListEntries(t.Context(), list.ID, after, asset.MaxItems)
			require.NoError(t, err)
			for _, entry := range page.Items {
				held[entry.ID] = true
			}
			if !page.More {
				break
			}
			after = page.Last().ID
		}
		for listed, err := range guard.Assets.All(t.Context(), asset.Filter{Status: asset.StatusBlocked}, 0) {
			require.NoError(t, err)
			blocked[listed.ID] = true
		}
		for change, err := range guard.Assets.Changes(t.Context(), asset.ChangeFilter{}) {
			require.NoError(t, err)
			switch change.To {
			case asset.StatusBlocked:
				changed[change.AssetID]++
			default:
				changed[change.AssetID]--
			}
		}
	})
	require.Equal(t, held, blocked)
	for id, blocks := range changed {
		require.Equal(t, held[id], blocks == 1, "the changes of an asset end with its status")
	}
	return len(held)
}
