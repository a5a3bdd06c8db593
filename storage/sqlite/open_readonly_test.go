//go:build linux && cgo

package sqlite_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/test/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

// unprivileged is a user that owns no files.
const unprivileged = 65534

// Permissions do not apply to the superuser, so the process that opens the file is another
// user.
func TestOpen_ReadOnly(t *testing.T) {
	t.Parallel()
	const (
		readable = 0o444
		writable = 0o666
		passable = 0o555
		open     = 0o777
	)
	for reason, test := range map[string]struct {
		file      os.FileMode // 0: there is none
		directory os.FileMode
		want      string
	}{
		"a writable file and directory":  {writable, open, subprocess.OK},
		"no file, a writable directory":  {0, open, subprocess.OK},
		"a read-only file":               {readable, open, "read-only"},
		"an unreadable file":             {0o200, open, "read-only"},
		"a read-only directory":          {writable, passable, "read-only"},
		"no file, a read-only directory": {0, passable, "read-only"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			dir := sharedDir(t)
			path := filepath.Join(dir, "a.db")
			if test.file != 0 {
				require.NoError(t, os.WriteFile(path, databaseBytes(t), 0o600))
				require.NoError(t, os.Chmod(path, test.file))
			}
			require.NoError(t, os.Chmod(dir, test.directory))

			cmd := subprocess.Command(t, "open error", path)
			cmd.Path = "/proc/self/exe" // the other user may not reach the directory of the binary
			if os.Geteuid() == 0 {
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: unprivileged, Gid: unprivileged}}
			}
			output, err := cmd.Output()
			require.NoError(t, err)
			require.Equal(t, test.want+"\n", string(output))
		})
	}
}

// A device loses what is written to it.
func TestOpen_Device(t *testing.T) {
	t.Parallel()
	_, err := sqlite.Open(t.Context(), os.DevNull, sqlite.Options{})
	require.ErrorIs(t, err, sqlite.ErrPath)
	require.ErrorContains(t, err, "regular file")
}

// sharedDir creates a directory that all users can reach.
func sharedDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	return dir
}
