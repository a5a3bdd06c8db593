//go:build cgo

package apguard_test

import (
	"iter"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/feed/hotlist"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/publish"
)

// BenchmarkGrowth shows how the cost of each task grows with the store. APGUARD_TEST_ASSETS is the number of assets, and
// APGUARD_TEST_CHANGES is the number of changes of each asset: 1, or at least 3. The first change is that of an import. The
// others are written to the tables, because no service writes that fast.
func BenchmarkGrowth(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { grow(b, newGrowthSQLite(b)) })
	b.Run("postgres", func(b *testing.B) { grow(b, newGrowthPostgres(b)) })
}

func grow(b *testing.B, db growthDatabase) {
	b.Helper()
	g := &growth{
		assets:  variable(b, "APGUARD_TEST_ASSETS", benchtest.Sized(100_000)),
		changes: variable(b, "APGUARD_TEST_CHANGES", 10),
	}
	g.used = g.assets
	g.start = time.Now().Add(-time.Duration(g.changes) * month)
	g.fill(b, db)
	store := db.open(b)
	b.Cleanup(func() { require.NoError(b, store.Close()) })
	g.Guard = apguard.New(store, apguard.Options{})
	g.add(b)
	g.check(b)
	g.pages(b)
	g.export(b)
	g.sync(b)
	g.follow(b)
}

// variable returns the number of an environment variable.
func variable(b *testing.B, name string, otherwise int) int {
	b.Helper()
	text, ok := os.LookupEnv(name)
	if !ok {
		return otherwise
	}
	value, err := strconv.Atoi(text)
	require.NoError(b, err, name)
	require.Positive(b, value, name)
	return value
}

// growth is a store that grows. Its contents are made from numbers, so that they are not in memory.
type growth struct {
	*apguard.Guard
	assets, changes int
	// used is the number of contents that are or were in the store.
	used int
	// start is the beginning of the first month. Each asset changes once a month.
	start time.Time
}

// month returns the beginning of a month.
func (g *growth) month(n int) time.Time { return g.start.Add(time.Duration(n) * month) }

// next returns the numbers of new contents.
func (g *growth) next(n int) (first int) {
	first, g.used = g.used, g.used+n
	return first
}

// reportStep reports the figures of a step as soon as it is done.
func reportStep(b *testing.B, step string, figures map[string]float64) {
	b.Helper()
	b.Run(step, func(b *testing.B) { benchtest.Figures(b, figures) })
}

// seconds returns how long a function takes.
func seconds(do func()) float64 { return benchtest.Medians(1, func(int) { do() })[0] / 1000 }

// add adds batches of new assets to an allowlist.
func (g *growth) add(b *testing.B) {
	b.Helper()
	took := benchtest.Medians(benchtest.Rounds, func(int) {
		req := allowlist.AddRequest{OrganizationID: 1}
		first := g.next(allowlist.MaxItems)
		for i := range allowlist.MaxItems {
			req.Items = append(req.Items, allowlist.Item{Content: growthContent(first + i)})
		}
		_, err := g.Allowlist.Add(b.Context(), req)
		require.NoError(b, err)
	})
	reportStep(b, "add", map[string]float64{"ms/1000": took[0]})
}

// check checks contents of which every second one is in the store, in random order.
func (g *growth) check(b *testing.B) {
	b.Helper()
	const checks = 1000
	random := rand.New(rand.NewPCG(1, 2))
	contents := make([]string, checks*benchtest.Rounds)
	for i := range contents {
		contents[i] = growthContent(random.IntN(g.assets) + i%2*100*g.assets)
	}
	took := benchtest.Medians(benchtest.Rounds, func(round int) {
		for _, content := range contents[round*checks : (round+1)*checks] {
			_, err := g.Checks.Check(b.Context(), content)
			require.NoError(b, err)
		}
	})
	reportStep(b, "check", map[string]float64{"µs/check": took[0] * 1000 / checks})
}

// pages reads the assets from the first one and from the middle on, and the changelog of a month in the middle.
func (g *growth) pages(b *testing.B) {
	b.Helper()
	assets := func(after int) func(int) {
		return func(round int) {
			page, err := g.Assets.List(b.Context(), asset.ListRequest{Cursor: int64(after + round), Limit: 100})
			require.NoError(b, err)
			require.Len(b, page.Assets, 100)
		}
	}
	middle := (g.changes - 1) / 2
	filter := asset.ChangeFilter{Period: asset.Period{Since: g.month(middle), Before: g.month(middle + 1)}}
	took := benchtest.Medians(benchtest.Rounds, assets(0), assets(g.assets/2), func(int) {
		page, err := g.Assets.ListChanges(b.Context(), asset.ListChangesRequest{Filter: filter, Limit: 100})
		require.NoError(b, err)
		require.Len(b, page.Changes, 100)
	})
	reportStep(b, "pages", map[string]float64{"ms/first": took[0], "ms/deep": took[1], "ms/month": took[2]})
}

