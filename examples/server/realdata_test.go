package main

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
)

// phishingList is where the hosts of a real block list are looked for, beside
// this repository.
const phishingList = "../../../shared/data/eth-phishing-detect/config.json"

// TestRealHosts adds every host of a real block list and reads all of them back.
func TestRealHosts(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(phishingList)
	if err != nil {
		t.Skipf("put the config.json of eth-phishing-detect at %s to run this test: %v", phishingList, err)
	}
	var list struct {
		Blacklist []string `json:"blacklist"`
	}
	require.NoError(t, json.Unmarshal(text, &list))
	require.Len(t, list.Blacklist, 13_752)

	s := start(t, "-db", filepath.Join(t.TempDir(), "real.db"), "-seed", writeFile(t, seed))
	refused := addAll(t, s.url, list.Blacklist, "")
	for host, why := range refused {
		t.Logf("refused: %s: %s", host, why)
	}
	t.Logf("%d of %d hosts added", len(list.Blacklist)-len(refused), len(list.Blacklist))

	found := changelog(t, s.url)
	require.Len(t, found, len(list.Blacklist)-len(refused)+1, "and the one of the seed")
	for _, host := range list.Blacklist {
		if refused[host] == "" {
			require.Equal(t, "ALLOWED", found["https://"+host].ToStatus, host)
		}
	}

	again := addAll(t, s.url, list.Blacklist, "Asset already exists in organization")
	require.Equal(t, refused, again, "the second time all others exist")
}

// addAll adds https://HOST for each host, 1,000 in a request, and returns those
// that failed with another error than the expected one. An empty expectation is
// success.
func addAll(t *testing.T, url string, hosts []string, expected string) map[string]string {
	t.Helper()
	type item struct {
		Content string `json:"content"`
	}
	others := make(map[string]string)
	for chunk := range slices.Chunk(hosts, 1000) {
		var req struct {
			Assets []item `json:"assets"`
		}
		for _, host := range chunk {
			req.Assets = append(req.Assets, item{Content: "https://" + host})
		}
		body, err := json.Marshal(req)
		require.NoError(t, err)
		status, text := request(t, url, "apg_globex", call{path: "/organization/assets", body: string(body)})
		require.Equal(t, http.StatusOK, status, text)
		var reply struct {
			Results []struct {
				Content string `json:"content"`
				Error   string `json:"error"`
			} `json:"results"`
		}
		require.NoError(t, json.Unmarshal([]byte(text), &reply))
		require.Len(t, reply.Results, len(chunk))
		for i, result := range reply.Results {
			require.Equal(t, "https://"+chunk[i], result.Content)
			if result.Error != expected {
				others[chunk[i]] = result.Error
			}
		}
	}
	return others
}
