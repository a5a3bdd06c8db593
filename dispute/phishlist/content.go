package phishlist

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"io/fs"
)

// content is what is read of a file: a byte more than the limit at most. All that has
// been read is in the checksum.
type content struct {
	io.Reader
	file fs.File
	info fs.FileInfo
	hash hash.Hash
}

// openContent opens the file. Reading fails when ctx has ended.
func (f *File) openContent(ctx context.Context) (*content, error) {
	file, err := f.open(f.path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close() // nothing was written
		return nil, err
	}
	hash := sha256.New()
	limited := io.LimitReader(until(ctx, file), f.opts.MaxBytes+1)
	return &content{io.TeeReader(limited, hash), file, info, hash}, nil
}

// Close closes the file.
func (c *content) Close() { _ = c.file.Close() } // nothing was written

// checksum reads what is left, and returns the checksum of all.
func (c *content) checksum() (checksum, error) {
	if _, err := io.Copy(io.Discard, c); err != nil {
		return checksum{}, fmt.Errorf("read the list: %w", err)
	}
	return checksum(c.hash.Sum(nil)), nil
}

// readerFunc is a function that reads.
type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// until returns a reader that fails when ctx has ended.
func until(ctx context.Context, r io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return r.Read(p)
	})
}
