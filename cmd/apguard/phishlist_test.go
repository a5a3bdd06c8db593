package main

import (
	"bytes"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPhishlist_Disputes(t *testing.T) {
	t.Parallel()
	path := writeFile(t, `{"tolerance": 1, "fuzzylist": ["wallet.io"], "whitelist": ["ok.evil.com"], "blacklist": ["evil.com", "bad.example"]}`)
	s := start(t, "-db", "memory", "-seed", writeFile(t, disputeSeed), "-phishlist", path)
	const message = `,"message":"This asset is not blocked here. It is blocked in the external list eth-phishing-detect."}`
	for _, c := range []struct {
		reason, content string
		status          int
		reply           string
	}{
		{"an asset that only the list has", "https://evil.com", http.StatusOK, `{"id":"1","content":"https://evil.com"` + message},
		{"a second dispute", "https://evil.com", http.StatusBadRequest, ""},
		{"a subdomain", "www.evil.com/path", http.StatusOK, `{"id":"2","content":"www.evil.com/path"` + message},
		{"a host that resembles a target", "wallets.com", http.StatusOK, `{"id":"3","content":"wallets.com"` + message},
		{"an asset that is blocked here too", "https://bad.example", http.StatusOK, `{"id":"4","content":"https://bad.example"}`},
		{"a host on the allowlist", "https://ok.evil.com", http.StatusNotFound, ""},
		{"an unknown host", "https://example.com", http.StatusNotFound, ""},
	} {
		status, body := request(t, s.url, "apg_globex", call{path: "/dispute/create", body: `{"content":"` + c.content + `"}`})
		require.Equal(t, c.status, status, "%s: %s", c.reason, body)
		if c.reply != "" {
			require.Equal(t, c.reply, body, c.reason)
		}
	}
}

func TestLogList_Suffixes(t *testing.T) {
	t.Parallel()
	const cid = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG"
	path := writeFile(t, `{"whitelist": ["`+cid+`"], "blacklist": ["com", "github.io", "co.uk", "pages.dev", "`+cid+`"]}`)
	var log bytes.Buffer
	_, err := openList(t.Context(), path, slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, err)
	require.Contains(t, log.String(), "entries=3 fuzzy_targets=0 invalid_hosts=0 duplicates=0 not_canonical=0 content_ids=1\n")
	require.Contains(t, log.String(), `skipped entries that are public suffixes" count=2 first="byte `)
	require.Contains(t, log.String(), `block every domain below them" suffixes="[github.io pages.dev]"`)
	require.Contains(t, log.String(), `content identifiers in an allowlist have no effect" count=1`)
}

// TestWatchList runs on a fake clock.
func TestWatchList(t *testing.T) {
	t.Parallel()
	path := writeFile(t, `{"blacklist": ["evil.com", "no host", "Evil.com", "evil.com"]}`)
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log, nil))
		file, err := openList(t.Context(), path, logger)
		require.NoError(t, err)
		require.Contains(t, log.String(), `level=INFO msg="phishing list loaded" entries=2 fuzzy_targets=0 invalid_hosts=1 duplicates=1 not_canonical=1`)
		require.Contains(t, log.String(), `level=WARN msg="phishing list: skipped invalid hosts" count=1 first="byte 36 (blacklist[1]): contains a`)
		require.Contains(t, log.String(), `match no asset" count=1 first="byte 48 (blacklist[2]): is not`)

		stop := watchList(t.Context(), file, listInterval, logger)
		const second = `{"blacklist": ["evil.com", "worse.com"], "fuzzylist": ["wallet.io"]}`
		require.NoError(t, os.WriteFile(path, []byte(second), 0o600))
		time.Sleep(listInterval) // by the fake clock
		synctest.Wait()
		require.Contains(t, log.String(), `level=INFO msg="phishing list reloaded" entries=2 fuzzy_targets=1 invalid_hosts=0 duplicates=0 not_canonical=0`)
		require.Equal(t, 2, strings.Count(log.String(), "level=WARN"), "warnings of the first list")
		require.True(t, file.Check("worse.com").Blocked)

		require.NoError(t, os.WriteFile(path, []byte(`{"blacklist": [`), 0o600))
		time.Sleep(listInterval)
		synctest.Wait()
		require.Contains(t, log.String(), `level=ERROR msg="phishing list not reloaded; the previous one stays in use"`)
		require.Contains(t, log.String(), path)
		require.True(t, file.Check("worse.com").Blocked)

		require.NoError(t, os.WriteFile(path, []byte(second), 0o600))
		time.Sleep(listInterval)
		synctest.Wait()
		require.Contains(t, log.String(), `level=INFO msg="phishing list file is valid again and matches the list in use"`)
		stop()
	})
}

func TestPhishlist_Reload(t *testing.T) {
	t.Parallel()
	path := writeFile(t, `{"blacklist": ["evil.com"]}`)
	s := startWith(t, func(c *config) { c.listInterval = time.Millisecond },
		"-db", "memory", "-seed", writeFile(t, disputeSeed), "-phishlist", path)
	dispute := func() int {
		status, _ := request(t, s.url, "apg_globex", call{path: "/dispute/create", body: `{"content":"https://worse.com"}`})
		return status
	}
	require.Equal(t, http.StatusNotFound, dispute())
	require.NoError(t, os.WriteFile(path, []byte(`{"blacklist": ["evil.com", "worse.com"]}`), 0o600))
	require.Eventually(t, func() bool { return dispute() == http.StatusOK }, time.Minute, 5*time.Millisecond)
}
