//go:build cgo

package sqlite_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage/sqlite"
)

// BenchmarkMirror fills a mirror from 1,000,000 blocked pages. Then it checks links of 1,000 other
// hosts ("unknown") and of 1,000 blocked ones ("blocked"), each of them with a path of two segments
// and a query. It compares a check with net/url.Parse of the same link and with the classifier,
// which also computes the covers. At last, it compares it with one look-up in a Go map of the same
// assets, which does not exist before, as its texts take the time of the garbage collector.
func BenchmarkMirror(b *testing.B) {
	size := benchtest.Sized(1_000_000)
	store := open(b, filled(b, size, numbers+`INSERT INTO apguard_assets (id, type, identity_hash, canonical, status)
		SELECT i + 1, 1, randomblob(20), 'host-' || i || '.example.com', 2 FROM n`))
	m, stop := filledMirror(b, store, size)
	defer stop()
	blocked := func(i int) string { return fmt.Sprintf("host-%d.example.com", i%size) }
	for name, host := range map[string]func(i int) string{
		"unknown": func(i int) string { return fmt.Sprintf("login.shop-%d.com", i) },
		"blocked": func(i int) string { return blocked(997 * i) },
	} {
		b.Run(name, func(b *testing.B) {
			links := make([]string, 1000)
			for i := range links {
				links[i] = "https://" + host(i) + "/account/verify?id=7"
			}
			check, parse, classifier := checking(b, m, links), parsing(b, links), classifying(b, links)
			took := benchtest.Medians(50*benchtest.Rounds, check, parse, classifier)
			allocs := func(way func(int)) float64 {
				return testing.AllocsPerRun(10, func() { way(0) }) / float64(len(links))
			}
			benchtest.Figures(b, map[string]float64{
				"µs/check":                took[0],
				"x-net/url":               took[0] / took[1],
				"x-classifier":            took[0] / took[2],
				"allocs/check":            allocs(check),
				"allocs/classifier-check": allocs(classifier),
			})
		})
	}
	b.Run("map", func(b *testing.B) {
		plain := make(map[asset.Identity]asset.Status)
		for i := range size {
			plain[asset.Identity{Type: asset.TypePage, Canonical: blocked(i)}] = asset.StatusBlocked
		}
		links, identities := make([]string, 1000), make([]asset.Identity, 1000)
		for i := range links {
			links[i] = "https://" + blocked(997*i) + "/account/verify?id=7"
			identities[i] = asset.Identity{Type: asset.TypePage, Canonical: blocked(997 * i)}
		}
		took := benchtest.Medians(50*benchtest.Rounds, checking(b, m, links), func(int) {
			for _, identity := range identities {
				if plain[identity] != asset.StatusBlocked {
					b.Fatal(identity)
				}
			}
		})
		benchtest.Figures(b, map[string]float64{"x-map": took[0] / took[1]})
	})
}

// checking returns a function that checks the links.
func checking(b *testing.B, m *mirror.Mirror, links []string) func(int) {
	b.Helper()
	return func(int) {
		for _, link := range links {
			if verdict, err := m.Check(b.Context(), link); err != nil || verdict.Content != link {
				b.Fatal(verdict, err)
			}
		}
	}
}

// parsing returns a function that parses the links with net/url.
func parsing(b *testing.B, links []string) func(int) {
	b.Helper()
	return func(int) {
		for _, link := range links {
			if _, err := url.Parse(link); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// classifying returns a function that computes the covers of the links.
func classifying(b *testing.B, links []string) func(int) {
	b.Helper()
	return func(int) {
		for _, link := range links {
			result, err := classify.Classify(link)
			if err != nil || len(classify.Covering(result.Identity)) == 0 {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkSnapshot fills a mirror and hash lists from 1,000,000 blocked pages, and then again from a snapshot.
func BenchmarkSnapshot(b *testing.B) {
	size := benchtest.Sized(1_000_000)
	store := open(b, filled(b, size, numbers+`INSERT INTO apguard_assets (id, type, identity_hash, canonical, status)
		SELECT i + 1, 1, randomblob(20), 'host-' || i || '.example.com', 2 FROM n`))
	assets := asset.NewService(store, asset.Options{})
	_, err := assets.SetStatus(b.Context(), asset.SetStatusRequest{
		Identity: asset.Identity{Type: asset.TypePage, Canonical: "changed.example.com"}, Status: asset.StatusBlocked,
	})
	require.NoError(b, err) // without a change, the feed has no cursor
	path := filepath.Join(b.TempDir(), "snapshot")
	run := func() (filled, ended time.Duration) {
		began := time.Now()
		m, o := mirror.New(mirror.Options{}), hashes.New(hashes.Options{})
		r := feed.NewReplica(feed.FromServices(assets, asset.NewFeedService(store)), feed.Options{
			Views: []feed.View{m, o}, Snapshot: path, OnEvent: func(event feed.Event) {
				if event.Err != nil {
					b.Error(event.Err)
				}
			},
		})
		ctx, cancel := context.WithCancel(b.Context())
		done := make(chan error, 1)
		go func() { done <- r.Run(ctx) }()
		require.NoError(b, r.Sync(ctx))
		filled = time.Since(began)
		require.Equal(b, size+1, m.State().Assets)
		began = time.Now()
		cancel()
		require.ErrorIs(b, <-done, context.Canceled)
		return filled, time.Since(began)
	}
	listed, saved := run()
	info, err := os.Stat(path)
	require.NoError(b, err)
	restored, _ := run()
	benchtest.Figures(b, map[string]float64{
		"s/listed": listed.Seconds(), "s/saved": saved.Seconds(), "s/restored": restored.Seconds(), "MB": float64(info.Size()) / 1e6,
	})
}

// filledMirror reports the time and the memory that a mirror takes.
func filledMirror(b *testing.B, store *sqlite.Store, size int) (m *mirror.Mirror, stop func()) {
	b.Helper()
	before, began := benchtest.Heap(), time.Now()
	source := feed.FromServices(asset.NewService(store, asset.Options{}), asset.NewFeedService(store))
	m = mirror.New(mirror.Options{})
	r := feed.NewReplica(source, feed.Options{Views: []feed.View{m}, Interval: time.Hour})
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	require.NoError(b, r.Sync(ctx))
	took := time.Since(began)
	b.Run("fill", func(b *testing.B) {
		benchtest.Figures(b, map[string]float64{
			"s/fill":   took.Seconds(),
			"MiB":      float64(benchtest.Heap()-before) / (1 << 20),
			"µs/asset": float64(took.Microseconds()) / float64(size),
		})
	})
	require.Equal(b, size, m.State().Assets)
	return m, func() {
		cancel()
		require.ErrorIs(b, <-ended, context.Canceled)
	}
}
