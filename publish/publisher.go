// Package publish writes what clients need to check contents by themselves as files, so that a web server or a content
// delivery network can serve any number of them:
//
//	p, err := publish.New(publish.Dir("/var/www/apguard"), publish.Options{Keys: []publish.Key{key}, Hashes: hashes})
//	...
//	go p.Run(ctx)
//
// A [Folder] has immutable files, whose names contain a hash of their content, and one small manifest that is replaced
// at the end of each publication. So a client sees the files of one publication, whole, whatever happens to the
// publisher. Package publish/manifest describes the manifest, and docs/publish.md the folder.
package publish

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/feed/hotlist"
	"github.com/apguard/apguard/lists"
)

// The defaults of [Options].
const (
	DefaultInterval       = time.Minute
	DefaultExportInterval = time.Hour
	DefaultKeep           = 24 * time.Hour
)

// HashLists makes hash lists. An [hashes.Origin] does.
type HashLists interface {
	// Since returns the difference to the lists of a version, or whole lists.
	Since(version string) (hashes.Response, error)
}

// WalletLists makes the lists of MetaMask's clients. A [hotlist.Hotlist] does.
type WalletLists interface {
	Stalelist() (hotlist.Response, error)
	RequestBlocklist(since int64) (hotlist.Response, error)
}

// Options are the settings of a [Publisher].
type Options struct {
	// Keys sign each manifest. There must be at least one. While a key is replaced there are two, so that clients
	// accept the manifest that know either of them.
	Keys []Key
	// Hashes makes the hash lists. It must not be nil.
	Hashes HashLists
	// Sync brings Hashes and Wallet up to the changes that were published before the call. It is called before each
	// publication, which waits as long as Sync does: one that can wait for changes that nothing publishes should return
	// [ErrUnpublished] after a time. Nil means that they are always up to date.
	Sync func(context.Context) error

	// Feed and Assets must not be nil if there are Exports or a Wallet. They must have the same store as Hashes.
	Feed   *asset.FeedService
	Assets *asset.Service
	// Exports are the formats in which all assets are published that are BLOCKED, and in jsonl, csv and
	// eth-phishing-detect also those that are ALLOWED. Only these are in a misp-warninglist. With jsonl, changes are
	// published too, for mirrors. None means that only hashes are published: an export contains all contents, notes and
	// list names.
	Exports []lists.Format
	// Wallet makes the lists of MetaMask's clients. Nil means that they are not published.
	Wallet WalletLists

	// Interval is the time between two publications of [Publisher.Run]. If it is not positive, it is
	// [DefaultInterval].
	Interval time.Duration
	// ExportInterval is the time between two exports of the same format, and between two lists of MetaMask's clients,
	// if something has changed. Mirrors need changes from the last export on, so it is made earlier if these are
	// many. If ExportInterval is not positive, it is [DefaultExportInterval].
	ExportInterval time.Duration
	// Keep is how long files stay that no manifest names any more, for clients that have an older manifest. It must
	// be much longer than a publication takes, and than caches keep a manifest. If it is not positive, it is
	// [DefaultKeep].
	Keep time.Duration

	// Clock returns the time. Nil means time.Now.
	Clock func() time.Time
	// OnPublished is called by [Publisher.Run] after each publication, also if old files could not be removed. Nil
	// ignores them.
	OnPublished func(Publication)
	// OnError is called by [Publisher.Run] for an error. An error that repeats is reported once. Nil ignores them.
	OnError func(error)
}

// Publisher publishes to a [Folder]. [New] returns one. It is safe for concurrent use.
//
// A Publisher keeps everything that it needs in the folder. So it continues after a restart, and several can publish
// to one folder, from the same store and with the same keys.
type Publisher struct {
	folder    Folder
	options   Options
	signers   []note.Signer
	verifiers note.Verifiers

	// publishing is held during a publication.
	publishing sync.Mutex
}

// New returns a Publisher. The error says which of the options is invalid.
func New(folder Folder, opts Options) (*Publisher, error) {
	p := &Publisher{folder: folder}
	var verifiers []note.Verifier
	for _, key := range opts.Keys {
		if key.signer == nil {
			return nil, ErrKey
		}
		p.signers, verifiers = append(p.signers, key.signer), append(verifiers, key.verifier)
	}
	if err := opts.check(); err != nil {
		return nil, err
	}
	opts.Interval = cmp.Or(max(opts.Interval, 0), DefaultInterval)
	opts.ExportInterval = cmp.Or(max(opts.ExportInterval, 0), DefaultExportInterval)
	opts.Keep = cmp.Or(max(opts.Keep, 0), DefaultKeep)
	if opts.Sync == nil {
		opts.Sync = func(context.Context) error { return nil }
	}
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	if opts.OnPublished == nil {
		opts.OnPublished = func(Publication) {}
	}
	if opts.OnError == nil {
		opts.OnError = func(error) {}
	}
	p.options, p.verifiers = opts, note.VerifierList(verifiers...)
	return p, nil
}

// check returns an error for the first invalid option.
func (o Options) check() error {
	needsStore := len(o.Exports) > 0 || o.Wallet != nil
	switch {
	case len(o.Keys) == 0:
		return errors.New("no signing key")
	case o.Hashes == nil:
		return errors.New("no hash lists")
	case needsStore && (o.Feed == nil || o.Assets == nil):
		return errors.New("exports and lists of wallets need the feed and the assets")
	}
	for i, format := range o.Exports {
		if _, err := lists.Statuses(format, ""); err != nil {
			return fmt.Errorf("export %q: %w", format, err)
		}
		if slices.Contains(o.Exports[:i], format) {
			return fmt.Errorf("export %q is given twice", format)
		}
	}
	return nil
}
