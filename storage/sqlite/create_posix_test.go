//go:build unix && cgo

package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage/internal/test/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

// Only the owner may read and write new files, whatever the umask. A process has only one,
// so each case is a process.
func TestOpen_Mode(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		umask int
		// prepare makes something at the path, unless it is nil.
		prepare func(t *testing.T, path string)
		want    string
	}{
		"no umask":                        {0, nil, "600 600 600"},
		"the usual umask":                 {0o022, nil, "600 600 600"},
		"a strict umask":                  {0o077, nil, "600 600 600"},
		"a symbolic link without a file":  {0, linkTo("target.db"), "600 600 600"},
		"an empty file":                   {0o077, fileWithMode(0o664), "664 664 664"},
		"a database":                      {0o077, databaseWithMode(0o640), "640 640 640"},
		"a database that all may write":   {0o077, databaseWithMode(0o666), "666 666 666"},
		"a symbolic link with a database": {0, linkToDatabase, "644 644 644"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "a? &b=%+#.db")
			if test.prepare != nil {
				test.prepare(t, path)
			}
			cmd := subprocess.Command(t, "modes", path)
			cmd.Env = append(cmd.Env, umaskVariable+"="+strconv.Itoa(test.umask))
			output, err := cmd.Output()
			require.NoError(t, err)
			require.Equal(t, test.want+"\n", string(output))
			for _, name := range files(t, filepath.Dir(path)) {
				require.NotContains(t, name, ".apguard-", "a file is left")
			}
		})
	}
}

func linkTo(name string) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		t.Helper()
		require.NoError(t, os.Symlink(name, path))
	}
}

func fileWithMode(mode os.FileMode) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		t.Helper()
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		require.NoError(t, os.Chmod(path, mode))
	}
}

func databaseWithMode(mode os.FileMode) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		t.Helper()
		require.NoError(t, os.WriteFile(path, databaseBytes(t), 0o600))
		require.NoError(t, os.Chmod(path, mode))
	}
}

func linkToDatabase(t *testing.T, path string) {
	t.Helper()
	linkTo("target.db")(t, path)
	databaseWithMode(0o644)(t, filepath.Join(filepath.Dir(path), "target.db"))
}

// umaskVariable has the umask of a process.
const umaskVariable = "APGUARD_TEST_UMASK"

// umaskTasks returns the tasks that set the umask of their process.
func umaskTasks() map[string]subprocess.Task {
	return map[string]subprocess.Task{"modes": modesTask}
}

// modesTask writes to a store and returns the modes of its files.
func modesTask(path string) string {
	umask, err := strconv.Atoi(os.Getenv(umaskVariable))
	if err != nil {
		return err.Error()
	}
	syscall.Umask(umask)
	modes, err := modesOfOpen(context.Background(), path)
	if err != nil {
		return err.Error()
	}
	return modes
}

func modesOfOpen(ctx context.Context, path string) (modes string, err error) {
	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := store.PutUser(ctx, account.User{ID: 1}, audit.Entry{}); err != nil {
		return "", err
	}
	file, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(file + suffix)
		if err != nil {
			return "", err
		}
		modes += fmt.Sprintf("%o ", info.Mode().Perm())
	}
	return strings.TrimSpace(modes), nil
}
