package console

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSite_Write(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, Site{"a.js": []byte("old")}.Write(dir))
	require.NoError(t, Site{"index.html": nil, "a.js": []byte("new"), "views/b.js": nil}.Write(dir))
	content, err := os.ReadFile(filepath.Join(dir, "a.js"))
	require.NoError(t, err)
	require.Equal(t, "new", string(content))
	require.FileExists(t, filepath.Join(dir, "index.html"))
	require.FileExists(t, filepath.Join(dir, "views", "b.js"))

	require.Error(t, Site{"../outside.js": nil}.Write(filepath.Join(dir, "site")), "a path that leaves the directory")
	require.NoFileExists(t, filepath.Join(dir, "outside.js"))
	require.Error(t, Site{"index.html": nil}.Write(""), "the working directory is not meant")
}
