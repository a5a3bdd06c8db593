//go:build unix

package publish

import "os"

// syncDirectory flushes the names in a directory to the disk.
func syncDirectory(opened *os.File) error { return opened.Sync() }
