package publish_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/publish"
	"github.com/apguard/apguard/publish/manifest"
	"github.com/apguard/apguard/storage/memory"
)

// kinds returns the kinds of files, with their formats.
func kinds(files []manifest.File) (all []string) {
	for _, f := range files {
		kind := string(f.Kind)
		if f.Format != "" {
			kind += " " + f.Format
		}
		if f.IsStep() {
			kind += " step"
		}
		all = append(all, kind)
	}
	return all
}

func TestPublisher_Publish(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.set(t, asset.StatusBlocked, "bad.com", "worse.com")
	c := newClient()

	made := f.publish(t)
	require.NoError(t, made.Anew)
	require.Equal(t, []string{"hashes"}, kinds(made.Files), "only hashes without options")
	require.Equal(t, readManifest(t, f.folder, verifiers(t, f.key)), made.Manifest)
	c.update(t, f)

	first := made.Manifest
	made = f.publish(t)
	require.Empty(t, made.Files)
	require.False(t, made.Skipped)
	require.Equal(t, first.Files, made.Manifest.Files)
	require.True(t, first.Time.Before(made.Manifest.Time), "only the time is another one")
	require.EqualValues(t, len(f.folder.files[manifest.Name].data), made.Bytes)

	f.set(t, asset.StatusAllowed, "bad.com")
	made = f.publish(t)
	require.Equal(t, []string{"hashes step"}, kinds(made.Files))
	c.update(t, f)
	require.Equal(t, 1, c.whole, "a step is enough")
	newClient().update(t, f)

	f.restart()
	f.set(t, asset.StatusBlocked, "bad.com")
	made = f.publish(t)
	require.Equal(t, []string{"hashes step"}, kinds(made.Files), "it continues after a restart")
	require.NoError(t, made.Anew)
	c.update(t, f)
	require.Equal(t, 1, c.whole)
}

// maxSteps is how many steps a manifest has, and wholeSteps after how many of them whole lists are written.
const maxSteps, wholeSteps = 128, 64

// A client needs at most 64 steps after whole lists, and one that is not more than 128 steps behind needs only steps.
func TestPublisher_Publish_chain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.setMany(t, asset.StatusBlocked, "site", 5000) // so that whole lists are larger than steps
	f.publish(t)
	c, whole := newClient(), 1
	c.update(t, f)
	for i := range 300 {
		f.set(t, asset.Statuses()[i%2], fmt.Sprintf("other-%d.com", i/2))
		made, err := f.try(t)
		require.NoError(t, err)
		if slices.Contains(kinds(made.Files), "hashes") {
			whole++
			require.Equal(t, wholeSteps-1, i%wholeSteps)
			requireRight(t, f.folder, verifiers(t, f.key))
			fresh := newClient()
			fresh.update(t, f)
			require.Equal(t, fresh.last.Version, fresh.last.Files[0].Version, "whole lists without steps")
		}
		if i%maxSteps == maxSteps-1 {
			c.update(t, f)
			require.Equal(t, 1, c.whole)
		}
	}
	require.Equal(t, 1+300/wholeSteps, whole)
	require.Len(t, readManifest(t, f.folder, verifiers(t, f.key)).Files, 1+maxSteps)
	require.Less(t, len(f.folder.files[manifest.Name].data), 40_000)

	f.setMany(t, asset.StatusBlocked, "new", 4000)
	require.Equal(t, []string{"hashes step", "hashes"}, kinds(f.publish(t).Files), "large steps make whole lists due")
	c.update(t, f)
	require.Equal(t, 1, c.whole, "publications without changes are no steps")
}

