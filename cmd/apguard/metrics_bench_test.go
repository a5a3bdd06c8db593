package main

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/metrics"
	"github.com/apguard/apguard/observe"
)

// BenchmarkCounts compares checks and additions that are counted with those that are not, without the
// network, on a SQLite file with 100,000 assets. They take turns one by one, so that what else the machine
// does meets both alike. The third figure is what two equal ways differ by.
func BenchmarkCounts(b *testing.B) {
	size := benchtest.Sized(100_000)
	store, err := databaseOf(b.TempDir() + "/test.db").open(b.Context())
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, store.Close()) })
	benchtest.Block(b, store, size)
	accounttest.Organizations(b, store, 1)
	plain := apguard.New(store, apguard.Options{})
	again := apguard.New(store, apguard.Options{})
	counted := apguard.New(store, apguard.Options{Observers: []observe.Observer{metrics.NewCounts(nil)}})

	links := make([]string, size)
	for i := range links {
		links[i] = "https://" + benchtest.Blocked(i*7919%size, size).Canonical + "/x"
	}
	batches := slices.Collect(slices.Chunk(links, check.MaxItems))
	next := 0 // the number of the next check, or of the next asset to add
	add := func(guard *apguard.Guard, n int) {
		items := make([]allowlist.Item, n)
		for i := range items {
			items[i].Content = fmt.Sprintf("https://added-%d.example", next)
			next++
		}
		_, err := guard.Allowlist.Add(b.Context(), allowlist.AddRequest{OrganizationID: 1, Items: items})
		require.NoError(b, err)
	}
	for _, c := range []struct {
		name   string
		rounds int
		do     func(guard *apguard.Guard)
	}{
		{"a check", 20_000, func(guard *apguard.Guard) {
			_, err := guard.Checks.Check(b.Context(), links[next%len(links)])
			require.NoError(b, err)
			next++
		}},
		{"a batch of 1,000 checks", 300, func(guard *apguard.Guard) {
			_, err := guard.Checks.CheckBatch(b.Context(), batches[next%len(batches)])
			require.NoError(b, err)
			next++
		}},
		{"an addition of an asset", 5_000, func(guard *apguard.Guard) { add(guard, 1) }},
		{"an addition of 1,000 assets", 100, func(guard *apguard.Guard) { add(guard, allowlist.MaxItems) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			took := benchtest.Medians(benchtest.Sized(c.rounds),
				func(int) { c.do(plain) },
				func(int) { c.do(counted) },
				func(int) { c.do(again) },
			)
			benchtest.Figures(b, map[string]float64{"ms": took[0], "x-counted": took[1] / took[0], "x-equal": took[2] / took[0]})
		})
	}
}
