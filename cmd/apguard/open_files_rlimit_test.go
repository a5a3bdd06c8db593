//go:build linux || darwin

package main

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// openFiles returns the maximum number of open files. The Go runtime has raised the soft
// limit to the hard limit.
func openFiles(t *testing.T) uint64 {
	t.Helper()
	var files syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files))
	return files.Cur
}
