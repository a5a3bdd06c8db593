//go:build cgo

package sqlite_test

import (
	"database/sql"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/benchtest"
)

// bareChangelog reads the whole changelog, with the columns of the store's pages.
const bareChangelog = `SELECT c.id, c.asset_id, c.type, a.canonical, c.from_status, c.to_status, c.changed_at,
		c.cause, c.actor, c.reference
	FROM apguard_changes c CROSS JOIN apguard_assets a WHERE a.id = c.asset_id
	ORDER BY c.changed_at DESC, c.id DESC`

// BenchmarkChanges reads a changelog of 100,000 changes from start to end. "x/bare" compares
// the rate with that of database/sql for one query of the same columns.
func BenchmarkChanges(b *testing.B) {
	path := filledChangelog(b, benchtest.Sized(100_000))
	service := asset.NewService(open(b, path), asset.Options{})
	bare, err := sql.Open("sqlite3", "file:"+path)
	require.NoError(b, err)
	defer bare.Close() //nolint:errcheck // nothing was written
	for b.Loop() {
		times := benchtest.Medians(2*benchtest.Rounds+1,
			func(int) { require.Equal(b, benchtest.Sized(100_000), readChanges(b, service, func(int) {})) },
			func(int) { require.Equal(b, benchtest.Sized(100_000), scanChanges(b, bare)) })
		benchtest.Figures(b, map[string]float64{"ms/100000": times[0], "x/bare": times[1] / times[0]})
	}
}

// readChanges reads all changes and returns their number. It calls seen with the number of
// each.
func readChanges(b *testing.B, service *asset.Service, seen func(n int)) int {
	b.Helper()
	n := 0
	for _, err := range service.Changes(b.Context(), asset.ChangeFilter{}) {
		if err != nil {
			b.Fatal(err)
		}
		n++
		seen(n)
	}
	return n
}

// scanChanges reads all changes with the bare driver.
func scanChanges(b *testing.B, db *sql.DB) int {
	b.Helper()
	rows, err := db.QueryContext(b.Context(), bareChangelog)
	require.NoError(b, err)
	defer rows.Close() //nolint:errcheck // rows.Err says what went wrong
	n := 0
	for rows.Next() {
		var (
			id, assetID, at, actor                    int64
			kind, content, from, to, cause, reference string
		)
		if err := rows.Scan(&id, &assetID, &kind, &content, &from, &to, &at, &cause, &actor, &reference); err != nil {
			b.Fatal(err)
		}
		n++
	}
	require.NoError(b, rows.Err())
	return n
}

// BenchmarkChangesMemory reads a small changelog and one that is ten times as large. "x/memory"
// compares their largest heaps. Each is measured after garbage collections, one in the middle
// of every tenth page.
func BenchmarkChangesMemory(b *testing.B) {
	peak := func(size int) func() float64 {
		service := asset.NewService(open(b, filledChangelog(b, size)), asset.Options{})
		return func() float64 {
			var largest uint64
			inUse() // two collections free everything from before
			readChanges(b, service, func(n int) {
				if n%10_000 == 5_500 || n == size {
					largest = max(largest, inUse())
				}
			})
			return float64(largest) / 1024
		}
	}
	small, large := peak(benchtest.Sized(100_000)), peak(benchtest.Sized(1_000_000))
	for b.Loop() {
		before, after := small(), large()
		benchtest.Figures(b, map[string]float64{"KiB": after, "x/memory": after / before})
	}
}

// inUse returns the number of bytes in use on the heap, after a garbage collection.
func inUse() uint64 {
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	return memory.HeapAlloc
}

// BenchmarkChangesFilter measures [benchtest.ChangesFilter] on 5,000,000 changes and on 1,000,000.
func BenchmarkChangesFilter(b *testing.B) {
	benchtest.ChangesFilter(b, func(size int) asset.Store { return open(b, filledChangelog(b, size)) })
}
