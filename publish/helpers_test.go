package publish_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/feed/hotlist"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/publish"
	"github.com/apguard/apguard/publish/manifest"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// newKey returns a new signing key.
func newKey(t require.TestingT) publish.Key {
	_, key := generateKey(t)
	return key
}

// generateKey returns a new signing key and its text.
func generateKey(t require.TestingT) (string, publish.Key) {
	text, err := publish.GenerateKey("example.com")
	require.NoError(t, err)
	key, err := publish.ParseKey(text)
	require.NoError(t, err)
	return text, key
}

// verifiers returns the verifiers of keys.
func verifiers(t require.TestingT, keys ...publish.Key) note.Verifiers {
	all := make([]note.Verifier, 0, len(keys))
	for _, key := range keys {
		verifier, err := note.NewVerifier(key.Verifier())
		require.NoError(t, err)
		all = append(all, verifier)
	}
	return note.VerifierList(all...)
}

// bucket is a Folder in memory. A method fails if there is an error for it.
type bucket struct {
	mu    sync.Mutex
	files map[string]stored
	// now is the clock of the folder.
	now func() time.Time
	// fails returns the error of a call, or nil. It can do something before.
	fails func(method, name string) error
	// written has the names of the files that were written.
	written []string
}

type stored struct {
	data []byte
	at   time.Time
}

func newBucket() *bucket {
	return &bucket{files: make(map[string]stored), now: time.Now, fails: func(string, string) error { return nil }}
}

func (b *bucket) Read(_ context.Context, name string) (io.ReadCloser, error) {
	if err := b.fails("Read", name); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	file, ok := b.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return io.NopCloser(bytes.NewReader(file.data)), nil
}

func (b *bucket) Write(_ context.Context, name string, content io.ReadSeeker) error {
	if err := b.fails("Write", name); err != nil {
		return err
	}
	data, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.files[name] = stored{data, b.now()}
	b.written = append(b.written, name)
	return nil
}

func (b *bucket) Sweep(_ context.Context, keep func(publish.Stored) bool) error {
	if err := b.fails("Sweep", ""); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, file := range b.files {
		if !keep(publish.Stored{Name: name, Size: int64(len(file.data)), Written: file.at}) {
			if err := b.fails("Remove", name); err != nil {
				return err
			}
			delete(b.files, name)
		}
	}
	return nil
}

// names returns the names of the files that begin with a text, in order.
func (b *bucket) names(prefix string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(b.files)), func(name string) bool { return !strings.HasPrefix(name, prefix) })
}

// fixture is a store with a publisher.
type fixture struct {
	guard  *apguard.Guard
	hashes *hashes.Origin
	wallet *hotlist.Hotlist
	key    publish.Key
	// private is the text of the key.
	private string
	folder  *bucket
	// options are those of publishers.
	options publish.Options
	now     time.Time
}

func newFixture(t require.TestingT) *fixture {
	f := &fixture{folder: newBucket(), now: time.Now()}
	f.private, f.key = generateKey(t)
	f.folder.now = func() time.Time { return f.now }
	f.options = publish.Options{Keys: []publish.Key{f.key}, Clock: func() time.Time { return f.now }}
	f.use(memory.New())
	return f
}

// use makes a store the one that is published.
func (f *fixture) use(store storage.Store) {
	f.guard = apguard.New(store, apguard.Options{})
	f.restart()
}

// restart forgets what was kept in memory.
func (f *fixture) restart() {
	f.hashes, f.wallet = hashes.New(hashes.Options{}), hotlist.New(hotlist.Options{})
	replica := feed.NewReplica(feed.FromServices(f.guard.Assets, f.guard.Feed), feed.Options{Views: []feed.View{f.hashes, f.wallet}})
	f.options.Hashes, f.options.Feed, f.options.Assets = f.hashes, f.guard.Feed, f.guard.Assets
	f.options.Sync = replica.Refresh
	if f.options.Wallet != nil {
		f.options.Wallet = f.wallet
	}
}

// exporting makes the publisher export.
func (f *fixture) exporting(formats ...lists.Format) {
	f.options.Exports, f.options.Wallet = formats, f.wallet
}

// try publishes. Every manifest that is in the folder then must be right.
func (f *fixture) try(t require.TestingT) (publish.Publication, error) {
	f.now = f.now.Add(time.Minute)
	p, err := publish.New(f.folder, f.options)
	require.NoError(t, err)
	return p.Publish(context.Background())
}

// publish publishes, and requires that everything in the folder is right.
func (f *fixture) publish(t require.TestingT) publish.Publication {
	made, err := f.try(t)
	require.NoError(t, err)
	requireRight(t, f.folder, verifiers(t, f.options.Keys...))
	return made
}

// set sets the status of contents.
func (f *fixture) set(t require.TestingT, status asset.Status, contents ...string) {
	req := asset.SetStatusesRequest{ConfirmProtected: true, Note: "note"}
	for _, content := range contents {
		classified, err := classify.Classify(content)
		require.NoError(t, err)
		req.Items = append(req.Items, asset.StatusItem{Identity: classified.Identity, Status: status})
	}
	_, err := f.guard.Assets.SetStatuses(context.Background(), req)
	require.NoError(t, err)
}