func TestPublisher_Publish_exports(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exporting(lists.Writable()...)
	f.set(t, asset.StatusBlocked, "bad.com")
	f.set(t, asset.StatusAllowed, "good.com")
	all := []string{
		"hashes", "export eth-phishing-detect", "export domains", "export hosts", "export rpz", "export adblock", "export csv",
		"export jsonl", "export stix", "export misp-warninglist", "metamask stalelist", "metamask request-blocklist",
	}
	require.Equal(t, all, kinds(f.publish(t).Manifest.Files))
	c := newClient()
	c.update(t, f)
	for _, format := range lists.Writable() {
		one, err := c.last.Export(string(format))
		require.NoError(t, err)
		var want bytes.Buffer
		statuses, err := lists.Statuses(format, "any")
		if err != nil {
			statuses = nil
		}
		feed, err := f.guard.Feed.State(t.Context())
		require.NoError(t, err)
		_, err = lists.Write(&want, format, allOf(t.Context(), f), lists.WriteOptions{Statuses: statuses, Serial: feed.Serial()})
		require.NoError(t, err)
		require.Equal(t, want.String(), string(readWhole(t, f.folder, one)), format)
	}

	f.set(t, asset.StatusUnknown, "bad.com")
	require.Equal(t, []string{"hashes step", "changes step"}, kinds(f.publish(t).Files), "exports are made at their interval")
	c.update(t, f)
	require.Equal(t, map[string]asset.Status{"good.com": asset.StatusAllowed}, c.assets)
	require.Equal(t, 1, c.exports)

	f.now = f.now.Add(time.Hour)
	require.Len(t, f.publish(t).Files, len(all)-1, "all exports, and no hashes, which have not changed")
	for range asset.MaxLimit { // 4,000 changes
		f.set(t, asset.StatusBlocked, "bad.com", "worse.com")
		f.set(t, asset.StatusUnknown, "bad.com", "worse.com")
	}
	f.options.Exports, f.options.Wallet = []lists.Format{lists.JSONLines}, nil
	made := f.publish(t)
	require.Equal(t, []string{"hashes step", "changes step", "changes step", "changes step", "changes step"}, kinds(made.Files), "pages of the feed")
	c.update(t, f)
	require.Equal(t, 1, c.exports)

	require.Equal(t, []string{
		"eth-phishing-detect", "domains", "hosts", "rpz", "adblock", "csv", "stix", "misp-warninglist", publish.FormatStalelist, publish.FormatRequestBlocklist,
	}, made.Dropped)

	f.now = f.now.Add(time.Hour)
	made = f.publish(t)
	require.Empty(t, made.Files, "nothing has changed since")
	require.Empty(t, made.Dropped, "once")

	for i := range 33 {
		f.setMany(t, asset.Statuses()[i%2], "site", 1000)
	}
	f.publish(t)
	c.update(t, f)
	require.Equal(t, 2, c.exports, "an export is smaller than so many changes")
}

