package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/internal/benchtest"
	"github.com/apguard/apguard/observe"
)

// BenchmarkWork compares checks and additions that are counted with those that are not, without the
// network, on a SQLite file with 100,000 assets. The third figure is what two equal ways differ by.
func BenchmarkWork(b *testing.B) {
	const rounds = 3 * benchtest.Rounds
	size := benchtest.Sized(100_000)
	store, err := databaseOf(b.TempDir() + "/test.db").open(b.Context())
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, store.Close()) })
	benchtest.Block(b, store, size)
	plain := apguard.New(store, apguard.Options{})
	again := apguard.New(store, apguard.Options{})
	counted := apguard.New(store, apguard.Options{Observers: []observe.Observer{newWork()}})

	contents := func(round int) []string {
		contents := make([]string, check.MaxContents)
		for i := range contents {
			contents[i] = "https://" + benchtest.Blocked((round*len(contents)+i)*7919%size, size).Canonical + "/x"
		}
		return contents
	}
	next := 0 // the number of the next asset to add
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
		name string
		do   func(guard *apguard.Guard, round int)
	}{
		{"1,000 checks", func(guard *apguard.Guard, round int) {
			for _, content := range contents(round) {
				_, err := guard.Checks.Check(b.Context(), content)
				require.NoError(b, err)
			}
		}},
		{"a batch of 1,000 checks", func(guard *apguard.Guard, round int) {
			_, err := guard.Checks.CheckBatch(b.Context(), contents(round))
			require.NoError(b, err)
		}},
		{"100 additions", func(guard *apguard.Guard, _ int) {
			for range 100 {
				add(guard, 1)
			}
		}},
		{"an addition of 1,000 assets", func(guard *apguard.Guard, _ int) { add(guard, allowlist.MaxItems) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			took := benchtest.Medians(rounds,
				func(round int) { c.do(plain, round) },
				func(round int) { c.do(counted, round) },
				func(round int) { c.do(again, round) },
			)
			benchtest.Figures(b, map[string]float64{"ms": took[0], "x-counted": took[1] / took[0], "x-equal": took[2] / took[0]})
		})
	}
}
