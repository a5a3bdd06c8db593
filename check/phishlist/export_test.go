package phishlist

import "io/fs"

// SetOpen replaces the function that opens the file. It must not be called during a
// reload.
func (f *File) SetOpen(open func(path string) (fs.File, error)) { f.open = open }
