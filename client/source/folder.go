package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/client/published"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/publish/manifest"
)

// folderSource is a published folder.
type folderSource struct {
	folder *published.Folder
}

// FromFolder returns a published folder as a source. The folder must have an export in the format jsonl. A Replica
// follows it at its interval, which should not be much shorter than that of the publisher: each read requests the
// manifest.
//
// It lists the latest export. The errors are those of [published.Folder.Manifest] and [published.Folder.Open], or match
// [manifest.ErrMissing] if no such export is published. If no changes lead on from a copy, the error matches
// [asset.ErrPrunedCursor], and the next export is listed.
func FromFolder(folder *published.Folder) feed.Source { return folderSource{folder} }

// List implements [feed.Source]. It lists the latest export. Its changes before are not followed again.
//
// The error is that of [published.Folder.Manifest], or matches [manifest.ErrMissing] if no such export is published.
func (f folderSource) List(ctx context.Context, _ int) (feed.List, error) {
	m, err := f.folder.Manifest(ctx)
	if err != nil {
		return feed.List{}, err
	}
	export, err := m.Export(manifest.FormatJSONL)
	if err != nil {
		return feed.List{}, err
	}
	return feed.List{
		Feed:    asset.Feed{Store: export.Version.Store(), Last: export.Version.Position()},
		Start:   export.Version,
		Settled: true, // the changes up to the version of the manifest complete it
		Assets:  func(yield func(asset.Known, error) bool) { f.list(ctx, export, yield) },
	}, nil
}

// list yields the assets of an export. Only at its end it is known to be that of the manifest. Otherwise, an error comes
// last, so that nothing of it is used.
func (f folderSource) list(ctx context.Context, export manifest.File, yield func(asset.Known, error) bool) {
	file, err := f.folder.Open(ctx, export)
	if err != nil {
		yield(asset.Known{}, err)
		return
	}
	defer file.Close() //nolint:errcheck // it is only read
	for listed, err := range client.ReadExport(file) {
		if err != nil {
			// That the file is another one says more than what is wrong with its content.
			if _, ended := io.Copy(io.Discard, file); ended != nil {
				err = ended
			}
			yield(asset.Known{}, fmt.Errorf("%s: %w", export.Name, err))
			return
		}
		if !yield(listed.Known, nil) {
			return
		}
	}
}

const (
	// maxChanges is the maximum size of a file with changes, in bytes.
	maxChanges = client.MaxBody
	// enough is the number of changes after which Changes returns.
	enough = asset.MaxLimit
)

// Changes implements [feed.Source]. If no changes lead from the cursor to the version of the manifest, the error matches
// [asset.ErrPrunedCursor], and the next export must be listed. If the manifest is before the cursor in the same store,
// as when a cache repeats it to a mirror that has started from a snapshot, the error matches [manifest.ErrOlder]. The
// cursor of a single change is not known.
func (f folderSource) Changes(ctx context.Context, cursor asset.FeedCursor) (feed.Changes, error) {
	began := time.Now()
	m, err := f.folder.Manifest(ctx)
	if err != nil {
		return feed.Changes{}, err
	}
	if m.Version.Store() == cursor.Store() && m.Version.Before(cursor) {
		return feed.Changes{}, fmt.Errorf("%w: its version is before that of the copy", manifest.ErrOlder)
	}
	steps, ok := m.Steps(manifest.KindChanges, cursor)
	if !ok {
		return feed.Changes{}, fmt.Errorf("no changes are published that lead on: %w", asset.ErrPrunedCursor)
	}
	changes := feed.Changes{Cursor: cursor, Age: max(0, began.Sub(m.AsOf)), Settled: true}
	for _, step := range steps {
		if changes.More = len(changes.Entries) >= enough; changes.More {
			break
		}
		page, err := f.changes(ctx, step)
		if err != nil {
			return feed.Changes{}, err
		}
		for _, change := range page.Changes {
			changes.Entries = append(changes.Entries, asset.FeedEntry{Change: change})
		}
		changes.Cursor = step.Version
	}
	return changes, nil
}

// errStep reports that a signed file does not have the changes that the manifest says.
var errStep = errors.New("published changes do not lead to the version of the manifest")

// changes returns the changes of a step.
func (f folderSource) changes(ctx context.Context, step manifest.File) (client.FeedPage, error) {
	data, err := f.folder.Read(ctx, step, maxChanges)
	if err != nil {
		return client.FeedPage{}, err
	}
	page, err := client.ReadFeedPage(data)
	if err == nil && page.Cursor != step.Version.String() {
		err = errStep
	}
	if err != nil {
		return client.FeedPage{}, fmt.Errorf("%s: %w", step.Name, err)
	}
	return page, nil
}
