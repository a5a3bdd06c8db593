package phishlist

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"io/fs"
)

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
