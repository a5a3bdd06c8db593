package phishlist

import "io/fs"

// SetOpen lets a test take the place of the file system. It is for nobody to call while
// the file is reloaded.
func (f *File) SetOpen(open func(path string) (fs.File, error)) { f.open = open }