// setMany sets the status of n contents, which have numbers.
func (f *fixture) setMany(t require.TestingT, status asset.Status, name string, n int) {
	contents := make([]string, n)
	for i := range contents {
		contents[i] = fmt.Sprintf("%s-%d.com", name, i)
	}
	for some := range slices.Chunk(contents, asset.MaxItems) {
		f.set(t, status, some...)
	}
}

// errDisk is the error of a folder.
var errDisk = errors.New("no space left on device")

// readWhole returns the content of a file of a manifest, which must be right.
func readWhole(t require.TestingT, folder publish.Folder, f manifest.File) []byte {
	file, err := folder.Read(context.Background(), f.Name)
	require.NoError(t, err, f.Name)
	defer file.Close() //nolint:errcheck // it is only read
	data, err := io.ReadAll(f.Reader(file))
	require.NoError(t, err)
	return data
}

// readManifest returns the manifest of a folder.
func readManifest(t require.TestingT, folder publish.Folder, known note.Verifiers) manifest.Manifest {
	file, err := folder.Read(context.Background(), manifest.Name)
	require.NoError(t, err)
	defer file.Close() //nolint:errcheck // it is only read
	data, err := io.ReadAll(file)
	require.NoError(t, err)
	m, err := manifest.Open(data, known)
	require.NoError(t, err)
	return m
}

// requireRight requires that all files of the manifest are right, and that each chain leads from whole files to the
// version of the manifest.
func requireRight(t require.TestingT, folder publish.Folder, known note.Verifiers) {
	m := readManifest(t, folder, known)
	for _, f := range m.Files {
		readWhole(t, folder, f)
	}
	for _, f := range m.Files {
		if f.Kind == manifest.KindHashes || f.Kind == manifest.KindChanges {
			_, ok := m.Steps(f.Kind, f.Version)
			require.True(t, ok, "no way from %s to the version of the manifest", f.Name)
		}
	}
}

// client follows a folder.
type client struct {
	list *hashlist.List
	held asset.FeedCursor
	// assets are those of the export for mirrors with its changes, and cursor is their version.
	assets map[string]asset.Status
	cursor asset.FeedCursor
	last   manifest.Manifest
	// whole counts how often whole hash lists or an export were needed.
	whole, exports int
}

func newClient() *client { return &client{list: hashlist.New(time.Hour)} }

// update brings the client to the version of the manifest. It starts again if the store is another one.
func (c *client) update(t require.TestingT, f *fixture) {
	m := readManifest(t, f.folder, verifiers(t, f.options.Keys...))
	err := m.Refusal(c.last, f.now, time.Hour)
	if errors.Is(err, manifest.ErrOtherStore) {
		require.NotEqual(t, c.last.Version.Store(), m.Version.Store())
		*c = *newClient()
		err = m.Refusal(c.last, f.now, time.Hour)
	}
	require.NoError(t, err)
	c.last = m
	files, err := m.Hashes(c.held)
	require.NoError(t, err)
	for _, file := range files {
		if !file.IsStep() {
			c.whole++
			c.list = hashlist.New(time.Hour)
		}
		require.NoError(t, c.list.Update(hashlist.Response{Data: readWhole(t, f.folder, file), AsOf: time.Now(), Rules: m.Rules}), file.Name)
		require.Equal(t, file.Version.String(), c.list.State().Version)
		c.held = file.Version
	}
	require.Equal(t, m.Version.String(), c.held.String())
	if slices.Contains(f.options.Exports, lists.JSONLines) {
		c.updateAssets(t, f, m)
	}
}

// updateAssets brings the assets to the version of the manifest.
func (c *client) updateAssets(t require.TestingT, f *fixture, m manifest.Manifest) {
	steps, ok := m.Steps(manifest.KindChanges, c.cursor)
	if !ok || c.assets == nil {
		export, err := m.Export(manifest.FormatJSONL)
		require.NoError(t, err)
		c.exports++
		c.assets, c.cursor = make(map[string]asset.Status), export.Version
		for line := range strings.Lines(string(readWhole(t, f.folder, export))) {
			var one struct {
				Canonical string
				Status    asset.Status
			}
			require.NoError(t, json.Unmarshal([]byte(line), &one))
			c.assets[one.Canonical] = one.Status
		}
		steps, ok = m.Steps(manifest.KindChanges, c.cursor)
		require.True(t, ok)
	}
	for _, step := range steps {
		var page struct {
			Changes []struct {
				Content  string
				ToStatus asset.Status
			}
			Cursor asset.FeedCursor
		}
		require.NoError(t, json.Unmarshal(readWhole(t, f.folder, step), &page))
		for _, change := range page.Changes {
			c.assets[change.Content] = change.ToStatus
			if change.ToStatus == asset.StatusUnknown {
				delete(c.assets, change.Content)
			}
		}
		require.Equal(t, step.Version, page.Cursor)
		c.cursor = page.Cursor
	}
	require.Equal(t, m.Version, c.cursor)
}

// allOf returns the assets of the store.
func allOf(ctx context.Context, f *fixture) lists.Source {
	return func(filter asset.Filter) iter.Seq2[asset.Listed, error] { return f.guard.Assets.All(ctx, filter, 0) }
}
