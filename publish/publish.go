package publish

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/publish/manifest"
)

// maxAttempts is how often a publication begins again because another publisher was faster.
const maxAttempts = 3

// Publish publishes once. It writes the files that are new, then the manifest. If nothing has changed, only the manifest
// is written, with a new time. Files that no manifest has named for the time of [Options] are removed. Calls wait for
// each other.
//
// If the folder has a manifest of a later version of the same store, it is not replaced. Publish then returns a
// Publication that was skipped, or [ErrNewer] if the time of that manifest is earlier than the new one would be. If it
// cannot continue with the manifest in the folder, it begins anew with whole files: see [Publication.Anew]. A manifest
// that another key has signed is not replaced either, with the error [ErrOtherKey].
//
// Any other error is that of the folder or of the store. The manifest in the folder is then as it was, except if the
// error matches [ErrNotCleaned].
func (p *Publisher) Publish(ctx context.Context) (Publication, error) {
	p.publishing.Lock()
	defer p.publishing.Unlock()

	for range maxAttempts {
		w := &work{Publisher: p, now: p.options.Clock()}
		if err := w.publish(ctx); !errors.Is(err, errReplaced) {
			return w.result, err
		}
	}
	return Publication{}, errReplaced
}

// work is one publication.
type work struct {
	*Publisher
	now time.Time
	// opened is what the folder has.
	opened
	// feed is the state of the feed before the exports, unless there are none, and listedAt is when a new export for
	// mirrors was complete, or zero.
	feed     asset.Feed
	listedAt time.Time
	// version is that of the new manifest, and asOf the time before which every change is in it.
	version asset.FeedCursor
	asOf    time.Time

	result Publication
}

// publish publishes. It returns errReplaced if it must begin again.
func (w *work) publish(ctx context.Context) error {
	if err := w.open(ctx); err != nil {
		return err
	}
	var notCleaned error
	if err := w.clean(ctx); err != nil { // before anything is written, because the folder may be full
		notCleaned = fmt.Errorf("%w: %w", ErrNotCleaned, err)
	}
	files, err := w.files(ctx)
	if errors.Is(err, errEarlier) {
		return cmp.Or(w.skip(), notCleaned)
	}
	if err != nil {
		return err
	}
	next := manifest.Manifest{Version: w.version, Time: w.time(), Rules: classify.Version, Files: files}
	if w.repeats(next) {
		w.result.Skipped, w.result.Manifest = true, w.present
		return notCleaned
	}
	if err := w.replace(ctx, next); err != nil {
		return err
	}
	return notCleaned
}

// files writes the new files and returns all, in their order: whole hash lists, the steps after them, and exports.
func (w *work) files(ctx context.Context) ([]manifest.File, error) {
	exports, err := w.exports(ctx)
	if err != nil {
		return nil, err
	}
	hashes, err := w.hashes(ctx)
	if err != nil {
		return nil, err
	}
	changes, err := w.changes(ctx, &exports)
	if err != nil {
		return nil, err
	}
	wallet, err := w.wallet(ctx)
	if err != nil {
		return nil, err
	}
	return slices.Concat(hashes.files(), exports.files, changes, wallet), nil
}

// skip returns the error for a manifest in the folder that has a later version than this publication. Another
// publisher that follows the store has made it, unless its time is earlier.
func (w *work) skip() error {
	if w.future || w.present.Time.Before(w.time()) {
		return ErrNewer
	}
	w.result = Publication{Manifest: w.present, Skipped: true, Removed: w.result.Removed}
	return nil
}

// time returns the time of the manifest. If the one in the folder has a later time, that holds for this one too, which
// has the same changes or more.
func (w *work) time() time.Time {
	at := w.asOf.UTC().Truncate(time.Millisecond)
	if w.verified && !w.future && at.Before(w.present.Time) {
		return w.present.Time
	}
	return at
}

// repeats reports whether a manifest says the same as the one in the folder.
func (w *work) repeats(next manifest.Manifest) bool {
	return w.verified && next.Rules == w.present.Rules && next.Version == w.present.Version && next.Time.Equal(w.present.Time) &&
		slices.Equal(next.Files, w.present.Files)
}

// replace replaces the manifest, unless another publisher has done so since it was read. If that happens in this moment,
// clients refuse the earlier one of the two manifests, and the next publication is made of the one that stays.
func (w *work) replace(ctx context.Context, next manifest.Manifest) error {
	signed, err := next.Sign(w.signers...)
	if err != nil {
		return err
	}
	present, err := w.readManifest(ctx)
	if err != nil {
		return err
	}
	if !bytes.Equal(present, w.raw) {
		return errReplaced
	}
	if err := w.folder.Write(ctx, manifest.Name, bytes.NewReader(signed)); err != nil {
		return err
	}
	w.result.Manifest, w.result.Bytes, w.result.Dropped = next, w.result.Bytes+int64(len(signed)), dropped(w.present, next)
	return nil
}

// dropped returns the formats of a manifest that the next one lacks.
func dropped(before, next manifest.Manifest) (formats []string) {
	for _, f := range before.Files {
		has := func(other manifest.File) bool { return other.Format == f.Format }
		if !slices.ContainsFunc(next.Files, has) && f.Format != "" {
			formats = append(formats, f.Format)
		}
	}
	return formats
}
