package benchtest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

// FirstRow returns the time of the first row of a large database.
func FirstRow() time.Time { return time.UnixMilli(1_600_000_000_000) }

// Part returns a part of the time of a large database, which has a row for each second. The ends
// are in thousandths of all its time. Two zeros return the zero period.
func Part(size int, ends [2]int) asset.Period {
	if ends == [2]int{} {
		return asset.Period{}
	}
	end := func(thousandth int) time.Time {
		return FirstRow().Add(time.Duration(size) * time.Second / 1000 * time.Duration(thousandth))
	}
	return asset.Period{Since: end(ends[0]), Before: end(ends[1])}
}

// ChangesFilter reads the newest 100 changes that match a filter, of 5,000,000 changes and of 1,000,000.
// Each filter matches at least one change in a hundred. "x/small" compares the time with that
// of the smaller changelog. "x/deep" compares it with that of a page from the middle of the large
// changelog on.
//
// filled returns a store with that many changes, one for each second from [FirstRow], five for
// each asset. One in a hundred has the type PAGE, and one in a hundred is back to UNKNOWN; these are
// spread evenly. The oldest hundredth has the type HEX and the status BLOCKED.
func ChangesFilter(b *testing.B, filled func(size int) asset.Store) {
	b.Helper()
	small, large := Sized(1_000_000), Sized(5_000_000)
	stores := map[int]asset.Store{small: filled(small), large: filled(large)}
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
				filter.Period = Part(size, test.period)
				return func(int) {
					found, err := stores[size].Changes(b.Context(), asset.ListChangesRequest{Filter: filter, Cursor: cursor, Limit: 100})
					require.NoError(b, err)
					require.True(b, len(found.Items) > 0 || cursor != asset.ChangeCursor{})
				}
			}
			var start asset.ChangeCursor
			deep := asset.ChangeCursor{At: FirstRow().Add(time.Duration(large/2) * time.Second), ID: int64(large/2) + 1}
			for b.Loop() {
				times := Medians(Rounds, read(small, start), read(large, start), read(large, deep))
				Figures(b, map[string]float64{"ms/page": times[1], "x/small": times[1] / times[0], "x/deep": times[1] / times[2]})
			}
		})
	}
}
