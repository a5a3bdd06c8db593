package publish

import (
	"context"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/publish/manifest"
)

// exports are the exports of a publication.
type exports struct {
	files []manifest.File
	// made says that the export for mirrors is new, and changes are the old one with its changes, if these can be
	// continued.
	made    bool
	changes chain
}

// exports returns the exports in all formats. It makes those that are due.
func (w *work) exports(ctx context.Context) (e exports, err error) {
	if w.options.Feed == nil {
		return exports{}, nil
	}
	if w.feed, err = w.options.Feed.State(ctx); err != nil {
		return exports{}, err
	}
	w.asOf = w.options.Clock().Add(-w.feed.Behind)
	if err := w.follows(w.feed.Store, w.feed.End()); err != nil {
		return exports{}, err
	}
	e.changes = w.oldChanges()
	for _, format := range w.options.Exports {
		old, ok := w.oldExport(manifest.KindExport, string(format))
		needed := !ok || w.due(old)
		if format == lists.JSONLines {
			needed = needed || e.changes.none() || e.changes.after() > maxSteps-maxPages
			e.made = needed
		}
		if needed {
			if old, err = w.export(ctx, format); err != nil {
				return exports{}, err
			}
		}
		e.files = append(e.files, old)
	}
	if e.made {
		w.listedAt = time.Now()
	}
	return e, nil
}

// oldExport returns the file of a format in the manifest in the folder.
func (w *work) oldExport(kind manifest.Kind, format string) (manifest.File, bool) {
	i := slices.IndexFunc(w.old, func(f manifest.File) bool { return f.Kind == kind && f.Format == format })
	if i < 0 {
		return manifest.File{}, false
	}
	return w.old[i], true
}

// due reports whether a file must be made again, because something has changed and it is old enough. Its age is that by
// the clock of the folder, if that is fast.
func (w *work) due(old manifest.File) bool {
	now := w.now
	if last := w.stored[manifest.Name].Written; last.After(now) {
		now = last
	}
	return old.Version.Before(w.feed.End()) && now.Sub(w.stored[old.Name].Written) >= w.options.ExportInterval
}

// export makes an export. It has at least the changes up to the end of the feed that was read before.
func (w *work) export(ctx context.Context, format lists.Format) (manifest.File, error) {
	name := "any"
	if _, err := lists.Statuses(format, name); err != nil {
		name = "" // the format cannot tell them apart
	}
	statuses, err := lists.Statuses(format, name)
	if err != nil {
		return manifest.File{}, err
	}
	all := func(filter asset.Filter) iter.Seq2[asset.Listed, error] { return w.options.Assets.All(ctx, filter, 0) }
	f := manifest.File{Kind: manifest.KindExport, Format: string(format), Version: w.feed.End()}
	return w.putWritten(ctx, f, extension(format), func(to io.Writer) error {
		_, err := lists.Write(to, format, all, lists.WriteOptions{Statuses: statuses, Serial: w.feed.Serial()})
		return err
	})
}

// extension returns the end of the names of files, by which web servers choose a media type.
func extension(format lists.Format) string {
	switch format {
	case lists.JSONLines:
		return "jsonl"
	case lists.CSV:
		return "csv"
	case lists.PhishingDetect, lists.STIX, lists.MISPWarninglist:
		return "json"
	default:
		return "txt"
	}
}
