package publish

import (
	"context"
	"io"
	"time"
)

// Folder is where files are published: a directory of a web server, or a bucket of an object store. [Dir] is a Folder.
// Its methods are safe for concurrent use, and other programs can use the same folder at the same time.
//
// Names have letters, digits, "-" and ".", and are never paths. A name in a folder can begin with [TempPrefix]; that of
// a file that is read or written does not.
type Folder interface {
	// Read opens a file. The caller must close it. The error matches [fs.ErrNotExist] if there is no such file.
	Read(ctx context.Context, name string) (io.ReadCloser, error)
	// Write stores a file whole or not at all. It replaces a file of that name. Readers see the old or the new
	// content, and the new one stays if Write returned nil. The content is at its beginning.
	Write(ctx context.Context, name string, content io.ReadSeeker) error
	// Sweep calls keep for each file, in any order, and removes the file if keep returns false. It also has leftovers
	// of a Write that was interrupted, if they are files; their names begin with [TempPrefix]. Files that are written
	// or removed meanwhile may be left out.
	Sweep(ctx context.Context, keep func(Stored) bool) error
}

// TempPrefix begins the names of files that are not complete.
const TempPrefix = ".tmp-"

// Stored is a file in a [Folder].
type Stored struct {
	Name string
	// Size is the size in bytes.
	Size int64
	// Written is when the file was written, by the clock of the folder.
	Written time.Time
}