// byteCount counts the bytes that are written.
type byteCount int64

func (c *byteCount) Write(p []byte) (int, error) {
	*c += byteCount(len(p))
	return len(p), nil
}

// export writes all BLOCKED assets.
func (g *growth) export(b *testing.B) {
	b.Helper()
	var size byteCount
	took := seconds(func() {
		source := func(filter asset.Filter) iter.Seq2[asset.Listed, error] { return g.Assets.All(b.Context(), filter, 0) }
		summary, err := lists.Write(&size, lists.JSONLines, source, lists.WriteOptions{Statuses: []asset.Status{asset.StatusBlocked}})
		require.NoError(b, err)
		require.EqualValues(b, g.assets, summary.Written)
	})
	reportStep(b, "export", map[string]float64{"s": took, "MB": float64(size) / 1e6})
}

// sync syncs a list of new contents: all of them, 1,000 that change, and no change.
func (g *growth) sync(b *testing.B) {
	b.Helper()
	entries := min(1_000_000, g.assets/10)
	changed := min(1000, entries/10)
	_, err := g.Lists.Add(b.Context(), lists.List{Name: "growth", Format: lists.Lines})
	require.NoError(b, err)
	first := g.next(entries + changed)
	run := func(first, added, withdrawn int) float64 {
		file := listFile(b, first, entries)
		return seconds(func() {
			result, err := g.Lists.Sync(b.Context(), lists.SyncRequest{Name: "growth", File: file, Confirm: true})
			require.NoError(b, err)
			require.Equal(b, lists.SyncResult{Added: added, Withdrawn: withdrawn, Kept: entries - added}, result)
		})
	}
	reportStep(b, "sync/new", map[string]float64{"s": run(first, entries, 0)})
	reportStep(b, "sync/changed", map[string]float64{"s": run(first+changed, changed, changed)})
	reportStep(b, "sync/unchanged", map[string]float64{"s": run(first+changed, 0, 0)})
}

// follow fills the views of the feed one after the other, and publishes the hash lists.
func (g *growth) follow(b *testing.B) {
	b.Helper()
	require.NoError(b, g.Feed.Publish(b.Context()))
	g.view(b, "mirror", mirror.New(mirror.Options{}))
	origin := hashes.New(hashes.Options{})
	g.publish(b, origin, g.view(b, "hashes", origin))
	g.view(b, "hotlist", hotlist.New(hotlist.Options{}))
}

// view fills a view and returns its Replica.
func (g *growth) view(b *testing.B, step string, view feed.View) *feed.Replica {
	b.Helper()
	replica := feed.NewReplica(feed.FromServices(g.Assets, g.Feed), feed.Options{Views: []feed.View{view}})
	before := benchtest.Heap()
	took := seconds(func() { require.NoError(b, replica.Refresh(b.Context())) })
	reportStep(b, step, map[string]float64{"s": took, "MiB": float64(benchtest.Heap()-before) / (1 << 20)})
	runtime.KeepAlive(replica)
	return replica
}

// publish publishes hash lists to a new folder, and then 1,000 changes.
func (g *growth) publish(b *testing.B, origin *hashes.Origin, replica *feed.Replica) {
	b.Helper()
	text, err := publish.GenerateKey("example.com")
	require.NoError(b, err)
	key, err := publish.ParseKey(text)
	require.NoError(b, err)
	p, err := publish.New(publish.Dir(b.TempDir()), publish.Options{Keys: []publish.Key{key}, Hashes: origin, Sync: replica.Refresh})
	require.NoError(b, err)
	run := func() (s, kB float64) {
		s = seconds(func() {
			made, err := p.Publish(b.Context())
			require.NoError(b, err)
			kB = float64(made.Bytes) / 1000
		})
		return s, kB
	}
	s, kB := run()
	reportStep(b, "publish/whole", map[string]float64{"s": s, "MB": kB / 1000})
	entries := lists.Read(listFile(b, g.next(1000), 1000), lists.Lines, lists.ReadOptions{})
	_, err = lists.Import(b.Context(), g.Assets, entries, lists.ImportOptions{})
	require.NoError(b, err)
	require.NoError(b, g.Feed.Publish(b.Context()))
	s, kB = run()
	reportStep(b, "publish/changed", map[string]float64{"s": s, "kB": kB})
}
