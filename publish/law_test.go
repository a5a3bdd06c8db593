package publish_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/publish/manifest"
	"github.com/apguard/apguard/storage/memory"
)

// After any changes, restarts, prunings, failures of the folder and losses of files, clients that follow the folder
// answer as the service does, and hold the same assets.
func TestPublisher_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := newFixture(t)
		if rapid.Bool().Draw(t, "exports") {
			f.exporting(lists.JSONLines, lists.Hosts)
		}
		f.options.ExportInterval = time.Duration(rapid.IntRange(1, 10).Draw(t, "interval")) * time.Minute
		f.options.Keep = time.Duration(rapid.IntRange(3, 20).Draw(t, "keep")) * time.Minute
		clients := []*client{newClient(), newClient()}
		t.Repeat(map[string]func(*rapid.T){
			"change": func(t *rapid.T) {
				status := rapid.SampledFrom(asset.Statuses()).Draw(t, "status")
				first, n := rapid.IntRange(0, 40).Draw(t, "first"), rapid.SampledFrom([]int{1, 3, 20}).Draw(t, "n")
				contents := make([]string, n)
				for i := range contents {
					contents[i] = fmt.Sprintf("site-%d.com", first+i)
				}
				for range rapid.SampledFrom([]int{1, 1, 60}).Draw(t, "times") { // often enough for several pages
					f.set(t, status, contents...)
					f.set(t, asset.StatusUnknown, contents[0])
				}
			},
			"prune": func(t *rapid.T) {
				_, err := f.guard.History.Prune(context.Background(), time.Now())
				require.NoError(t, err)
			},
			"restart": func(*rapid.T) { f.restart() },
			"replace": func(*rapid.T) { f.use(memory.New()) },
			"wait": func(t *rapid.T) {
				f.now = f.now.Add(rapid.SampledFrom([]time.Duration{time.Minute, time.Hour}).Draw(t, "time"))
			},
			"publish": func(t *rapid.T) { f.publish(t) },
			"fail": func(t *rapid.T) {
				left := rapid.IntRange(0, 6).Draw(t, "calls")
				f.folder.fails = func(string, string) error {
					if left--; left < 0 {
						return errDisk
					}
					return nil
				}
				_, _ = f.try(t)
				f.folder.fails = func(string, string) error { return nil }
				if len(f.folder.names(manifest.Name)) > 0 {
					requireRight(t, f.folder, verifiers(t, f.options.Keys...))
				}
			},
			"lose": func(t *rapid.T) {
				if names := f.folder.names(""); len(names) > 0 {
					delete(f.folder.files, rapid.SampledFrom(names).Draw(t, "name"))
				}
				f.publish(t)
			},
			"follow": func(t *rapid.T) {
				f.publish(t)
				c := rapid.SampledFrom(clients).Draw(t, "client")
				c.update(t, f)
				requireSame(t, f, c)
			},
		})
	})
}

// requireSame requires that a client has what the service has.
func requireSame(t require.TestingT, f *fixture, c *client) {
	want := make(map[string]asset.Status)
	for one, err := range f.guard.Assets.All(context.Background(), asset.Filter{}, 0) {
		require.NoError(t, err)
		if one.Status != asset.StatusUnknown {
			want[one.Canonical] = one.Status
		}
	}
	if c.assets != nil {
		require.Equal(t, want, c.assets)
	}
	fresh := hashlist.New(time.Hour)
	response, err := f.hashes.Since("")
	require.NoError(t, err)
	require.NoError(t, fresh.Update(hashlist.Response{Data: response.Data, AsOf: time.Now(), Rules: classify.Version}))
	require.Equal(t, fresh.State().Blocked, c.list.State().Blocked)
	require.Equal(t, fresh.State().Allowed, c.list.State().Allowed)
	for i := range 60 {
		content := fmt.Sprintf("site-%d.com", i)
		want, err := fresh.Check(context.Background(), content)
		require.NoError(t, err)
		got, err := c.list.Check(context.Background(), content)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}