// The reasons to begin anew. A client that can use the new manifest has what the store has.
func TestPublisher_Publish_anew(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		change func(t require.TestingT, f *fixture)
		want   error
		// whole says that whole lists are written.
		whole bool
	}{
		"no manifest": {func(_ require.TestingT, f *fixture) { delete(f.folder.files, manifest.Name) }, nil, true},
		"no folder":   {func(_ require.TestingT, f *fixture) { clear(f.folder.files) }, nil, true},
		"empty manifest": {func(_ require.TestingT, f *fixture) { f.folder.files[manifest.Name] = stored{nil, f.now} },
			manifest.ErrSignature, true},
		"torn manifest": {func(_ require.TestingT, f *fixture) {
			data := f.folder.files[manifest.Name].data
			f.folder.files[manifest.Name] = stored{data[:len(data)-1], f.now}
		}, manifest.ErrSignature, true},
		"large manifest": {func(_ require.TestingT, f *fixture) {
			f.folder.files[manifest.Name] = stored{make([]byte, manifest.MaxSize+1), f.now}
		}, manifest.ErrMalformed, true},
		"signed text that is not a manifest": {func(t require.TestingT, f *fixture) { sign(t, f, "{}\n") }, manifest.ErrMalformed, true},
		"another store":                      {func(_ require.TestingT, f *fixture) { f.use(memory.New()) }, publish.ErrStore, true},
		"other rules": {func(t require.TestingT, f *fixture) {
			resign(t, f, func(m *manifest.Manifest) { m.Rules++ })
		}, publish.ErrRules, true},
		"from the future": {func(t require.TestingT, f *fixture) {
			resign(t, f, func(m *manifest.Manifest) { m.Time = m.Time.Add(time.Hour) })
		}, publish.ErrTime, false},
		"whole lists are gone":   {lose(0), publish.ErrLost, true},
		"the last step is gone":  {lose(2), publish.ErrLost, false},
		"the first step is gone": {lose(1), publish.ErrLost, true},
		"whole lists are cut": {func(t require.TestingT, f *fixture) {
			m := readManifest(t, f.folder, verifiers(t, f.key))
			f.folder.files[m.Files[0].Name] = stored{nil, f.now}
		}, publish.ErrLost, true},
		"changes are gone": {lose(4), publish.ErrLost, false},
		"the key is one of two": {func(t require.TestingT, f *fixture) {
			f.options.Keys = []publish.Key{newKey(t), f.key}
		}, nil, false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.exporting(lists.JSONLines)
			for _, content := range []string{"bad.com", "worse.com", "worst.com"} {
				f.set(t, asset.StatusBlocked, content)
				f.publish(t)
			}
			f.set(t, asset.StatusAllowed, "good.com")
			c.change(t, f)
			made := f.publish(t)
			require.ErrorIs(t, made.Anew, c.want)
			require.Equal(t, c.want == nil, made.Anew == nil)
			require.Equal(t, c.whole, slices.Contains(kinds(made.Files), "hashes"))
			fresh := newClient()
			fresh.update(t, f)
			requireSame(t, f, fresh)
			require.NoError(t, f.publish(t).Anew, "once")
		})
	}
}

// A manifest of another key is not replaced, and nothing is written: the key may be the wrong one, or the folder.
func TestPublisher_Publish_otherKey(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.set(t, asset.StatusBlocked, "bad.com")
	f.publish(t)
	f.set(t, asset.StatusBlocked, "worse.com")
	own, other := f.key, newKey(t)
	before, written := f.folder.files[manifest.Name], len(f.folder.written)
	f.options.Keys = []publish.Key{other}
	_, err := f.try(t)
	require.ErrorIs(t, err, publish.ErrOtherKey)
	require.Equal(t, before, f.folder.files[manifest.Name])
	require.Len(t, f.folder.written, written)

	f.options.Keys = []publish.Key{other, own}
	require.NoError(t, f.publish(t).Anew, "it continues with both keys")
	f.options.Keys = []publish.Key{other}
	require.NoError(t, f.publish(t).Anew, "and then with the new one")
	f.options.Keys = []publish.Key{own}
	delete(f.folder.files, manifest.Name)
	require.NoError(t, f.publish(t).Anew, "the manifest was removed")
}

// lose returns a function that removes the file of a manifest with a number.
func lose(i int) func(require.TestingT, *fixture) {
	return func(t require.TestingT, f *fixture) {
		delete(f.folder.files, readManifest(t, f.folder, verifiers(t, f.key)).Files[i].Name)
	}
}

// resign changes the manifest in the folder.
func resign(t require.TestingT, f *fixture, change func(*manifest.Manifest)) {
	m := readManifest(t, f.folder, verifiers(t, f.key))
	change(&m)
	data, err := m.Sign(signer(t, f))
	require.NoError(t, err)
	f.folder.files[manifest.Name] = stored{data, f.now}
}

// sign makes a signed text the manifest in the folder.
func sign(t require.TestingT, f *fixture, text string) {
	data, err := note.Sign(&note.Note{Text: text}, signer(t, f))
	require.NoError(t, err)
	f.folder.files[manifest.Name] = stored{data, f.now}
}

