package publish

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"

	"golang.org/x/mod/sumdb/note"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/publish/manifest"
)

// errEarlier reports that the manifest in the folder has a later version.
var errEarlier = errors.New("the store has an earlier version than the manifest in the folder")

// opened is what a folder has when a publication begins.
type opened struct {
	// stored are the files by name.
	stored map[string]Stored
	// raw is the manifest, or nil, and present is what it says if it is verified. Its time does not count if it is
	// from the future.
	raw              []byte
	present          manifest.Manifest
	verified, future bool
	// old are the files of the manifest that can be used again.
	old []manifest.File
}

// open reads what the folder has.
func (w *work) open(ctx context.Context) (err error) {
	if w.raw, err = w.readManifest(ctx); err != nil {
		return err
	}
	w.stored = make(map[string]Stored)
	err = w.folder.Sweep(ctx, func(file Stored) bool {
		w.stored[file.Name] = file
		return true
	})
	if err != nil || w.raw == nil {
		return err
	}
	if w.present, err = manifest.Open(w.raw, w.verifiers); err != nil {
		if unverified := new(note.UnverifiedNoteError); errors.As(err, &unverified) {
			return ErrOtherKey // whether it is right cannot be known, but it is not damaged
		}
		w.anew(err)
		return nil
	}
	w.verified = true
	if w.present.Time.After(w.now.Add(manifest.MaxAhead)) {
		w.future = true
		w.anew(ErrTime)
	}
	if w.present.Rules != classify.Version {
		w.anew(ErrRules)
		return nil
	}
	w.old = slices.DeleteFunc(slices.Clone(w.present.Files), func(f manifest.File) bool {
		stored, ok := w.stored[f.Name]
		return !ok || stored.Size != f.Size
	})
	if len(w.old) < len(w.present.Files) {
		w.anew(ErrLost)
	}
	return nil
}

// anew records a reason why the manifest is not continued.
func (w *work) anew(reason error) { w.result.Anew = errors.Join(w.result.Anew, reason) }

// readManifest returns the manifest in the folder, or nil if there is none.
func (w *work) readManifest(ctx context.Context) ([]byte, error) {
	return w.read(ctx, manifest.Name, manifest.MaxSize)
}

// read returns a small file of the folder, or nil if there is none. It reads at most one byte more than the given size.
func (w *work) read(ctx context.Context, name string, size int64) ([]byte, error) {
	file, err := w.folder.Read(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, size+1))
	return data, errors.Join(err, file.Close())
}

// follows checks that the store has a version that may follow that of the manifest. If the manifest is of another store,
// its files are not used. The error is errEarlier if the version is an earlier one.
func (w *work) follows(store asset.StoreID, version asset.FeedCursor) error {
	switch was := w.present.Version; {
	case !w.verified || was == asset.FeedCursor{}:
	case was.Store() != store:
		if w.old != nil {
			w.anew(ErrStore)
			w.old = nil
		}
	case version.Before(was):
		return errEarlier
	}
	return nil
}
