//go:build linux || darwin

package sqlite

import (
	"fmt"
	"syscall"
)

// readOnlyDisk is ST_RDONLY on Linux and MNT_RDONLY on macOS.
const readOnlyDisk = 1

// checkDisk returns an error if the disk of a directory is full or read-only.
func checkDisk(dir string) error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		return fmt.Errorf("%w: %w", ErrIO, err)
	}
	free := disk.Bavail * uint64(disk.Bsize) //nolint:gosec // a size is not negative
	switch {
	case disk.Flags&readOnlyDisk != 0:
		return ErrReadOnly
	case disk.Blocks > 0 && free < minFree: // a tmpfs without a limit has no blocks
		return ErrFull
	}
	return nil
}
