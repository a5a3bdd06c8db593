package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// minFree is the free space, in bytes, below which the disk is full for [Store.Ping]. A
// batch of 1,000 short assets takes less.
const minFree = 1 << 20

// Ping implements storage.Store. It reads from the database.
//
// On a store from [Open] it also looks at the file: it returns [ErrRemoved],
// [ErrReadOnly], or, on Linux and macOS, [ErrFull] if less than 1 MiB is free for the
// process. Calls that only read still work then.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.engine.file.check(); err != nil {
		return failure(ctx, "ping", err)
	}
	return s.methods.Ping(ctx)
}

// openFile is the file of a store from [Open]. The zero value is a file that is not
// known.
type openFile struct {
	path string
	info fs.FileInfo
}

// check returns an error unless the file is still at its path and could be written.
func (f openFile) check() error {
	if f.path == "" {
		return nil
	}
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !os.SameFile(info, f.info):
		return ErrRemoved
	case err != nil:
		return fmt.Errorf("%w: %w", ErrIO, err)
	case info.Mode().Perm()&0o222 == 0:
		return ErrReadOnly
	}
	return checkDisk(filepath.Dir(f.path))
}
