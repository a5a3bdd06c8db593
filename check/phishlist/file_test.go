package phishlist_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
)

// Two lists of the same size.
const (
	listA = `{"blacklist": ["aaa.com"]}`
	listB = `{"blacklist": ["bbb.com"]}`
)

// listFile is a File and its path.
type listFile struct {
	*phishlist.File
	path string
}

func openFile(t *testing.T) listFile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "list.json")
	writeFile(t, path, listA)
	file, err := phishlist.OpenFile(t.Context(), path, phishlist.Options{Name: "Test List"})
	require.NoError(t, err)
	return listFile{file, path}
}

// writeFile creates or overwrites a file.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// replace renames a new file over the list.
func (f listFile) replace(t *testing.T, text string) {
	t.Helper()
	writeFile(t, f.path+".new", text)
	require.NoError(t, os.Rename(f.path+".new", f.path))
}

// setModTime sets the modification time of the file.
func (f listFile) setModTime(t *testing.T, at time.Time) {
	t.Helper()
	require.NoError(t, os.Chtimes(f.path, at, at))
}

// hookedFile is a file whose Read is a function.
type hookedFile struct {
	*os.File
	read func(file *os.File, p []byte) (int, error)
}

func (f hookedFile) Read(p []byte) (int, error) { return f.read(f.File, p) }

// setRead makes later reads call a function.
func (f listFile) setRead(read func(file *os.File, p []byte) (int, error)) {
	f.SetOpen(func(path string) (fs.File, error) {
		file, err := os.Open(path)
		return hookedFile{file, read}, err
	})
}

func (f listFile) requireReload(t *testing.T, changed bool) {
	t.Helper()
	got, err := f.Reload(t.Context())
	require.NoError(t, err)
	require.Equal(t, changed, got)
}

func (f listFile) requireBlocks(t *testing.T, blocked, other string) {
	t.Helper()
	require.True(t, f.Check(blocked).Blocked)
	require.False(t, f.Check(other).Blocked)
}

func TestOpenFile(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	f.requireBlocks(t, "aaa.com", "bbb.com")
	require.Equal(t, "Test List", f.Name())
	status, err := f.Status(t.Context(), asset.Identity{Type: asset.TypeURL, Canonical: "https://www.aaa.com"})
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, status)
	require.Equal(t, blocked("aaa.com", ""), f.List().Check("aaa.com"))
}

func TestOpenFile_Errors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	broken, large := filepath.Join(dir, "broken.json"), filepath.Join(dir, "large.json")
	writeFile(t, broken, `{"blacklist": [5]}`)
	writeFile(t, large, listA+" ")

	_, err := phishlist.OpenFile(t.Context(), filepath.Join(dir, "none.json"), phishlist.Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "none.json")

	_, err = phishlist.OpenFile(t.Context(), dir, phishlist.Options{})
	require.ErrorIs(t, err, asset.ErrInvalid)
	require.ErrorContains(t, err, dir+": must be a regular file")

	_, err = phishlist.OpenFile(t.Context(), broken, phishlist.Options{})
	require.ErrorIs(t, err, asset.ErrInvalid)
	require.ErrorContains(t, err, broken+": invalid input: byte 16 (blacklist[0]): must be a string")

	_, err = phishlist.OpenFile(t.Context(), large, phishlist.Options{MaxBytes: int64(len(listA))})
	require.ErrorIs(t, err, phishlist.ErrTooLarge)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = phishlist.OpenFile(ctx, broken, phishlist.Options{})
	require.ErrorIs(t, err, context.Canceled)
}
