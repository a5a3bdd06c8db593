package phishlist_test

import (
	"bufio"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/check/phishlist"
	"github.com/apguard/apguard/internal/test/npmtest"
)

// Content identifiers of public documents.
const (
	cidV0 = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG"
	cidV1 = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"
)

// contentIDs is a list with each, and with the hosts of gateways in its whitelist.
const contentIDs = `{"whitelist": ["ipfs.io", "dweb.link"], "blacklist": ["` + cidV0 + `", "bad.com", "` + cidV1 + `"]}`

// status returns what a check finds out from the list about a content.
func status(tb testing.TB, list *phishlist.List, content string) asset.Status {
	tb.Helper()
	covers, err := check.Covers(content)
	require.NoError(tb, err, content)
	got, err := list.Status(tb.Context(), check.Listed(covers))
	require.NoError(tb, err)
	return got
}

// linkOfContent is a link with what the list of contentIDs says.
type linkOfContent struct {
	link string
	want asset.Status
}

func linksOfContent() map[string]linkOfContent {
	other := strings.Replace(cidV0, "Y", "Z", 1)
	return map[string]linkOfContent{
		"a path":                             {"https://ipfs.io/ipfs/" + cidV0, asset.StatusBlocked},
		"a path on a host without entry":     {"http://203.0.113.7:8080/ipfs/" + cidV0 + "/index.html", asset.StatusBlocked},
		"a path without gateway":             {"https://example.com/a/b/" + cidV0, asset.StatusBlocked},
		"the first segment":                  {"https://example.com/" + cidV1, asset.StatusBlocked},
		"a subdomain":                        {"https://" + cidV1 + ".ipfs.dweb.link/x", asset.StatusBlocked},
		"the query":                          {"https://example.com/?cid=" + cidV0 + "&a=b", asset.StatusBlocked},
		"another one":                        {"https://example.com/ipfs/" + other, asset.StatusUnknown},
		"another one on an exempt host":      {"https://ipfs.io/ipfs/" + other, asset.StatusAllowed},
		"no identifier on an exempt host":    {"https://ipfs.io/", asset.StatusAllowed},
		"a path in upper case":               {"https://example.com/ipfs/" + strings.ToUpper(cidV1), asset.StatusUnknown},
		"a path in lower case":               {"https://example.com/ipfs/" + strings.ToLower(cidV0), asset.StatusUnknown},
		"a longer word that begins with it":  {"https://example.com/" + cidV0 + "1", asset.StatusUnknown},
		"a longer label that begins with it": {"https://" + cidV1 + "a.example.com", asset.StatusUnknown},
		"an identifier of a blocked host":    {"https://bad.com/" + other, asset.StatusBlocked},
	}
}

func TestList_Status_ContentIDs(t *testing.T) {
	t.Parallel()
	list := load(t, contentIDs)
	for reason, c := range linksOfContent() {
		require.Equal(t, c.want, status(t, list, c.link), reason)
	}
	require.Equal(t, asset.StatusBlocked, status(t, list, "https://"+strings.ToUpper(cidV1)+".ipfs.example.com"), "a label in upper case")
	require.Equal(t, asset.StatusUnknown, status(t, list, "https://example.com/a"+cidV0), "a longer word that ends in it")
	require.Equal(t, asset.StatusBlocked, status(t, list, "ipfs.example.com/ipfs/"+cidV0), "a link without a scheme")

	entries, _ := list.Len()
	require.Equal(t, 5, entries)
	require.Equal(t, 2, list.ContentIDs())
	require.Equal(t, phishlist.Warnings{}, list.Warnings())
	require.Equal(t, none, list.Check(cidV1), "it is not a host")
}

func TestList_Status_AllowedContentID(t *testing.T) {
	t.Parallel()
	list := load(t, `{"whitelist": ["`+cidV0+`", "`+cidV1+`"], "blacklist": ["`+cidV0+`", "`+cidV0+`"]}`)
	require.Equal(t, asset.StatusBlocked, status(t, list, "https://example.com/"+cidV0))
	require.Equal(t, asset.StatusUnknown, status(t, list, "https://example.com/"+cidV1))
	require.Equal(t, phishlist.Warnings{AllowedContentIDs: 2, Duplicates: 1}, list.Warnings())
}

// walletVariable is the environment variable with a folder in which the npm packages of
// httpapi/testdata/wallet are installed.
const walletVariable = "APGUARD_TEST_WALLET"

// MetaMask's client blocks the same links. Where a word is longer than an identifier, or not the
// first one, it differs.
func TestList_Status_ContentIDsAsWallet(t *testing.T) {
	t.Parallel()
	links := linksOfContent()
	links["two identifiers"] = linkOfContent{"https://" + cidV1 + ".example.com/" + cidV0, asset.StatusBlocked}
	links["a route"] = linkOfContent{"https://example.com/?a#/" + cidV0, asset.StatusBlocked}
	links["hyphens"] = linkOfContent{"https://example.com/-" + cidV0 + "-", asset.StatusBlocked}
	links["escaped slashes"] = linkOfContent{"https://example.com/?u=%2Fipfs%2F" + cidV0 + "%2F", asset.StatusBlocked}
	requireAsWallet(t, contentIDs, links)

	var words []string
	links = map[string]linkOfContent{}
	for _, form := range []struct {
		prefix, digit string
		least         int
	}{{"Qm", "z", 44}, {"b", "a", 58}, {"B", "7", 58}, {"z", "1", 48}, {"F", "A", 50}} {
		for digits := form.least - 1; digits <= form.least+1; digits++ {
			word, want := form.prefix+strings.Repeat(form.digit, digits), asset.StatusBlocked
			if digits < form.least {
				want = asset.StatusUnknown
			}
			words = append(words, word)
			links[word] = linkOfContent{"https://example.com/" + word, want}
		}
	}
	requireAsWallet(t, writeJSON(t, map[string][]string{"whitelist": {}, "blacklist": words}), links)
}

// requireAsWallet requires that a list and MetaMask's client with it block the same links.
func requireAsWallet(t *testing.T, text string, links map[string]linkOfContent) {
	t.Helper()
	in, out := npmtest.Start(t, npmtest.Command(t, walletVariable, filepath.Join("testdata", "detector.cjs"), text))
	answers := bufio.NewScanner(out)
	list := load(t, text)
	for reason, c := range links {
		require.Equal(t, c.want, status(t, list, c.link), reason)
		_, err := io.WriteString(in, c.link+"\n")
		require.NoError(t, err)
		require.True(t, answers.Scan())
		var blocked bool
		require.NoError(t, json.Unmarshal(answers.Bytes(), &blocked))
		require.Equal(t, c.want == asset.StatusBlocked, blocked, reason)
	}
}
