package main

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
)

const (
	// listVariable names the environment variable with the path of a real block
	// list: the config.json of eth-phishing-detect.
	listVariable = "APGUARD_TEST_PHISHLIST"
	// listBeside is where the list is looked for without it, beside the repository.
	listBeside = "../../../shared/data/eth-phishing-detect/config.json"
)

// realList is a real block list, and where it is.
type realList struct {
	path      string
	Blacklist []string `json:"blacklist"`
	Whitelist []string `json:"whitelist"`
}

func readRealList(t *testing.T) realList {
	t.Helper()
	path, given := os.LookupEnv(listVariable)
	if !given {
		path = listBeside
	}
	text, err := os.ReadFile(path)
	if err != nil && !given {
		t.Skipf("NOT RUN, for want of a block list: set %s to the path of a config.json of "+
			"https://github.com/MetaMask/eth-phishing-detect (%v)", listVariable, err)
	}
	require.NoError(t, err)
	list := realList{path: path}
	require.NoError(t, json.Unmarshal(text, &list))
	require.NotEmpty(t, list.Blacklist, "%s lists no hosts", path)
	return list
}

// blockList returns the URLs of the hosts of a real block list.
func blockList(t *testing.T) []string {
	t.Helper()
	list := readRealList(t)
	urls := make([]string, len(list.Blacklist))
	for i, host := range list.Blacklist {
		urls[i] = "https://" + host
	}
	slices.Sort(urls)
	return slices.Compact(urls)
}

// identityOf returns the type and the canonical form of the URL of a host. Two kinds
// of hosts name an account on a platform.
func identityOf(url string) (kind, canonical string) {
	host := strings.TrimPrefix(url, "https://")
	if strings.HasSuffix(host, ".medium.com") {
		return "MEDIUM", host
	}
	if name, ok := strings.CutSuffix(host, ".t.me"); ok {
		return "TELEGRAM", "t.me/" + name
	}
	return "URL", url
}

// TestRealHosts adds every host of a real block list and reads all of them back.
func TestRealHosts(t *testing.T) {
	t.Parallel()
	urls := blockList(t)
	s := start(t, "-db", filepath.Join(t.TempDir(), "real.db"), "-seed", writeFile(t, seed))
	require.Empty(t, addAll(t, s.url, urls, ""), "the hosts that are refused, and why")

	want := map[string]entry{"https://bad.example": {Type: "URL", Content: "https://bad.example", ToStatus: "BLOCKED"}}
	types := make(map[string]int)
	for _, url := range urls {
		kind, content := identityOf(url)
		want[content] = entry{Type: kind, Content: content, ToStatus: "ALLOWED"}
		types[kind]++
	}
	t.Logf("%d hosts: %v", len(urls), types)
	found := changelog(t, s.url)
	require.Len(t, found, len(want))
	for content := range want {
		require.Equal(t, want[content], found[content])
	}

	require.Empty(t, addAll(t, s.url, urls, "Asset already exists in organization"), "the second time all exist")
}

// addAll adds the contents, 1,000 in a request, and returns those that had
// another error than the expected one. An empty expectation is success.
func addAll(t *testing.T, url string, contents []string, expected string) map[string]string {
	t.Helper()
	type item struct {
		Content string `json:"content"`
	}
	others := make(map[string]string)
	for chunk := range slices.Chunk(contents, 1000) {
		var req struct {
			Assets []item `json:"assets"`
		}
		for _, content := range chunk {
			req.Assets = append(req.Assets, item{content})
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
			require.Equal(t, chunk[i], result.Content)
			if result.Error != expected {
				others[chunk[i]] = result.Error
			}
		}
	}
	return others
}

// TestARealListIsAskedAboutDisputes disputes what nobody but a real list knows.
func TestARealListIsAskedAboutDisputes(t *testing.T) {
	t.Parallel()
	list := readRealList(t)
	s := start(t, "-db", "memory", "-seed", writeFile(t, disputeSeed), "-phishlist", list.path)
	const message = `"message":"This asset is not blocked here. It is blocked in the external list eth-phishing-detect."`
	blocked := pick(t, list.Blacklist, list.Whitelist)
	for reason, content := range map[string]string{
		"a URL":          "https://" + blocked + "/claim",
		"a bare domain":  blocked,
		"a subdomain":    "login." + blocked,
		"a fuzzy target": "https://metamasks-.example",
	} {
		status, body := request(t, s.url, "apg_globex", call{path: "/dispute/create", body: `{"content":"` + content + `"}`})
		require.Equal(t, http.StatusOK, status, "%s: %s", reason, body)
		require.Contains(t, body, message, reason)
		status, body = request(t, s.url, "apg_globex", call{path: "/dispute/create", body: `{"content":"` + content + `"}`})
		require.Equal(t, http.StatusBadRequest, status, "%s is registered: %s", reason, body)
	}
	for reason, content := range map[string]string{
		"an exception of the list":           "https://" + pick(t, list.Whitelist, list.Blacklist),
		"what the list does not know either": "https://nobody-knows-this-one.example",
	} {
		status, body := request(t, s.url, "apg_globex", call{path: "/dispute/create", body: `{"content":"` + content + `"}`})
		require.Equal(t, http.StatusNotFound, status, "%s: %s", reason, body)
	}
	status, body := request(t, s.url, "apg_globex", call{path: "/dispute/create", body: `{"content":"https://bad.example"}`})
	require.Equal(t, http.StatusOK, status, body)
	require.NotContains(t, body, "message", "it is blocked here")
}

// disputeSeed is the seed with a key that may dispute.
var disputeSeed = strings.Replace(seed, `"scopes": [`, `"scopes": ["dispute", `, 1)

// pick returns a host of two labels that no other entry is about.
func pick(t *testing.T, hosts, others []string) string {
	t.Helper()
	for _, host := range hosts {
		if strings.Count(host, ".") == 1 && strings.HasSuffix(host, ".com") && !slices.Contains(others, host) {
			return host
		}
	}
	require.Fail(t, "no such host")
	return ""
}
