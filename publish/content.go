package publish

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/apguard/apguard/publish/manifest"
)

// content is the content of a file, at its beginning.
type content struct {
	io.ReadSeeker
	size int64
	sum  [sha256.Size]byte
}

// newContent returns a content in memory.
func newContent(data []byte) content {
	return content{bytes.NewReader(data), int64(len(data)), sha256.Sum256(data)}
}

// put writes a new file, which gets a name, a size and a hash. If the manifest in the folder names the same content,
// there is nothing to write.
func (w *work) put(ctx context.Context, f manifest.File, extension string, c content) (manifest.File, error) {
	f.Size, f.SHA256 = c.size, c.sum
	f.Name = string(f.Kind) + "-" + hex.EncodeToString(c.sum[:8]) + "." + extension
	if slices.ContainsFunc(w.old, func(old manifest.File) bool { return old.Name == f.Name && old.SHA256 == f.SHA256 }) {
		return f, nil
	}
	if err := w.folder.Write(ctx, f.Name, c); err != nil {
		return f, err
	}
	w.result.Files, w.result.Bytes = append(w.result.Files, f), w.result.Bytes+f.Size
	return f, nil
}

// putWritten is put for a content that a function writes. The content is kept in a temporary file until then: its hash
// is in the name.
func (w *work) putWritten(ctx context.Context, f manifest.File, extension string, write func(io.Writer) error) (_ manifest.File, err error) {
	file, err := os.CreateTemp("", "apguard-publish-*")
	if err != nil {
		return f, err
	}
	removed := os.Remove(file.Name()) // where an open file can be removed, a process that is killed leaves none
	defer func() {
		err = errors.Join(err, file.Close())
		if removed != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	sum := sha256.New()
	if err := write(io.MultiWriter(file, sum)); err != nil {
		return f, err
	}
	size, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return f, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return f, err
	}
	return w.put(ctx, f, extension, content{file, size, [sha256.Size]byte(sum.Sum(nil))})
}