// signer returns the signer of the key.
func signer(t require.TestingT, f *fixture) note.Signer {
	s, err := note.NewSigner(f.private)
	require.NoError(t, err)
	return s
}

// A manifest of a later version is not replaced.
func TestPublisher_Publish_newer(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		exports bool
		// ahead is how much later the time of the manifest is than that of the publisher.
		ahead time.Duration
		want  error
	}{
		"another publisher is ahead":              {false, time.Minute, nil},
		"another publisher is ahead with exports": {true, time.Minute, nil},
		"the store was restored":                  {false, -time.Minute, publish.ErrNewer},
		"the store was restored, with exports":    {true, -time.Minute, publish.ErrNewer},
		"its time is in the future":               {false, time.Hour, publish.ErrNewer},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			if c.exports {
				f.exporting(lists.JSONLines)
			}
			f.set(t, asset.StatusBlocked, "bad.com")
			f.publish(t)
			feed, err := f.guard.Feed.State(t.Context())
			require.NoError(t, err)
			resign(t, f, func(m *manifest.Manifest) {
				m.Version, m.Time = feed.Cursor(feed.Last+5), f.now.Add(time.Minute+c.ahead).Truncate(time.Millisecond).UTC()
				m.Files = nil
			})
			before, written := f.folder.files[manifest.Name], len(f.folder.written)
			f.set(t, asset.StatusBlocked, "worse.com")
			made, err := f.try(t)
			require.ErrorIs(t, err, c.want)
			require.Equal(t, c.want == nil, made.Skipped)
			require.Equal(t, before, f.folder.files[manifest.Name])
			require.NotContains(t, f.folder.written[written:], manifest.Name)

			for range 5 {
				f.set(t, asset.StatusBlocked, "worse.com", "worst.com")
				f.set(t, asset.StatusAllowed, "worse.com")
			}
			made = f.publish(t)
			require.False(t, made.Skipped, "the store has got further")
		})
	}
}

// The time of a manifest never goes back, unless it was wrong.
func TestPublisher_Publish_time(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.set(t, asset.StatusBlocked, "bad.com")
	first := f.publish(t).Manifest
	f.now = f.now.Add(-3 * time.Minute)
	made := f.publish(t)
	require.True(t, made.Skipped, "the manifest in the folder says more")
	require.Equal(t, first, made.Manifest)
	f.set(t, asset.StatusBlocked, "worse.com")
	made = f.publish(t)
	require.False(t, made.Skipped)
	require.Equal(t, first.Time, made.Manifest.Time)
	require.True(t, first.Version.Before(made.Manifest.Version))
	f.now = f.now.Add(-time.Hour)
	made = f.publish(t)
	require.ErrorIs(t, made.Anew, publish.ErrTime)
	require.True(t, made.Manifest.Time.Before(first.Time))
}

// After an error of the folder, its manifest is as it was, and the next publication works.
func TestPublisher_Publish_fails(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"Read", "Write", "Sweep"} {
		for failing := 1; ; failing++ {
			f := newFixture(t)
			f.exporting(lists.JSONLines, lists.Hosts)
			f.options.ExportInterval = time.Minute
			f.set(t, asset.StatusBlocked, "bad.com")
			f.publish(t)
			f.set(t, asset.StatusBlocked, "worse.com")
			f.now = f.now.Add(2 * time.Hour)
			before, calls, cleaning := f.folder.files[manifest.Name], 0, false
			f.folder.fails = func(called, name string) error {
				if called != method {
					return nil
				}
				if calls++; calls == failing {
					cleaning = name == "unused.json" || method == "Sweep" && calls == 2
					return errDisk
				}
				return nil
			}
			made, err := f.try(t)
			if calls < failing {
				require.NoError(t, err)
				require.Greater(t, failing, 2, method)
				break
			}
			require.ErrorIs(t, err, errDisk)
			if cleaning {
				require.Equal(t, made.Manifest, readManifest(t, f.folder, verifiers(t, f.key)), "it is published nevertheless")
			} else {
				require.Equal(t, before, f.folder.files[manifest.Name], "%s %d", method, failing)
			}
			requireRight(t, f.folder, verifiers(t, f.key))
			f.publish(t)
		}
	}
}

