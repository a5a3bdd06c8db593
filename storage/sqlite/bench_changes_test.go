//go:build cgo

package sqlite_test

import (
	"database/sql"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/benchtest"
	"github.com/apguard/apguard/storage/sqlite"
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

// BenchmarkChangesFilter reads the newest 100 changes that match a filter, of 5,000,000 changes
// and of 1,000,000. Each filter matches at least one change in a hundred. "x/small" compares
// the time with that of the smaller changelog. "x/deep" compares it with that of a page from the
// middle of the large changelog on.
func BenchmarkChangesFilter(b *testing.B) {
	small, large := benchtest.Sized(1_000_000), benchtest.Sized(5_000_000)
	stores := map[int]*sqlite.Store{}
	for _, size := range []int{small, large} {
		stores[size] = open(b, filledChangelog(b, size))
	}
	type filter = asset.ChangeFilter
	for _, test := range []struct {
		name   string
		filter filter
		// period has the ends of the period; see part.
		period [2]int
	}{
		{name: "all"},
		{name: "type", filter: filter{Type: asset.TypeURL}},
		{name: "rare type", filter: filter{Type: asset.TypePage}},
		{name: "old type", filter: filter{Type: asset.TypeHex}},
		{name: "from", filter: filter{From: asset.StatusUnknown}},
		{name: "rare from", filter: filter{From: asset.StatusAllowed}},
		{name: "rare to", filter: filter{To: asset.StatusUnknown}},
		{name: "old to", filter: filter{To: asset.StatusBlocked}},
		{name: "rare from and to", filter: filter{From: asset.StatusAllowed, To: asset.StatusUnknown}},
		{name: "old from and to", filter: filter{From: asset.StatusUnknown, To: asset.StatusBlocked}},
		{name: "new period", period: [2]int{990, 1000}},
		{name: "old period", period: [2]int{10, 20}},
		{name: "long period", period: [2]int{0, 500}},
		{name: "old period, to", filter: filter{To: asset.StatusAllowed}, period: [2]int{10, 30}},
		{name: "long period, rare type", filter: filter{Type: asset.TypePage}, period: [2]int{0, 900}},
		{name: "long period, type, to", filter: filter{Type: asset.TypeURL, To: asset.StatusAllowed}, period: [2]int{0, 900}},
		{name: "old type, to", filter: filter{Type: asset.TypeHex, To: asset.StatusBlocked}},
		{name: "old type, from", filter: filter{Type: asset.TypeHex, From: asset.StatusUnknown}},
		{name: "rare type, to", filter: filter{Type: asset.TypePage, To: asset.StatusAllowed}},
		{name: "rare type, from and to", filter: filter{Type: asset.TypePage, From: asset.StatusUnknown, To: asset.StatusAllowed}},
	} {
		b.Run(test.name, func(b *testing.B) {
			read := func(size int, cursor asset.ChangeCursor) func(int) {
				filter := test.filter
				filter.Period = part(size, test.period)
				return func(int) {
					found, err := stores[size].Changes(b.Context(), asset.ListChangesRequest{Filter: filter, Cursor: cursor, Limit: 100})
					require.NoError(b, err)
					require.True(b, len(found.Items) > 0 || cursor != asset.ChangeCursor{})
				}
			}
			var start asset.ChangeCursor
			deep := asset.ChangeCursor{At: firstRow().Add(time.Duration(large/2) * time.Second), ID: int64(large/2) + 1}
			for b.Loop() {
				times := benchtest.Medians(benchtest.Rounds, read(small, start), read(large, start), read(large, deep))
				benchtest.Figures(b, map[string]float64{"ms/page": times[1], "x/small": times[1] / times[0], "x/deep": times[1] / times[2]})
			}
		})
	}
}

// part returns a part of the time of a large database, which has a row for each second. The ends
// are in thousandths of all its time. Two zeros return the zero period.
func part(size int, ends [2]int) asset.Period {
	if ends == [2]int{} {
		return asset.Period{}
	}
	end := func(thousandth int) time.Time {
		return firstRow().Add(time.Duration(size) * time.Second / 1000 * time.Duration(thousandth))
	}
	return asset.Period{Since: end(ends[0]), Before: end(ends[1])}
}
