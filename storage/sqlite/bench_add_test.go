//go:build cgo

package sqlite_test

import (
	"database/sql/driver"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/sqlite"
)

// BenchmarkAddToAllowlist adds 1,000 new assets at a time, durably, to databases of several
// sizes. The figures compare its rate with others: "x/bare" with the rate of the bare driver,
// "x/default" with that of the bare driver without settings, and "x/empty" with that of the
// store in a database that was empty at first. "x/new" is the rate of adding the same assets
// again, compared with adding new ones.
func BenchmarkAddToAllowlist(b *testing.B) {
	for _, size := range []int{0, 100_000, 1_000_000} {
		size := benchtest.Sized(size)
		b.Run(fmt.Sprintf("assets=%d", size), func(b *testing.B) {
			path := filledAllowlist(b, size)
			bare, unset := openBare(b, copied(b, path), storeSettings), openBare(b, copied(b, path), noSettings)
			large := accounttest.Organizations(b, open(b, path), 1)
			empty := accounttest.Organizations(b, open(b, filepath.Join(b.TempDir(), "empty.db")), 1)
			const rounds = 3 * benchtest.Rounds
			for batch := 0; b.Loop(); batch += rounds {
				commands, rows := batches(batch, rounds)
				add := func(store *sqlite.Store) func(int) {
					return func(round int) {
						_, err := store.AddToAllowlist(b.Context(), commands[round])
						require.NoError(b, err)
					}
				}
				times := benchtest.Medians(rounds, add(large), add(large), add(empty),
					func(round int) { require.NoError(b, bare.allow(rows[round])) },
					func(round int) { require.NoError(b, unset.allow(rows[round])) })
				benchtest.Figures(b, map[string]float64{
					"ms/batch":  times[0],
					"x/new":     times[0] / times[1],
					"x/empty":   times[2] / times[0],
					"x/bare":    times[3] / times[0],
					"x/default": times[4] / times[0],
				})
			}
		})
	}
}

// batches returns n commands, and the rows of their assets.
func batches(first, n int) ([]allowlist.AddCommand, [][][]driver.Value) {
	commands, rows := make([]allowlist.AddCommand, n), make([][][]driver.Value, n)
	for i := range n {
		commands[i] = benchtest.AddCommand(first+i, allowlist.MaxItems)
		for _, c := range commands[i].Entries {
			rows[i] = append(rows[i], []driver.Value{
				int64(0), sqlstore.IdentityHash(c.Asset.Identity), c.Asset.Canonical, int64(1),
			})
		}
	}
	return commands, rows
}
