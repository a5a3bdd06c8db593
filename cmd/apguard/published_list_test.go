package main

import (
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/check/phishlist"
	"github.com/apguard/apguard/classify"
)

// publishedFile is the path of an excerpt of a published list.
const publishedFile = "../../check/phishlist/testdata/eth-phishing-detect/config.json"

// publishedList is a published list.
type publishedList struct {
	Blacklist []string `json:"blacklist"`
	Whitelist []string `json:"whitelist"`
}

func readPublishedList(t *testing.T) publishedList {
	t.Helper()
	text, err := os.ReadFile(publishedFile)
	require.NoError(t, err)
	var list publishedList
	require.NoError(t, json.Unmarshal(text, &list))
	require.NotEmpty(t, list.Blacklist)
	return list
}

// publishedURLs returns the URLs of the blocked hosts of a published list.
func publishedURLs(t *testing.T) []string {
	t.Helper()
	list := readPublishedList(t)
	urls := make([]string, len(list.Blacklist))
	for i, host := range list.Blacklist {
		urls[i] = "https://" + host
	}
	slices.Sort(urls)
	return slices.Compact(urls)
}

// TestPublishedList_Allowlist adds every host of a published list and reads all of them back.
func TestPublishedList_Allowlist(t *testing.T) {
	t.Parallel()
	urls := publishedURLs(t)
	s := start(t, "-db", filepath.Join(t.TempDir(), "real.db"), "-seed", writeFile(t, seed))
	require.Empty(t, addAll(t, s.url, urls, ""), "no host is rejected")

	want := map[string]entry{"https://bad.example": {Type: "URL", Content: "https://bad.example", ToStatus: "BLOCKED"}}
	for _, url := range urls {
		want[url] = entry{Type: "URL", Content: url, ToStatus: "ALLOWED"}
	}
	found := changelog(t, s.url)
	require.Len(t, found, len(want))
	for content := range want {
		require.Equal(t, want[content], found[content])
	}

	require.Empty(t, addAll(t, s.url, urls, "Asset already exists in organization"), "the second time all exist")
}

// addAll adds the contents, 1,000 in each request. It returns the unexpected errors by
// content. If expected is empty, success is expected.
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

// TestPublishedList_Disputes disputes assets that only a published list has.
func TestPublishedList_Disputes(t *testing.T) {
	t.Parallel()
	list := readPublishedList(t)
	s := start(t, "-db", "memory", "-seed", writeFile(t, disputeSeed), "-phishlist", publishedFile)
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
		require.Equal(t, http.StatusBadRequest, status, "a second dispute of %s: %s", reason, body)
	}
	for reason, content := range map[string]string{
		"a host on the allowlist": "https://" + pick(t, list.Whitelist, list.Blacklist),
		"an unknown host":         "https://unknown-site.example",
	} {
		status, body := request(t, s.url, "apg_globex", call{path: "/dispute/create", body: `{"content":"` + content + `"}`})
		require.Equal(t, http.StatusNotFound, status, "%s: %s", reason, body)
	}
	status, body := request(t, s.url, "apg_globex", call{path: "/dispute/create", body: `{"content":"https://bad.example"}`})
	require.Equal(t, http.StatusOK, status, body)
	require.NotContains(t, body, "message", "an asset that is blocked here")
}

// TestPublishedList_Checks imports a published list. Links to its hosts and to their subdomains
// are BLOCKED, and links to hosts that only begin with their names are not. The list that is
// exported again gives the same verdicts, but does not free what a check blocks.
func TestPublishedList_Checks(t *testing.T) {
	t.Parallel()
	list := readPublishedList(t)
	text, err := json.Marshal(list) // without the fuzzy targets, which an import leaves out
	require.NoError(t, err)
	db := newDatabase(t)
	counts, exported := importAndExport(t, db, string(text))
	t.Log(counts)
	store, err := openFile(t.Context(), db)
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	guard := apguard.New(store, apguard.Options{})

	var hosts []string // those that an import accepts
	for _, host := range list.Blacklist {
		if page, err := classify.Classify("https://" + host); err == nil && isImported(page.Identity, host) {
			hosts = append(hosts, host)
		}
	}
	require.Greater(t, len(hosts), len(list.Blacklist)*99/100)
	whole := checkLinks(t, guard, "https://%s", hosts)
	subdomain := checkLinks(t, guard, "https://sub.%s/any/path?x=1", hosts)
	longer := checkLinks(t, guard, "https://%s.example.com", hosts)
	for i, host := range hosts {
		want := asset.StatusBlocked
		// The whitelist frees what is below its hosts, too.
		if slices.ContainsFunc(list.Whitelist, func(allowed string) bool { return strings.HasSuffix("."+host, "."+allowed) }) {
			want = asset.StatusAllowed
		}
		require.Equal(t, want, whole[i].Status, host)
		require.NoError(t, longer[i].Err, host)
		require.Equal(t, asset.StatusUnknown, longer[i].Status, host)
		// A subdomain of an IP address is not a host, that of a platform's name is not covered by the
		// name, and only eight parents cover a host.
		if _, err := netip.ParseAddr(host); err != nil && whole[i].Type == asset.TypeURL && strings.Count(host, ".") < 9 {
			require.Equal(t, want, subdomain[i].Status, host)
		}
	}

	want, err := phishlist.Load(strings.NewReader(string(text)), phishlist.Options{})
	require.NoError(t, err)
	got, err := phishlist.Load(strings.NewReader(exported), phishlist.Options{})
	require.NoError(t, err)
	for i, host := range hosts {
		for _, name := range []string{host, "sub." + host, host + ".example.com"} {
			if want.Check(name).Rule == phishlist.RuleAllowlist && got.Check(name).Blocked {
				require.Equal(t, asset.StatusBlocked, whole[i].Status, "%s is BLOCKED below a host on the whitelist", name)
				continue
			}
			require.Equal(t, want.Check(name).Blocked, got.Check(name).Blocked, name)
		}
	}
}

// isImported reports whether an import of hosts accepts a host with this identity, which is that
// of its URL.
func isImported(identity asset.Identity, host string) bool {
	page, err := classify.Classify(host)
	return err == nil && (page.Type == asset.TypePage || page.Identity == identity)
}

// checkLinks checks the links that the format makes of the hosts.
func checkLinks(t *testing.T, guard *apguard.Guard, format string, hosts []string) []check.Result {
	t.Helper()
	var all []check.Result
	for some := range slices.Chunk(hosts, check.MaxItems) {
		links := make([]string, len(some))
		for i, host := range some {
			links[i] = fmt.Sprintf(format, host)
		}
		results, err := guard.Checks.CheckBatch(t.Context(), links)
		require.NoError(t, err)
		all = append(all, results...)
	}
	return all
}

// disputeSeed is the seed with the scope dispute for its key.
var disputeSeed = strings.Replace(seed, `"scopes": [`, `"scopes": ["dispute", `, 1)

// pick returns a host of two labels that is not among the others.
func pick(t *testing.T, hosts, others []string) string {
	t.Helper()
	for _, host := range hosts {
		if strings.Count(host, ".") == 1 && strings.HasSuffix(host, ".com") && !slices.Contains(others, host) {
			return host
		}
	}
	require.Fail(t, "no host found")
	return ""
}
