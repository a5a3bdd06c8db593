//go:build linux || darwin

package main

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// openFiles returns how many files a process may have open. Go has raised the limit
// as far as it may.
func openFiles(t *testing.T) uint64 {
	t.Helper()
	var files syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files))
	return files.Cur
}
