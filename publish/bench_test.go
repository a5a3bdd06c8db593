package publish_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/feed/hotlist"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/publish"
	"github.com/apguard/apguard/publish/manifest"
	"github.com/apguard/apguard/storage/memory"
)

// BenchmarkPublisher publishes 1,000,000 blocked hosts of a store in memory to a directory: everything, 1,000 changes,
// and no change, with hashes alone and with exports.
func BenchmarkPublisher(b *testing.B) {
	n := 1_000_000
	if testing.Short() {
		n = 10_000
	}
	guard := apguard.New(memory.New(), apguard.Options{})
	f := &fixture{guard: guard}
	f.setMany(b, asset.StatusBlocked, "site", n)
	origin := hashes.New(hashes.Options{})
	wallet := hotlist.New(hotlist.Options{})
	replica := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{origin, wallet}})
	changes := 0
	for _, c := range []struct {
		name    string
		exports []lists.Format
		wallet  bool
	}{
		{"hashes", nil, false},
		{"mirrors", []lists.Format{lists.JSONLines}, false},
		{"everything", lists.Writable(), true},
	} {
		opts := publish.Options{
			Keys: []publish.Key{newKey(b)}, Hashes: origin, Feed: guard.Feed, Assets: guard.Assets, Exports: c.exports, Sync: replica.Refresh,
		}
		if c.wallet {
			opts.Wallet = wallet
		}
		require.NoError(b, opts.Sync(b.Context())) // filled, as in a server that runs
		folder := b.TempDir()
		p, err := publish.New(publish.Dir(folder), opts)
		require.NoError(b, err)
		b.Run(c.name+"/whole", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				require.NoError(b, os.RemoveAll(folder))
				require.NoError(b, os.Mkdir(folder, 0o700))
				b.StartTimer()
				made, err := p.Publish(b.Context())
				require.NoError(b, err)
				report(b, made)
			}
		})
		b.Run(c.name+"/1000 changes", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				changes++
				f.setMany(b, asset.Statuses()[changes%2], fmt.Sprintf("new-%d", changes/2), 1000)
				b.StartTimer()
				made, err := p.Publish(b.Context())
				require.NoError(b, err)
				report(b, made)
			}
		})
		b.Run(c.name+"/no change", func(b *testing.B) {
			for b.Loop() {
				made, err := p.Publish(b.Context())
				require.NoError(b, err)
				report(b, made)
			}
		})
	}
}

// report reports the bytes that were written.
func report(b *testing.B, made publish.Publication) {
	b.Helper()
	b.ReportMetric(float64(made.Bytes), "B/publication")
	sizes := make(map[string]int64)
	for _, file := range made.Files {
		unit := string(file.Kind)
		switch {
		case file.Kind == manifest.KindExport || file.Kind == manifest.KindMetaMask:
			unit = file.Format
		case file.IsStep():
			unit += "-steps"
		}
		sizes[unit] += file.Size
	}
	for unit, size := range sizes {
		b.ReportMetric(float64(size), "B-"+unit)
	}
}
