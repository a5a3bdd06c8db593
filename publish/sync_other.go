//go:build !unix

package publish

import "os"

// syncDirectory does nothing: the system cannot flush a directory.
func syncDirectory(*os.File) error { return nil }
