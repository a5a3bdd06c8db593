package console

import (
	"io/fs"
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

func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := Read(dir)
	require.ErrorIs(t, err, fs.ErrNotExist, "an empty directory")
	_, err = Read(filepath.Join(dir, "missing"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Read("")
	require.Error(t, err, "the working directory is not meant")

	written := Site{configFile: []byte(`{"api":"/api/v2","operatorApi":"/operator","signIn":"/session"}`), "views/b.js": []byte("b")}
	require.NoError(t, written.Write(dir))
	read, err := Read(dir)
	require.NoError(t, err)
	require.Equal(t, written, read)
	addresses, err := read.Addresses()
	require.NoError(t, err)
	require.Equal(t, Addresses{API: "/api/v2", OperatorAPI: "/operator", SignIn: "/session"}, addresses)

	require.NoError(t, read.SetAddresses(Addresses{API: "/v2", OperatorAPI: "/desk", KeysInLink: true}))
	require.JSONEq(t, `{"api":"/v2","operatorApi":"/desk","signIn":"","keysInLink":true}`, string(read[configFile]))
	for reason, other := range map[string]Addresses{
		"no addresses":                     {},
		"an API of another server":         {API: "https://api.example/api/v2", OperatorAPI: "/operator"},
		"a sign-in for another server too": {API: "https://api.example/api/v2", OperatorAPI: "/operator", SignIn: "/session"},
	} {
		require.ErrorIs(t, read.SetAddresses(other), ErrAddress, reason)
	}

	for reason, config := range map[string]string{
		"no addresses":                      `{}`,
		"half of a file":                    `{"api":"/api/`,
		"an address of a kind that is none": `{"api":"javascript:alert(1)","operatorApi":"/operator"}`,
	} {
		require.NoError(t, Site{configFile: []byte(config)}.Write(dir))
		_, err := Read(dir)
		require.ErrorIs(t, err, ErrAddress, reason)
	}
}
