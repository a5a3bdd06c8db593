package publish

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Dir returns the [Folder] of a directory, which must exist. It does not create the directory: a file system that is
// not mounted must not be replaced by a directory on another one.
//
// A file is written under another name, flushed to the disk and renamed. Everybody can read it (mode 0644).
func Dir(path string) Folder { return dir(path) }

// dirMode is the mode of files of a [Dir].
const dirMode fs.FileMode = 0o644

type dir string

// Read implements [Folder].
func (d dir) Read(_ context.Context, name string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(string(d), name)) //nolint:gosec // names are never paths
}

// Write implements [Folder].
func (d dir) Write(ctx context.Context, name string, content io.ReadSeeker) (err error) {
	file, err := os.CreateTemp(string(d), TempPrefix+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = file.Close() // it may be closed already
			_ = os.Remove(file.Name())
		}
	}()
	if _, err := io.Copy(file, reader{ctx, content}); err != nil {
		return err
	}
	if err := errors.Join(file.Chmod(dirMode), file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), filepath.Join(string(d), name)); err != nil {
		return err
	}
	return d.sync()
}

// sync flushes the names in the directory to the disk.
func (d dir) sync() error {
	opened, err := os.Open(string(d))
	if err != nil {
		return err
	}
	return errors.Join(syncDirectory(opened), opened.Close())
}

// Sweep implements [Folder].
func (d dir) Sweep(ctx context.Context, keep func(Stored) bool) error {
	entries, err := os.ReadDir(string(d))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !entry.Type().IsRegular() {
			continue
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // another publisher has removed it
		}
		if err != nil {
			return err
		}
		if keep(Stored{Name: entry.Name(), Size: info.Size(), Written: info.ModTime()}) {
			continue
		}
		if again, err := os.Lstat(filepath.Join(string(d), entry.Name())); err == nil && !again.ModTime().Equal(info.ModTime()) {
			continue // another publisher has written it again
		}
		if err := os.Remove(filepath.Join(string(d), entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// reader is a reader that ends with ctx.
type reader struct {
	ctx context.Context //nolint:containedctx // it is that of the call
	io.Reader
}

// Read implements [io.Reader].
func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