// A publisher that finds another manifest than at its beginning continues with that.
func TestPublisher_Publish_shared(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.set(t, asset.StatusBlocked, "bad.com")
	f.publish(t)
	c := newClient()
	c.update(t, f)
	other, err := publish.New(f.folder, f.options)
	require.NoError(t, err)
	others := 0
	f.folder.fails = func(method, name string) error {
		if others == 0 && method == "Write" && name != manifest.Name {
			others++
			f.set(t, asset.StatusBlocked, "worst.com")
			_, err := other.Publish(context.Background())
			return err
		}
		return nil
	}
	f.set(t, asset.StatusBlocked, "worse.com")
	made := f.publish(t)
	require.Equal(t, 1, others)
	require.NoError(t, made.Anew)
	c.update(t, f)
	require.Equal(t, 1, c.whole)
	requireSame(t, f, c)

	publishing := false
	f.folder.fails = func(method, name string) error {
		if publishing || method != "Read" || name == manifest.Name {
			return nil
		}
		publishing = true
		defer func() { publishing = false }()
		f.set(t, asset.StatusAllowed, fmt.Sprintf("site-%d.com", others))
		others++
		_, err := other.Publish(context.Background())
		return err
	}
	f.set(t, asset.StatusAllowed, "worse.com")
	_, err = f.try(t)
	require.ErrorContains(t, err, "another publisher has replaced the manifest several times")
	requireRight(t, f.folder, verifiers(t, f.key))
}

// A folder that goes away while it is used comes back with nothing.
func TestPublisher_Publish_removed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exporting(lists.JSONLines)
	f.set(t, asset.StatusBlocked, "bad.com")
	f.publish(t)
	f.folder.fails = func(method, name string) error {
		clear(f.folder.files)
		if method == "Write" {
			return &fs.PathError{Op: "write", Path: name, Err: fs.ErrNotExist}
		}
		return nil
	}
	f.set(t, asset.StatusBlocked, "worse.com")
	_, err := f.try(t)
	require.ErrorIs(t, err, fs.ErrNotExist)
	f.folder.fails = func(string, string) error { return nil }
	f.publish(t)
	c := newClient()
	c.update(t, f)
	requireSame(t, f, c)
}

// The error of a source ends the publication.
func TestPublisher_Publish_sources(t *testing.T) {
	t.Parallel()
	errAway := errors.New("away")
	f := newFixture(t)
	f.exporting(lists.JSONLines)
	f.options.Sync = func(context.Context) error { return errAway }
	_, err := f.try(t)
	require.ErrorIs(t, err, errAway)
	f.options.Sync = func(context.Context) error { return nil }
	_, err = f.try(t)
	require.ErrorIs(t, err, asset.ErrUnavailable, "the hash lists are not filled")
	require.Empty(t, f.folder.names(manifest.Name))
}

func TestNew(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for reason, change := range map[string]func(*publish.Options){
		"no key":                     func(o *publish.Options) { o.Keys = nil },
		"zero key":                   func(o *publish.Options) { o.Keys = []publish.Key{{}} },
		"no hash lists":              func(o *publish.Options) { o.Hashes = nil },
		"exports without a feed":     func(o *publish.Options) { o.Exports, o.Feed = []lists.Format{lists.Hosts}, nil },
		"exports without assets":     func(o *publish.Options) { o.Exports, o.Assets = []lists.Format{lists.Hosts}, nil },
		"wallet without a feed":      func(o *publish.Options) { o.Wallet, o.Feed = f.wallet, nil },
		"format that is only read":   func(o *publish.Options) { o.Exports = []lists.Format{lists.Lines} },
		"format that is not known":   func(o *publish.Options) { o.Exports = []lists.Format{"pdf"} },
		"format that is given twice": func(o *publish.Options) { o.Exports = []lists.Format{lists.Hosts, lists.Hosts} },
	} {
		opts := f.options
		change(&opts)
		_, err := publish.New(f.folder, opts)
		require.Error(t, err, reason)
	}
}

