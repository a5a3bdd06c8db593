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

func TestAPhishingListIsAskedAboutDisputes(t *testing.T) {
	t.Parallel()
	path := writeFile(t, `{"tolerance": 1, "fuzzylist": ["wallet.io"], "whitelist": ["ok.evil.com"], "blacklist": ["evil.com", "bad.example"]}`)
	s := start(t, "-db", "memory", "-seed", writeFile(t, disputeSeed), "-phishlist", path)
	const message = `,"message":"This asset is not blocked here. It is blocked in the external list eth-phishing-detect."}`
	for _, c := range []struct {
		reason, content string
		status          int
		reply           string
	}{
		{"only the list knows it", "https://evil.com", http.StatusOK, `{"id":"1","content":"https://evil.com"` + message},
		{"it was registered", "https://evil.com", http.StatusBadRequest, ""},
		{"a subdomain", "www.evil.com/path", http.StatusOK, `{"id":"2","content":"www.evil.com/path"` + message},
		{"it resembles a target", "wallets.com", http.StatusOK, `{"id":"3","content":"wallets.com"` + message},
		{"it is blocked here too", "https://bad.example", http.StatusOK, `{"id":"4","content":"https://bad.example"}`},
		{"the list exempts it", "https://ok.evil.com", http.StatusNotFound, ""},
		{"nobody knows it", "https://example.com", http.StatusNotFound, ""},
	} {
		status, body := request(t, s.url, "apg_globex", call{path: "/dispute/create", body: `{"content":"` + c.content + `"}`})
		require.Equal(t, c.status, status, "%s: %s", c.reason, body)
		if c.reply != "" {
			require.Equal(t, c.reply, body, c.reason)
		}
	}
}

// TestAChangedListIsLogged runs on a clock of its own.
func TestAChangedListIsLogged(t *testing.T) {
	t.Parallel()
	path := writeFile(t, `{"blacklist": ["evil.com", "no host", "Evil.com", "evil.com"]}`)
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log, nil))
		file, err := openList(path, logger)
		require.NoError(t, err)
		require.Contains(t, log.String(), `level=INFO msg="phishing list loaded" entries=2 fuzzy_targets=0 no_hosts=1 repeated=1 not_canonical=1`)
		require.Contains(t, log.String(), `level=WARN msg="entries of the phishing list are no hosts and left out" count=1 first="byte 36 (blacklist[1]): has a`)
		require.Contains(t, log.String(), `and find none" count=1 first="byte 48 (blacklist[2]): is not`)

		stop := followList(t.Context(), file, listInterval, logger)
		require.NoError(t, os.WriteFile(path, []byte(`{"blacklist": ["evil.com", "worse.com"], "fuzzylist": ["wallet.io"]}`), 0o600))
		time.Sleep(listInterval) // of the clock in the bubble
		synctest.Wait()
		require.Contains(t, log.String(), `level=INFO msg="phishing list reloaded" entries=2 fuzzy_targets=1 no_hosts=0 repeated=0 not_canonical=0`)
		require.Equal(t, 2, strings.Count(log.String(), "level=WARN"), "of the first list alone")
		require.True(t, file.Check("worse.com").Blocked)

		require.NoError(t, os.WriteFile(path, []byte(`{"blacklist": [`), 0o600))
		time.Sleep(listInterval)
		synctest.Wait()
		require.Contains(t, log.String(), `level=ERROR msg="phishing list not reloaded, the last one stays in use"`)
		require.Contains(t, log.String(), path)
		require.True(t, file.Check("worse.com").Blocked)
		stop()
	})
}

func TestARunningServerFollowsItsPhishingList(t *testing.T) {
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
