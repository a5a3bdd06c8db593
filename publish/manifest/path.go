package manifest

import (
	"fmt"
	"math"
	"slices"

	"github.com/apguard/apguard/asset"
)

// Hashes returns the hash lists to apply, in order, to get from held ones to the version of the manifest: steps, or
// whole lists and then steps, whatever has fewer bytes. It returns none if the held lists have that version. The zero
// version means that nothing is held.
//
// The error matches [ErrMissing] if hash lists are not published.
func (m Manifest) Hashes(held asset.FeedCursor) ([]File, error) {
	if held != (asset.FeedCursor{}) && held == m.Version {
		return nil, nil
	}
	var best []File
	size := math.Inf(1)
	consider := func(since asset.FeedCursor, whole ...File) {
		steps, ok := m.Steps(KindHashes, since)
		if files := slices.Concat(whole, steps); ok && total(files) < size {
			best, size = files, total(files)
		}
	}
	if held != (asset.FeedCursor{}) {
		consider(held)
	}
	for _, f := range m.Files {
		if f.Kind == KindHashes && !f.IsStep() {
			consider(f.Version, f)
		}
	}
	if best == nil {
		return nil, fmt.Errorf("hash lists: %w; publish them, or use another manifest", ErrMissing)
	}
	return best, nil
}

// total returns the size of files. It is not exact for impossibly large files.
func total(files []File) (size float64) {
	for _, f := range files {
		size += float64(f.Size)
	}
	return size
}

// Steps returns the steps of a kind that lead from a version to that of the manifest, in order. It reports false if
// there is no such chain, and returns none if the version is that of the manifest.
func (m Manifest) Steps(kind Kind, since asset.FeedCursor) ([]File, bool) {
	next := make(map[asset.FeedCursor]File)
	for _, f := range m.Files {
		if f.Kind == kind && f.IsStep() {
			next[f.Since] = f
		}
	}
	var steps []File
	for at := since; at != m.Version; {
		f, ok := next[at]
		if !ok {
			return nil, false
		}
		delete(next, at) // the chain ends, even if it leads in a circle
		steps, at = append(steps, f), f.Version
	}
	return steps, true
}

// Export returns the latest export in a format. If the format is [FormatJSONL], there are changes that lead from it to
// the version of the manifest.
//
// The error matches [ErrMissing] if there is no such export.
func (m Manifest) Export(format string) (File, error) {
	for i := len(m.Files) - 1; i >= 0; i-- {
		f := m.Files[i]
		if f.Kind != KindExport || f.Format != format {
			continue
		}
		if _, ok := m.Steps(KindChanges, f.Version); ok || format != FormatJSONL {
			return f, nil
		}
	}
	return File{}, fmt.Errorf("export in the format %q: %w; publish it, or use another manifest", format, ErrMissing)
}
