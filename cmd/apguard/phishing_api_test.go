package main

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var phishingOn = regexp.MustCompile(`(?m)^phishing detection on (http://\S+)\n`)

// MetaMask's clients read the lists without a key, on a listener that has nothing else.
func TestRun_PhishingAPI(t *testing.T) {
	t.Parallel()
	s := start(t, "-db", "memory", "-seed", writeFile(t, strings.Replace(seed, "bad.example", "bad.com", 1)), "-phishing-api", "127.0.0.1:0")
	phishing := phishingOn.FindStringSubmatch(s.printed)[1]
	var body string
	require.Eventually(t, func() bool {
		var status int
		status, body = request(t, phishing, "", call{path: "/v1/stalelist"})
		return status == http.StatusOK
	}, time.Minute, time.Millisecond)
	require.Contains(t, body, `"blocklist":["bad.com"]`)
	status, _ := request(t, phishing, "apg_globex", call{path: "/api/v2/asset/list"})
	require.Equal(t, http.StatusNotFound, status)
	status, _ = request(t, s.url, "apg_globex", call{path: "/v1/stalelist"})
	require.Equal(t, http.StatusNotFound, status)
}
