package publish_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/publish"
)

// Files stay for the time of the options after the last manifest that named them, however old they are.
func TestPublisher_Publish_keeps(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.set(t, asset.StatusBlocked, "bad.com")
	old := f.publish(t).Manifest.Files[0].Name
	for range 200 {
		f.now = f.now.Add(time.Hour)
		require.Zero(t, f.publish(t).Removed)
	}
	require.Equal(t, []string{old}, f.folder.names("hashes"))

	f.options.Keys = append(f.options.Keys, newKey(t)) // begin anew with other lists, so that no manifest names the old ones
	delete(f.folder.files, "manifest.json")
	f.set(t, asset.StatusBlocked, "worse.com")
	f.publish(t)
	require.Len(t, f.folder.names("hashes"), 2)
	noticed := f.now
	for f.now.Sub(noticed) < publish.DefaultKeep+time.Hour {
		f.now = f.now.Add(20 * time.Minute)
		f.restart() // nothing is kept in memory
		f.publish(t)
		if f.now.Sub(noticed) < publish.DefaultKeep {
			require.Contains(t, f.folder.names("hashes"), old)
		}
	}
	f.now = f.now.Add(time.Hour)
	f.publish(t)
	require.Len(t, f.folder.names("hashes"), 1)
	require.NotContains(t, f.folder.names("hashes"), old)
}

// What a publisher has not made stays. What it left when it was killed goes.
func TestPublisher_Publish_leftovers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	leftovers := []string{".tmp-123", "changes-0123456789abcdef.json", "export-0123456789abcdef.txt", "hashes-0123456789abcdef.pb", "metamask-0123456789abcdef.json"}
	others := []string{
		".well-known", "hashes-0123456789ABCDEF.pb", "hashes-0123456789abcdef.pb.gz", "hashes-0123456789abcdef0.pb", "index.html", "robots.txt", "tmp-123",
	}
	for _, name := range append(leftovers, others...) {
		f.folder.files[name] = stored{nil, f.now.Add(-time.Hour)}
	}
	for range 13 {
		f.now = f.now.Add(2 * time.Hour)
		f.publish(t)
	}
	require.NotEmpty(t, f.folder.names(".tmp-"), "noticed, but not a day ago")
	f.now = f.now.Add(2 * time.Hour)
	require.Equal(t, len(leftovers), f.publish(t).Removed)
	for _, name := range leftovers {
		require.NotContains(t, f.folder.files, name)
	}
	for _, name := range others {
		require.Contains(t, f.folder.files, name)
	}
}

// Another publisher has written files, and its manifest does not name them yet. Its clock and that of this publisher can
// be wrong.
func TestPublisher_Publish_others(t *testing.T) {
	t.Parallel()
	const name = "hashes-0123456789abcdef.pb"
	f := newFixture(t)
	f.folder.files[name] = stored{nil, f.now}
	clock := f.now // of the folder
	f.folder.now = func() time.Time { return clock }
	for _, skew := range []time.Duration{0, 48 * time.Hour, 0, -48 * time.Hour, 0} {
		f.options.Clock = func() time.Time { return clock.Add(skew) }
		for range 7 {
			clock = clock.Add(3 * time.Hour)
			f.folder.files[name] = stored{nil, clock}
			require.Zero(t, f.publish(t).Removed)
		}
	}
	clock = clock.Add(23 * time.Hour)
	f.publish(t)
	require.Contains(t, f.folder.files, name, "it was not named for days, but written less than a day ago")
	clock = clock.Add(4 * time.Hour)
	f.publish(t)
	clock = clock.Add(4 * time.Hour)
	f.publish(t)
	require.NotContains(t, f.folder.files, name)
}

// A damaged record of unused files begins again.
func TestPublisher_Publish_unused(t *testing.T) {
	t.Parallel()
	for reason, record := range map[string]string{
		"empty":           "",
		"not JSON":        "}",
		"from the future": `{"time":"2100-01-01T00:00:00Z","since":{"export-0123456789abcdef.txt":"2100-01-01T00:00:00Z"}}`,
		"other types":     `{"time":1,"since":[]}`,
	} {
		f := newFixture(t)
		f.publish(t)
		f.folder.files["export-0123456789abcdef.txt"] = stored{nil, f.now.Add(-48 * time.Hour)}
		f.folder.files["unused.json"] = stored{[]byte(record), f.now}
		for range 13 {
			require.Zero(t, f.publish(t).Removed, reason)
			f.now = f.now.Add(2 * time.Hour)
		}
		f.publish(t)
		f.now = f.now.Add(2 * time.Hour)
		f.publish(t)
		require.Empty(t, f.folder.names("export"), reason)
	}
}

// Another publisher writes a file again that was not used for a day, in the moment in which it is removed.
func TestPublisher_Publish_writtenAgain(t *testing.T) {
	t.Parallel()
	const name = "hashes-0123456789abcdef.pb"
	f := newFixture(t)
	f.folder.files[name] = stored{nil, f.now}
	for range 13 {
		f.now = f.now.Add(2 * time.Hour)
		f.publish(t)
	}
	sweeps := 0
	f.folder.fails = func(method, _ string) error {
		if method == "Sweep" {
			if sweeps++; sweeps == 2 {
				f.folder.files[name] = stored{nil, f.now}
			}
		}
		return nil
	}
	f.now = f.now.Add(2 * time.Hour)
	require.Zero(t, f.publish(t).Removed)
	require.Equal(t, 2, sweeps)
	require.Contains(t, f.folder.files, name)
}
