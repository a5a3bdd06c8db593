package phishlist

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"
	"time"

	"github.com/apguard/apguard/asset"
)

// File is the list of a file that may be replaced or written anew while it is in use.
// It looks at the file only when it is told to, by [File.Reload] or [File.Watch]. It
// is made by [OpenFile] and safe for concurrent use; there is nothing to close.
type File struct {
	path string
	opts Options
	open func(path string) (fs.File, error)
	list atomic.Pointer[List]

	// busy holds a value while somebody reloads, who alone may use what follows.
	busy chan struct{}
	last reading
	// sum is that of the content which is in use.
	sum checksum
}

// checksum is that of a whole file, or of as much as is ever read.
type checksum [sha256.Size]byte

// reading is one attempt to load the file which got as far as its content.
type reading struct {
	info fs.FileInfo
	// at is when it began.
	at  time.Time
	sum checksum
	err error
}

// settled is how long before a reading the file must have been written for a later
// change to show in its time of modification, as coarse as that is on some file
// systems (FAT: two seconds).
const settled = 2 * time.Second

// stillOf reports whether the file is as it was read.
func (r reading) stillOf(info fs.FileInfo) bool {
	return r.info != nil && os.SameFile(r.info, info) && r.info.Size() == info.Size() &&
		r.info.ModTime().Equal(info.ModTime()) && r.at.Sub(info.ModTime()) > settled
}

// OpenFile loads the list of a file. The errors are those of [LoadWith], with the
// path, and of the file system.
func OpenFile(path string, opts Options) (*File, error) {
	f := &File{path: path, opts: opts.withDefaults(), open: openFile, busy: make(chan struct{}, 1)}
	if _, err := f.Reload(context.Background()); err != nil {
		return nil, err
	}
	return f, nil
}

func openFile(path string) (fs.File, error) { return os.Open(path) } //nolint:gosec // whoever opens the list chooses the file

// List returns the list as it was last loaded. It stays what it is when the file
// changes.
func (f *File) List() *List { return f.list.Load() }

// Check is [List.Check] on the list as it was last loaded.
func (f *File) Check(host string) Verdict { return f.List().Check(host) }

// Name returns the name that [Options] gave the list.
func (f *File) Name() string { return f.List().Name() }

// Status is [List.Status] on the list as it was last loaded.
func (f *File) Status(ctx context.Context, identity asset.Identity) (asset.Status, error) {
	return f.List().Status(ctx, identity)
}

// Reload loads the file if it has changed, and reports whether there is a new list
// now. All who ask get either the old one or the new one. With an error it is still
// the old one; the errors are those of [OpenFile], and that of ctx when it ends, also
// while another call reloads. A file whose content is wrong gives the same error each
// time, until it changes; after any other error it is read again.
//
// A file that has the size and the time of modification with which it was last read is
// not read again, unless that time was less than two seconds before, or is in the
// future: a further change at about that time may show in the content alone. What is
// read and has the content of the last time is not parsed again.
func (f *File) Reload(ctx context.Context) (changed bool, err error) {
	select {
	case f.busy <- struct{}{}:
		defer func() { <-f.busy }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	info, err := os.Stat(f.path)
	switch {
	case err != nil:
		return false, err
	case !info.Mode().IsRegular(): // opening a pipe could take for ever
		var issues asset.Issues
		issues.Add(f.path, "must be a file")
		return false, issues.Err()
	case f.last.stillOf(info):
		return false, f.last.err
	}
	return f.read(ctx)
}

// read reads the file and puts its list in use if the content is new.
func (f *File) read(ctx context.Context) (changed bool, err error) {
	at := time.Now()
	same, err := f.isAsLast(ctx, at)
	if err != nil {
		return false, err
	}
	if same {
		return false, f.last.err
	}
	return f.load(ctx, at)
}

// isAsLast reports whether the file has the content with which it was last read.
func (f *File) isAsLast(ctx context.Context, at time.Time) (bool, error) {
	if f.last.info == nil {
		return false, nil
	}
	content, err := f.openContent(ctx)
	if err != nil {
		return false, err
	}
	defer content.Close()
	sum, err := content.checksum()
	if err != nil || sum != f.last.sum {
		return false, err
	}
	f.last.info, f.last.at = content.info, at
	return true, nil
}

// load parses the file.
func (f *File) load(ctx context.Context, at time.Time) (changed bool, err error) {
	content, err := f.openContent(ctx)
	if err != nil {
		return false, err
	}
	defer content.Close()
	list, err := LoadWith(content, f.opts)
	if err != nil {
		err = fmt.Errorf("%s: %w", f.path, err)
		if !errors.Is(err, asset.ErrInvalid) {
			return false, err
		}
	}
	sum, readErr := content.checksum()
	if readErr != nil {
		return false, readErr
	}
	f.last = reading{content.info, at, sum, err}
	if err != nil || f.List() != nil && sum == f.sum {
		return false, err
	}
	f.sum = sum
	f.list.Store(list)
	return true, nil
}
