package phishlist

import (
	"context"
	"io/fs"
	"os"
	"sync/atomic"

	"github.com/apguard/apguard/asset"
)

// File is the list in a file that may be replaced or rewritten while it is in use. A
// File checks for changes only in [File.Reload] and [File.Watch]. [OpenFile] returns
// one. A File is safe for concurrent use and needs no Close.
type File struct {
	path string
	opts Options
	open func(path string) (fs.File, error)
	list atomic.Pointer[List]

	// busy holds a value while a call reloads. That call alone may use the fields
	// below.
	busy chan struct{}
	last attempt
	// sum is the checksum of the list in use.
	sum checksum
}

// OpenFile loads the list in a file. It returns the errors of [Load], with the path
// added, those of the file system, and that of ctx.
func OpenFile(ctx context.Context, path string, opts Options) (*File, error) {
	f := &File{path: path, opts: opts.withDefaults(), open: openFile, busy: make(chan struct{}, 1)}
	if _, err := f.Reload(ctx); err != nil {
		return nil, err
	}
	return f, nil
}

func openFile(path string) (fs.File, error) { return os.Open(path) } //nolint:gosec // the caller of OpenFile chooses the path

// List returns the list in use. It does not change when the file is reloaded.
func (f *File) List() *List { return f.list.Load() }

// Check calls [List.Check] on the list in use.
func (f *File) Check(host string) Verdict { return f.List().Check(host) }

// Name returns the name from [Options].
func (f *File) Name() string { return f.List().Name() }

// Status calls [List.Status] on the list in use.
func (f *File) Status(ctx context.Context, identity asset.Identity) (asset.Status, error) {
	return f.List().Status(ctx, identity)
}
