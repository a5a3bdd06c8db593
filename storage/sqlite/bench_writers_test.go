//go:build cgo

package sqlite_test

import (
	"database/sql/driver"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/sqlite"
)

// BenchmarkCreateDispute creates disputes of new assets, durably, from 1, 8 and 64 goroutines.
// "x/one-8" and "x/one-64" compare the rates of 8 and 64 goroutines with the rate of one.
// "x/bare" compares the rate of one with that of the bare driver, which commits every dispute.
func BenchmarkCreateDispute(b *testing.B) {
	const creations = 256
	store := open(b, filepath.Join(b.TempDir(), "apguard.db"))
	bare := openBare(b, copied(b, filled(b, 0)), storeSettings)
	next := &atomic.Int64{}
	from := func(goroutines int) func(int) {
		return func(int) {
			var group sync.WaitGroup
			for range goroutines {
				group.Go(func() {
					for range creations / goroutines {
						create(b, store, next.Add(1))
					}
				})
			}
			group.Wait()
		}
	}
	for b.Loop() {
		times := benchtest.Medians(benchtest.Rounds, from(1), from(8), from(64), func(int) {
			for range creations {
				identity := asset.Identity{Type: asset.TypeURL, Canonical: siteOf(next.Add(1))}
				require.NoError(b, bare.disputes([]driver.Value{int64(0), sqlstore.IdentityHash(identity), identity.Canonical, int64(0)}))
			}
		})
		benchtest.Figures(b, map[string]float64{
			"disputes/s": creations / times[0] * 1000,
			"x/one-8":    times[0] / times[1],
			"x/one-64":   times[0] / times[2],
			"x/bare":     times[3] / times[0],
		})
	}
}

// create creates a dispute of a new asset.
func create(b *testing.B, store *sqlite.Store, number int64) {
	b.Helper()
	url := siteOf(number)
	_, err := store.CreateDispute(b.Context(), dispute.CreateCommand{
		Identity: asset.Identity{Type: asset.TypeURL, Canonical: url},
		Content:  url,
		Register: true,
		Email:    "ada@acme.test",
		EmailKey: "ada@acme.test",
		Notes:    []dispute.Note{{Kind: dispute.NoteKindAPI, Text: "A note"}},
		At:       benchtest.FirstRow(),
	})
	if err != nil {
		b.Error(err)
	}
}

func siteOf(number int64) string { return fmt.Sprintf("https://site-%d.example", number) }
