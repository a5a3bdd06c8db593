package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/client/source"
	"github.com/apguard/apguard/internal/test/testsize"
)

// hashesOf returns the hash lists of a server. The client waits while the server fills them.
func hashesOf(t *testing.T, url, key string) *hashlist.List {
	t.Helper()
	list := hashlist.New(time.Hour)
	refreshHashes(t, list, url, key)
	return list
}

func refreshHashes(t *testing.T, list *hashlist.List, url, key string) {
	t.Helper()
	c, err := client.New(url, client.Options{Key: key})
	require.NoError(t, err)
	require.NoError(t, list.Refresh(t.Context(), source.Hashes(c)))
}

// A client checks without the server, also after that has stopped, and updates after a restart.
func TestRun_Hashes(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t) // a client that asks too early waits for five seconds
	db := filepath.Join(t.TempDir(), "assets.db")
	withCheck := strings.Replace(seed, `"changelog"`, `"changelog", "check"`, 1)
	s := start(t, "-db", db, "-seed", writeFile(t, withCheck), "-hashes")
	list := hashesOf(t, s.url, "apg_globex")
	version := list.State().Version
	require.NotEmpty(t, version)
	require.NoError(t, s.stop())
	verdict, err := list.Check(t.Context(), "https://bad.example/x")
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, verdict.Status)

	again := start(t, "-db", db, "-hashes")
	refreshHashes(t, list, again.url, "apg_globex")
	require.Equal(t, version, list.State().Version)

	public := start(t, "-db", db, "-hashes", "-public-hashes", "-hashes-wait", "5s")
	everybody := hashesOf(t, public.url, "")
	require.Equal(t, version, everybody.State().Version)
	require.Equal(t, 5*time.Second, everybody.State().MinimumWait)

	without := start(t, "-db", "memory", "-seed", writeFile(t, withCheck))
	status, _ := request(t, without.url, "apg_globex", call{path: "/asset/hashes"})
	require.Equal(t, http.StatusNotFound, status)
}
