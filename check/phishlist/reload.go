package phishlist

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/apguard/apguard/asset"
)

// attempt is an attempt to load the file that read all of its content.
type attempt struct {
	info  fs.FileInfo
	start time.Time
	sum   checksum
	err   error
}

// timestampResolution is the coarsest resolution of modification times, that of FAT. A
// file that was modified less than this before it was read may have been modified again
// without a new modification time.
const timestampResolution = 2 * time.Second

// isCurrent reports whether the file is certainly unchanged since the attempt.
func (a attempt) isCurrent(info fs.FileInfo) bool {
	return a.info != nil && os.SameFile(a.info, info) && a.info.Size() == info.Size() &&
		a.info.ModTime().Equal(info.ModTime()) && a.start.Sub(info.ModTime()) > timestampResolution
}

// Reload loads the file if it has changed, and reports whether there is a new list.
// Concurrent checks use either the old list or the new one. On an error, the old list
// stays in use.
//
// The errors are those of [OpenFile]. A file with invalid content returns the same error
// until it changes. After any other error, the next call reads the file again. Only one
// call reloads at a time; a call that waits for another one returns when ctx is
// canceled.
//
// Reload does not read a file whose size and modification time are the same as last
// time, unless that time was less than two seconds before the read or in the future. In
// that case a further change may have left the modification time as it was. Reload does
// not parse content that is the same as last time.
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
	case !info.Mode().IsRegular(): // opening a pipe could block forever
		var issues asset.Issues
		issues.Add(f.path, "must be a regular file")
		return false, issues.Err()
	case f.last.isCurrent(info):
		return false, f.last.err
	}
	start := time.Now()
	same, err := f.hasLastContent(ctx, start)
	if err != nil {
		return false, err
	}
	if same {
		return false, f.last.err
	}
	return f.load(ctx, start)
}

// hasLastContent reports whether the file has the content of the last attempt.
func (f *File) hasLastContent(ctx context.Context, start time.Time) (bool, error) {
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
	f.last.info, f.last.start = content.info, start
	return true, nil
}

// load parses the file and replaces the list if the content differs from the one in use.
func (f *File) load(ctx context.Context, start time.Time) (changed bool, err error) {
	content, err := f.openContent(ctx)
	if err != nil {
		return false, err
	}
	defer content.Close()
	list, err := Load(content, f.opts)
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
	f.last = attempt{content.info, start, sum, err}
	if err != nil || f.List() != nil && sum == f.sum {
		return false, err
	}
	f.sum = sum
	f.list.Store(list)
	return true, nil
}

// checksum is the SHA-256 of a file, up to one byte beyond the size limit.
type checksum [sha256.Size]byte

// content reads a file, up to one byte beyond the size limit, and computes its checksum.
type content struct {
	io.Reader
	file fs.File
	info fs.FileInfo
	hash hash.Hash
}

// openContent opens the file. Reads fail after ctx is canceled.
func (f *File) openContent(ctx context.Context) (*content, error) {
	file, err := f.open(f.path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close() // it is only read
		return nil, err
	}
	hash := sha256.New()
	limited := io.LimitReader(withContext(ctx, file), f.opts.MaxBytes+1)
	return &content{io.TeeReader(limited, hash), file, info, hash}, nil
}

// Close closes the file.
func (c *content) Close() { _ = c.file.Close() } // it is only read

// checksum reads the rest of the file and returns the checksum of all of it.
func (c *content) checksum() (checksum, error) {
	if _, err := io.Copy(io.Discard, c); err != nil {
		return checksum{}, fmt.Errorf("read list: %w", err)
	}
	return checksum(c.hash.Sum(nil)), nil
}

// readerFunc implements [io.Reader].
type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// withContext returns a reader that fails after ctx is canceled.
func withContext(ctx context.Context, r io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return r.Read(p)
	})
}
