package publish

import (
	"context"
	"errors"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/wire"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/publish/manifest"
)

const (
	// maxPages is how many pages of changes one publication adds at most. If there are more changes, an export is
	// made instead.
	maxPages = 32
	// pageSize is how many changes a page has at most.
	pageSize = asset.MaxLimit
)

// errBehind reports that the feed lacks changes that the hash lists have, or the other way round.
var errBehind = errors.New("the feed and the hash lists are of different versions or stores; a server that lags may have been read")

// oldChanges returns the export for mirrors and the changes of the manifest in the folder, if they can be continued.
func (w *work) oldChanges() chain {
	export, ok := w.oldExport(manifest.KindExport, string(lists.JSONLines))
	if !ok {
		return chain{}
	}
	c := newChain(export, find(w.old, func(f manifest.File) bool { return f.Kind == manifest.KindChanges }))
	if position, err := w.feed.Position(c.end()); err != nil || w.feed.Last-position > maxPages*pageSize {
		return chain{}
	}
	return c
}

// changes returns the changes that lead from the export for mirrors to the version of the manifest. If the export is
// new, it gets its version, with which they begin.
func (w *work) changes(ctx context.Context, e *exports) ([]manifest.File, error) {
	i := slices.Index(w.options.Exports, lists.JSONLines)
	if i < 0 {
		return nil, nil
	}
	c := e.changes
	if e.made {
		export := e.files[i]
		switch { // the same position can have several texts
		case samePosition(export.Version, w.version):
			export.Version = w.version
		case samePosition(export.Version, c.end()):
			export.Version = c.end()
		}
		if !c.none() {
			if err := w.follow(ctx, &c, export.Version); err != nil {
				return nil, err
			}
		}
		c.whole = export
	}
	if err := w.follow(ctx, &c, w.version); err != nil {
		return nil, err
	}
	c.trim()
	e.files[i] = c.whole
	return c.steps, nil
}

// follow adds changes to the chain up to a version.
func (w *work) follow(ctx context.Context, c *chain, version asset.FeedCursor) error {
	if samePosition(c.end(), version) && c.goBack(version) {
		return nil
	}
	for c.end().Before(version) || samePosition(c.end(), version) && c.end() != version {
		if version.Store() != w.feed.Store {
			return errBehind
		}
		entries, err := w.options.Feed.Since(ctx, c.end(), pageSize)
		if err != nil {
			return err
		}
		if len(entries) == 0 && !samePosition(c.end(), version) {
			return errBehind // without this, a standby that lags would make a page that says that nothing has changed
		}
		beyond := slices.IndexFunc(entries, func(e asset.FeedEntry) bool { return version.Before(e.Cursor) })
		if beyond >= 0 {
			entries = entries[:beyond]
		}
		f := manifest.File{Kind: manifest.KindChanges, Since: c.end(), Version: version}
		if n := len(entries); n > 0 && entries[n-1].Cursor.Before(version) {
			f.Version = entries[n-1].Cursor
		}
		if f, err = w.put(ctx, f, "json", newContent(wire.AppendFeedPage(nil, entries, f.Version))); err != nil {
			return err
		}
		c.steps = append(c.steps, f)
	}
	if c.end() != version {
		return errBehind
	}
	return nil
}
