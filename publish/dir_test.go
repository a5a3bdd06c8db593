package publish_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/publish"
)

// failingReader returns an error after a text.
type failingReader struct{ io.ReadSeeker }

func (r failingReader) Read(p []byte) (int, error) {
	n, err := r.ReadSeeker.Read(p)
	if err == io.EOF { //nolint:errorlint // readers return it as it is
		err = errDisk
	}
	return n, err
}

func list(t *testing.T, folder publish.Folder) (names []string) {
	t.Helper()
	require.NoError(t, folder.Sweep(t.Context(), func(file publish.Stored) bool {
		names = append(names, file.Name)
		return true
	}))
	return names
}

func TestDir_Write(t *testing.T) {
	t.Parallel()
	path := t.TempDir()
	folder := publish.Dir(path)
	read := func() string {
		file, err := folder.Read(t.Context(), "a.txt")
		require.NoError(t, err)
		data, err := io.ReadAll(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		return string(data)
	}
	_, err := folder.Read(t.Context(), "a.txt")
	require.ErrorIs(t, err, fs.ErrNotExist)

	require.NoError(t, folder.Write(t.Context(), "a.txt", strings.NewReader("one")))
	require.Equal(t, "one", read())
	opened, err := folder.Read(t.Context(), "a.txt")
	require.NoError(t, err)
	require.NoError(t, folder.Write(t.Context(), "a.txt", strings.NewReader("second")))
	require.Equal(t, "second", read())
	old, err := io.ReadAll(opened)
	require.NoError(t, err)
	require.Equal(t, "one", string(old), "who reads has the old content")
	require.NoError(t, opened.Close())
	info, err := os.Stat(filepath.Join(path, "a.txt"))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o644), info.Mode(), "a web server can read it")

	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, folder.Write(canceled, "a.txt", strings.NewReader("third")), context.Canceled)
	require.ErrorIs(t, folder.Write(t.Context(), "a.txt", failingReader{strings.NewReader("third")}), errDisk)
	require.Error(t, folder.Write(t.Context(), "no/b.txt", strings.NewReader("third")))
	require.Equal(t, "second", read(), "whole or not at all")
	require.Equal(t, []string{"a.txt"}, list(t, folder), "no temporary file is left")
}

func TestDir_Sweep(t *testing.T) {
	t.Parallel()
	path := t.TempDir()
	folder := publish.Dir(path)
	for _, name := range []string{"a.txt", "b.txt", publish.TempPrefix + "1"} {
		require.NoError(t, os.WriteFile(filepath.Join(path, name), []byte(name), 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(path, "c"), 0o700))
	require.NoError(t, os.Symlink("a.txt", filepath.Join(path, "link")))
	require.NoError(t, folder.Sweep(t.Context(), func(file publish.Stored) bool {
		require.EqualValues(t, len(file.Name), file.Size)
		info, err := os.Stat(filepath.Join(path, file.Name))
		require.NoError(t, err)
		require.Equal(t, info.ModTime(), file.Written)
		return file.Name == "b.txt"
	}))
	require.Equal(t, []string{"b.txt"}, list(t, folder))
	_, err := os.Lstat(filepath.Join(path, "link"))
	require.NoError(t, err, "what is not a file stays")

	require.NoError(t, folder.Sweep(t.Context(), func(file publish.Stored) bool {
		later := file.Written.Add(time.Second)
		require.NoError(t, os.Chtimes(filepath.Join(path, "b.txt"), later, later))
		return false
	}))
	require.Equal(t, []string{"b.txt"}, list(t, folder), "another publisher has written it again")

	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, folder.Sweep(canceled, func(publish.Stored) bool { return false }), context.Canceled)
	require.NoError(t, folder.Sweep(t.Context(), func(publish.Stored) bool {
		require.NoError(t, os.Remove(filepath.Join(path, "b.txt")))
		return false
	}), "another publisher has removed it")
}

// A directory that does not exist is an error: its file system may not be mounted.
func TestDir_missing(t *testing.T) {
	t.Parallel()
	folder := publish.Dir(filepath.Join(t.TempDir(), "missing"))
	require.ErrorIs(t, folder.Write(t.Context(), "a.txt", bytes.NewReader(nil)), fs.ErrNotExist)
	require.ErrorIs(t, folder.Sweep(t.Context(), func(publish.Stored) bool { return true }), fs.ErrNotExist)
}