// behind is an Origin whose lists are old for some requests, as on a store that publishes changes later.
type behind struct {
	publish.HashLists
	requests int
}

func (b *behind) Since(version string) (hashes.Response, error) {
	response, err := b.HashLists.Since(version)
	if b.requests--; b.requests >= 0 {
		response.Age = time.Minute
	}
	return response, err
}

// An export can have changes that the feed does not have yet. It is not published before the feed has them, so that a
// mirror with the changes of the manifest has no status that goes back.
func TestPublisher_Publish_unpublished(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.set(t, asset.StatusBlocked, "bad.com")
	lists := &behind{HashLists: f.hashes, requests: 1}
	f.options.Hashes = lists
	made := f.publish(t)
	require.Zero(t, lists.requests, "without exports, old hash lists are published")
	require.Equal(t, time.Minute, f.now.Sub(made.Manifest.Time).Round(time.Second), "the manifest says how old they are")

	f.exporting(manifest.FormatJSONL)
	lists.requests = 3
	made = f.publish(t)
	require.Equal(t, -1, lists.requests)
	require.Zero(t, f.now.Sub(made.Manifest.Time).Round(time.Second))

	f.set(t, asset.StatusBlocked, "worse.com")
	lists.requests = 1
	f.publish(t)
	require.Zero(t, lists.requests, "there is no new export")
}

// moving is an Origin whose lists change just before whole ones are requested.
type moving struct {
	publish.HashLists
	change func()
}

func (m moving) Since(version string) (hashes.Response, error) {
	if version == "" {
		m.change()
	}
	return m.HashLists.Since(version)
}

// Whole lists that are newer than the last step are not published before there is a step to them.
func TestPublisher_Publish_moving(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.setMany(t, asset.StatusBlocked, "site", 50)
	f.publish(t)
	changes := 0
	f.options.Hashes = moving{f.hashes, func() {
		f.set(t, asset.StatusBlocked, fmt.Sprintf("moving-%d.com", changes))
		changes++
		require.NoError(t, f.options.Sync(t.Context()))
	}}
	for i := range 2 * wholeSteps {
		f.set(t, asset.StatusBlocked, fmt.Sprintf("new-%d.com", i))
		_, err := f.try(t)
		require.NoError(t, err)
	}
	requireRight(t, f.folder, verifiers(t, f.key))
	require.Equal(t, wholeSteps+1, changes, "it tries again each time")
	f.options.Hashes = f.hashes
	require.Equal(t, []string{"hashes step", "hashes"}, kinds(f.publish(t).Files))
}

// After changes were pruned, a position of the feed has another text. A chain does not lead in a circle then, even if
// two publishers disagree.
func TestPublisher_Publish_pruned(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exporting(manifest.FormatJSONL)
	f.options.Wallet = nil
	for _, status := range []asset.Status{asset.StatusBlocked, asset.StatusAllowed, asset.StatusBlocked} {
		f.set(t, status, "bad.com", "worse.com")
		f.publish(t)
	}
	before := f.options
	_, err := f.guard.History.Prune(t.Context(), time.Now())
	require.NoError(t, err)
	f.restart()
	after := f.options
	require.Empty(t, f.publish(t).Files, "the same position")

	for _, f.options = range []publish.Options{after, before, after, before} {
		lose(0)(t, f)
		made := f.publish(t)
		require.Contains(t, kinds(made.Files), "hashes")
	}
	f.options = after
	f.set(t, asset.StatusBlocked, "worst.com")
	f.publish(t)
	c := newClient()
	c.update(t, f)
	requireSame(t, f, c)
}
